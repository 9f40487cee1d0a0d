@TAB-03
Feature: A borrowed tab returns on release, and nothing reaches a tab of the person's otherwise

  Scenario: it is borrowed and given back
    Given the person has the tabs "https://a.example/" and "https://b.example/"
    And the extension is connected
    When the daemon sends a borrow A on the person's tab "https://a.example/"
    Then the extension has answered A with ok
    And the person's tab "https://a.example/" is borrowed by the session "shop"
    And the person's tab "https://b.example/" is nobody's but the person's
    When the daemon sends an evaluate B on the person's tab "https://a.example/"
    And the daemon sends a release C on the person's tab "https://a.example/"
    Then the extension has answered B and C with ok
    And the person's tab "https://a.example/" is nobody's but the person's
    And the session "shop" has 0 tabs

  Scenario Outline: without that nothing reaches it
    Given the person has the tab "https://a.example/"
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a <action> A on the person's tab "https://a.example/" with the args <args>
    And 200ms pass
    Then the extension has answered A with permission
    And the extension says why to A
    And the person's tab "https://a.example/" is nobody's but the person's

    Examples:
      | action     | args                           |
      | evaluate   | {"code":"1"}                   |
      | navigate   | {"url":"https://c.example/"}   |
      | snapshot   | {}                             |
      | screenshot | {}                             |
      | close_tab  | {}                             |
      | switch_tab | {}                             |
      | reload     | {}                             |

  Scenario: nor after it was given back
    Given the person has the tab "https://a.example/"
    And the extension is connected
    When the daemon sends a borrow A on the person's tab "https://a.example/"
    And the daemon sends a release B on the person's tab "https://a.example/"
    And the daemon sends an evaluate C on the person's tab "https://a.example/"
    Then the extension has answered A and B with ok
    And the extension has answered C with permission

  Scenario: close_session closes what was created and releases what was borrowed
    Given the person has the tabs "https://a.example/" and "https://b.example/"
    And the extension is connected
    And the session "shop" has a tab T
    And the session "shop" has a tab U
    And the session "mail" has a tab V
    When the daemon sends a borrow A on the person's tab "https://a.example/"
    And the daemon sends a close_session B
    Then the extension has answered A with ok
    And the close_session B has closed the tabs of T and U
    And the close_session B has released the person's tab "https://a.example/"
    And the person's tab "https://a.example/" is nobody's but the person's
    And the person's tab "https://b.example/" is nobody's but the person's
    And the session "mail" has the tab of V
    When the daemon sends an evaluate C of session "mail" on the tab of T
    Then the extension has answered C with tab_gone

  Scenario: a navigate without a tab opens one of its own
    Given the person has the tab "https://a.example/"
    And the extension is connected
    When the daemon sends a navigate A with the args {"url":"about:blank"}
    Then the extension has answered A with ok
    And the session "shop" has the tab of A
    And the person's tab "https://a.example/" is nobody's but the person's
