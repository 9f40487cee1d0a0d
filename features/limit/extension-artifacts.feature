@LIMIT-09 @omw.v1
Feature: What would fill the extension's send buffer travels as an artifact

  @heavy
  Scenario: data of 4 MiB travel whole
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends an evaluate of session "shop" whose data have 4194304 bytes, called A
    Then A came whole, with data of 4194304 bytes

  @heavy
  Scenario: one byte more is an artifact
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends an evaluate of session "shop" whose data have 4194305 bytes, called A
    Then A came as an artifact of 4194305 bytes
    And the artifact of A, read to its end, is its data

  @heavy
  Scenario: it is read in parts of up to 1 MiB
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends an evaluate of session "shop" whose data have 4194400 bytes, called A
    And the daemon reads 1048576 bytes at 0 of the artifact of A, called B
    And the daemon reads 1 bytes at 4194399 of the artifact of A, called C
    And the daemon reads 1000 bytes at 4194300 of the artifact of A, called D
    And the daemon reads 1 bytes at 4194400 of the artifact of A, called E
    Then B brought 1048576 bytes
    And C brought 1 bytes
    And D brought 100 bytes
    And E brought 0 bytes

  @heavy
  Scenario: it is there while the session works on something else
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends an evaluate of session "shop" whose data have 5000000 bytes, called A
    And the daemon sends a wait B that takes 5s
    And the daemon reads 1000 bytes at 0 of the artifact of A, called C
    Then the extension has answered C with ok, at once
    And C brought 1000 bytes

  @heavy
  Scenario: once it was ended it is gone
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends an evaluate of session "shop" whose data have 5000000 bytes, called A
    And the daemon ends the artifact of A, called B
    And the daemon reads 1 bytes at 0 of the artifact of A, called C
    Then the extension has answered B with ok
    And the extension has answered C with not_found

  @heavy @wait:21s
  Scenario: nobody reads it: it is freed at the deadline, and not before
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends an evaluate of session "shop" whose data have 5000000 bytes, called A
    And 19.999999999s pass
    And the daemon reads 1 bytes at 0 of the artifact of A, called B
    And 2ns pass
    And the daemon reads 1 bytes at 0 of the artifact of A, called C
    Then the extension has answered B with ok
    And the extension has answered C with not_found
