@CMD-07 @role:extension
Feature: Different sessions run concurrently in the extension

  @wait:31s
  Scenario: a stuck session delays no other
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab
    When the daemon sends a wait A of session "shop" that takes 30s with 60s left
    And the daemon sends an evaluate B of session "mail"
    Then the extension has answered B with ok, at once
    And B has its own value
    And the extension has not answered A
    When 30.000000001s pass
    Then the extension has answered A with ok

  Scenario: nor does one whose queue is full
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab
    When the daemon sends waits B1 to B34 of session "shop" that take 5s with 8s left
    And the daemon sends an evaluate C of session "mail"
    Then the extension has answered C with ok, at once

  Scenario: each takes its own time
    Given the extension is connected
    And the session "a" has a tab
    And the session "b" has a tab
    And the session "c" has a tab
    When the daemon sends a wait A of session "a" that takes 3s
    And the daemon sends a wait B of session "b" that takes 1s
    And the daemon sends a wait C of session "c" that takes 2s
    And 3.5s pass
    Then the extension has answered A with ok, 3s after it was sent
    And the extension has answered B with ok, 1s after it was sent
    And the extension has answered C with ok, 2s after it was sent
