@LIMIT-04
Feature: In the extension one command of a session runs and 32 wait

  Scenario: the 32nd that waits has its turn
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends evaluates B1 to B32
    And 5.000000001s pass
    Then the extension has answered A and B1 to B32 with ok
    And B1 to B32 have their own values

  Scenario: the 33rd is busy, at once
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends evaluates B1 to B33
    Then the extension has answered B33 with busy, at once
    And the extension says why to B33
    And the extension has not answered A and B1 to B32
    When 5.000000001s pass
    Then the extension has answered A and B1 to B32 with ok
    And each command was answered once

  Scenario: what was busy is not run later
    Given the extension is connected
    And the session "shop" has a tab T
    When the daemon sends a wait A that takes 5s
    And the daemon sends evaluates B1 to B32
    And the daemon sends a navigate C with the args {"url":"about:blank","new_tab":true}
    And 5.000000001s pass
    Then the extension has answered C with busy
    And the session "shop" has the tab of T

  Scenario: each that is done makes room for one
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 2s
    And the daemon sends a wait B that takes 5s
    And the daemon sends evaluates C1 to C31
    And 2.000000001s pass
    And the daemon sends evaluates D1 to D2
    Then the extension has answered A with ok
    And the extension has answered D2 with busy
    And the extension has not answered B, C1 to C31 and D1
    When 5s pass
    Then the extension has answered C1 to C31 and D1 with ok

  Scenario: another session has its own
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab
    When the daemon sends a wait A of session "shop" that takes 5s
    And the daemon sends evaluates B1 to B32 of session "shop"
    And the daemon sends a wait C of session "mail" that takes 5s
    And the daemon sends evaluates D1 to D33 of session "mail"
    Then the extension has answered D33 with busy
    And the extension has not answered D1 to D32
    When 5.000000001s pass
    Then the extension has answered B1 to B32 and D1 to D32 with ok

  Scenario Outline: what runs beside it is not refused when it is full
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends evaluates B1 to B33
    And the daemon sends a <action> C
    Then the extension has answered B33 with busy
    And the extension has answered C at once, and not with busy

    Examples:
      | action        |
      | dialog        |
      | close_session |

  Scenario: what runs beside the queue takes no place in it
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends dialogs B1 to B3
    And the daemon sends evaluates C1 to C32
    Then the extension has not answered C1 to C32
    When 5.000000001s pass
    Then the extension has answered C1 to C32 with ok
