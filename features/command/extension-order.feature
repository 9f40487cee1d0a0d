@CMD-06 @role:extension
Feature: Commands of one session run in order: the extension runs one at a time

  Scenario: one behind the other
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends evaluates B1 to B20 of session "shop"
    Then the extension has answered B1 to B20 with ok
    And the extension has answered B1 to B20 in that order
    And B1 to B20 have their own values
    And each command was answered once

  @wait:15s
  Scenario: the next one starts when the one before it is done
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 2s
    And the daemon sends a wait B that takes 3s
    And the daemon sends a wait C that takes 1s
    And 7s pass
    Then the extension has answered A with ok, 2s after it was sent
    And the extension has answered B with ok, 5s after A was sent
    And the extension has answered C with ok, 6s after A was sent

  Scenario: what is quick does not overtake what is slow
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends evaluates B1 to B3 of session "shop"
    And 4.999999999s pass
    Then the extension has not answered A and B1 to B3
    When 2ns pass
    Then the extension has answered A and B1 to B3 with ok
    And the extension has answered A and B1 to B3 in that order

  Scenario Outline: whatever it is
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 3s
    And the daemon sends a <action> B with the args <args>
    Then the extension has not answered A and B
    When 3.000000001s pass
    Then the extension has answered A and B with ok
    And the extension has answered A and B in that order

    Examples:
      | action   | args           |
      | reload   | {}             |
      | tabs     | {}             |
      | status   | {}             |
      | snapshot | {}             |
      | console  | {"cmd":"list"} |

  Scenario: an error does not stop those behind it
    Given the extension is connected
    And the session "shop" has a tab A
    When the daemon sends a close_tab B on the tab of A
    And the daemon sends an evaluate C on the tab of A
    And the daemon sends a navigate D with the args {"url":"about:blank","new_tab":true}
    Then the extension has answered B with ok
    And the extension has answered C with tab_gone
    And the extension has answered D with ok
    And the extension has answered B, C and D in that order
