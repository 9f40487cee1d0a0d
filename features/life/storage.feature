@LIFE-07
Feature: Session metadata lives in storage.session, not in worker globals

  @wait:36s
  Scenario: sessions survive a stopped background
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab
    When the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    And its hello names the sessions "shop" and "mail"

  @wait:36s
  Scenario: so do their tabs
    Given the extension is connected
    And the session "shop" has a tab A
    And the session "shop" has a tab B
    And the session "mail" has a tab C
    When the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    And the session "shop" has the tabs of A and B
    And the session "mail" has the tab of C
    When the daemon sends an evaluate D
    And the daemon sends an evaluate E of session "mail"
    Then the extension has answered D and E with ok
    And D and E have their own values

  @wait:36s
  Scenario: a session that was closed does not come back
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab
    When the daemon sends a close_session A of session "shop"
    And the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    And its hello names the session "mail"

  @wait:70s
  Scenario: they survive more than one
    Given the extension is connected
    And the session "shop" has a tab A
    When the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    When the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    And its hello names the session "shop"
    And the session "shop" has the tab of A

  @wait:36s
  Scenario: a command that was waiting is not run by the next one
    Given the extension is connected
    And the session "shop" has a tab A
    When the daemon sends a wait B that takes 5s
    And the daemon sends a navigate C with the args {"url":"about:blank","new_tab":true}
    And the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    And the session "shop" has the tab of A
