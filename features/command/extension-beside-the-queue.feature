@CMD-08 @role:extension
Feature: close_session and dialog run outside the extension's session queue

  Scenario Outline: at once, while the session is stuck
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 8s
    And the daemon sends evaluates B1 to B31 of session "shop"
    And the daemon sends a <action> C with the args <args>
    Then the extension has answered C at once
    And the extension has not answered A and B1 to B31

    Examples:
      | action         | args                                           |
      | dialog         | {"accept":true}                                |
      | cdp_detach     | {}                                             |
      | artifact_close | {"artifact":"none"}                            |
      | artifact_read  | {"artifact":"none","offset":0,"length":1}      |

  Scenario: close_session clears a stuck session
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 8s
    And the daemon sends evaluates B1 to B3 of session "shop"
    And the daemon sends a close_session C
    Then the extension has answered B1 to B3 with session_closed, at once
    And the extension has answered A with outcome_unknown, at once
    And the extension has answered C with ok, at once
    And the extension has answered B1 to B3, A and C in that order
    And each command was answered once
    And the session "shop" has 0 tabs

  Scenario: what was waiting is not run after it
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 3s
    And the daemon sends a navigate B with the args {"url":"about:blank","new_tab":true}
    And the daemon sends a close_session C
    And 4s pass
    Then the extension has answered B with session_closed
    And the session "shop" has 0 tabs
    And each command was answered once

  Scenario: the name can be used again
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 8s
    And the daemon sends a close_session B
    And the daemon sends a navigate C with the args {"url":"about:blank"}
    Then the extension has answered B and C with ok
    And the session "shop" has the tab of C

  Scenario: no other session is touched
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab D
    When the daemon sends a wait A of session "mail" that takes 3s
    And the daemon sends an evaluate B of session "mail"
    And the daemon sends a close_session C of session "shop"
    Then the extension has answered C with ok
    And the extension has not answered A and B
    When 3.000000001s pass
    Then the extension has answered A and B with ok
    And the session "mail" has the tab of D

  Scenario: a session that is not held is closed, too
    Given the extension is connected
    When the daemon sends a close_session A of session "never seen"
    Then the extension has answered A with ok
    And the close_session A has closed nothing
