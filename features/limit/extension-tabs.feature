@LIMIT-06
Feature: 32 tabs per session

  Scenario: the 32nd is opened
    Given the extension is connected
    When the daemon sends navigates B1 to B32 with the args {"url":"about:blank","new_tab":true}
    Then the extension has answered B1 to B32 with ok
    And the session "shop" has 32 tabs

  Scenario: the 33rd is busy, and the others stand
    Given the extension is connected
    When the daemon sends navigates B1 to B32 with the args {"url":"about:blank","new_tab":true}
    And the daemon sends a navigate B33 with the args {"url":"about:blank","new_tab":true}
    Then the extension has answered B33 with busy
    And the extension says why to B33
    And the session "shop" has 32 tabs
    When the daemon sends an evaluate C on the tab of B1
    Then the extension has answered C with ok

  Scenario: another session has its own
    Given the extension is connected
    When the daemon sends navigates B1 to B32 of session "shop" with the args {"url":"about:blank","new_tab":true}
    And the daemon sends navigates C1 to C32 of session "mail" with the args {"url":"about:blank","new_tab":true}
    And the daemon sends a navigate C33 of session "mail" with the args {"url":"about:blank","new_tab":true}
    Then the extension has answered C1 to C32 with ok
    And the extension has answered C33 with busy

  Scenario: one that is closed makes room
    Given the extension is connected
    When the daemon sends navigates B1 to B32 with the args {"url":"about:blank","new_tab":true}
    And the daemon sends a close_tab C on the tab of B7
    And the daemon sends a navigate D with the args {"url":"about:blank","new_tab":true}
    And the daemon sends a navigate E with the args {"url":"about:blank","new_tab":true}
    Then the extension has answered C and D with ok
    And the extension has answered E with busy

  Scenario: a tab that is navigated is no new one
    Given the extension is connected
    When the daemon sends navigates B1 to B32 with the args {"url":"about:blank","new_tab":true}
    And the daemon sends a navigate C on the tab of B1 with the args {"url":"about:blank"}
    And the daemon sends a navigate D with the args {"url":"about:blank"}
    Then the extension has answered C and D with ok
    And the session "shop" has 32 tabs

  Scenario: one that is borrowed counts
    Given the person has the tab "https://person.example/"
    And the extension is connected
    When the daemon sends navigates B1 to B32 with the args {"url":"about:blank","new_tab":true}
    And the daemon sends a borrow C on the person's tab "https://person.example/"
    Then the extension has answered C with busy
    And the person's tab "https://person.example/" is nobody's but the person's
