@ROUTE-03
Feature: hello reports the browser, its version and the session names the extension holds

  Scenario: it is the first frame, and has what it must have
    Given the extension is connected
    Then its first frame is a hello, and no other one is
    And its hello has every field, as the schema has it
    And its hello names the browser that its Origin shows, and a version

  Scenario: at first it names no session
    Given the extension is connected
    Then its hello names no session

  Scenario: the next one names those that it holds
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab
    When the daemon drops the connection
    And 1s pass
    Then the extension is connected again
    And its hello names the sessions "shop" and "mail"
    And its first frame is a hello, and no other one is

  Scenario: a session that was closed is no more
    Given the extension is connected
    And the session "shop" has a tab
    And the session "mail" has a tab
    When the daemon sends a close_session A of session "mail"
    And the daemon drops the connection
    And 1s pass
    Then the extension is connected again
    And its hello names the session "shop"

  Scenario: names are taken as they are
    Given the extension is connected
    And the session "кошик \"1\"" has a tab
    And the session "SHOP" has a tab
    And the session "shop" has a tab
    When the daemon drops the connection
    And 1s pass
    Then the extension is connected again
    And its hello names the sessions "кошик \"1\"" and "SHOP" and "shop"

  Scenario: what binds nothing is no session
    Given the extension is connected
    When the daemon sends a tabs A of session "looked"
    And the daemon sends a status B of session "looked"
    And the daemon sends a sessions C of session "looked"
    And the daemon drops the connection
    And 1s pass
    Then the extension is connected again
    And its hello names no session
