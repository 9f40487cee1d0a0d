@TAB-01
Feature: One tab belongs to one session at a time

  Scenario Outline: another session's command on it is refused
    Given the extension is connected
    And the session "shop" has a tab T
    And the session "mail" has a tab U
    When the daemon sends a <action> A of session "mail" on the tab of T with the args <args>
    And 200ms pass
    Then the extension has answered A with tab_taken
    And the extension says why to A
    And the session "shop" has the tab of T
    And the session "mail" has the tab of U
    When the daemon sends an evaluate B of session "shop" on the tab of T
    Then the extension has answered B with ok

    Examples:
      | action     | args                             |
      | evaluate   | {"code":"1"}                     |
      | navigate   | {"url":"about:blank"}            |
      | reload     | {}                               |
      | snapshot   | {}                               |
      | screenshot | {}                               |
      | close_tab  | {}                               |
      | switch_tab | {}                               |
      | borrow     | {}                               |
      | wait       | {"ms":0}                         |

  Scenario: a session without a tab has none of the others
    Given the extension is connected
    And the session "shop" has a tab T
    When the daemon sends an evaluate A of session "mail"
    Then the extension has answered A with no_tab, since its session has no tab
    And the session "shop" has the tab of T

  Scenario: one that was borrowed is its session's
    Given the person has the tab "https://person.example/"
    And the extension is connected
    And the session "mail" has a tab
    When the daemon sends a borrow A of session "shop" on the person's tab "https://person.example/"
    And the daemon sends a borrow B of session "mail" on the person's tab "https://person.example/"
    And the daemon sends an evaluate C of session "mail" on the person's tab "https://person.example/"
    Then the extension has answered A with ok
    And the extension has answered B and C with tab_taken
    And the person's tab "https://person.example/" is borrowed by the session "shop"

  Scenario: once it is given back another may have it
    Given the person has the tab "https://person.example/"
    And the extension is connected
    When the daemon sends a borrow A of session "shop" on the person's tab "https://person.example/"
    And the daemon sends a release B of session "shop" on the person's tab "https://person.example/"
    And the daemon sends a borrow C of session "mail" on the person's tab "https://person.example/"
    Then the extension has answered A, B and C with ok
    And the person's tab "https://person.example/" is borrowed by the session "mail"

  Scenario: one that is gone is nobody's
    Given the extension is connected
    And the session "shop" has a tab T
    And the session "mail" has a tab
    When the daemon sends a close_tab A of session "shop" on the tab of T
    And the daemon sends an evaluate B of session "mail" on the tab of T
    And the daemon sends an evaluate C of session "shop" on the tab of T
    Then the extension has answered A with ok
    And the extension has answered B and C with tab_gone
