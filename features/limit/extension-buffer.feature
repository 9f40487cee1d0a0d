@LIMIT-09
Feature: The extension's send buffer: 64 MiB queued, closed after 30 seconds without sending

  @heavy
  Scenario: what is queued is sent when the daemon reads again
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon reads nothing more
    And the daemon asks for results of 4194304 bytes, called B1 to B16
    And 5s pass
    And the daemon reads again
    Then the extension has answered B1 to B16 with ok
    And the connection stands

  @heavy
  Scenario: more than 64 MiB is not kept
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon reads nothing more
    And the daemon asks for results of 4194304 bytes, called B1 to B18
    And 5s pass
    And the daemon reads again
    Then the extension has ended the connection

  @heavy @wait:31s
  Scenario: nothing could be sent for less than 30 seconds
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon reads nothing more
    And the daemon asks for results of 4194304 bytes, called B1 to B3
    And 29.999999999s pass
    And the daemon reads again
    Then the extension has answered B1 to B3 with ok
    And the connection stands

  @heavy @wait:31s
  Scenario: nothing could be sent for 30 seconds
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon reads nothing more
    And the daemon asks for results of 4194304 bytes, called B1 to B3
    And 30.000000001s pass
    And the daemon reads again
    Then the extension has ended the connection
