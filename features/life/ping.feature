@LIFE-01
Feature: The extension keeps one WebSocket and sends a ping every 20 seconds

  @wait:61s
  Scenario: from the beginning of its connection
    Given the extension is connected
    When 59.5s pass
    Then the extension has sent pings after 20s and 40s
    And the connection stands

  @wait:61s
  Scenario: during a long command
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 50s with 100s left
    And 59.5s pass
    Then the extension has sent pings after 20s and 40s
    And the extension has answered A with ok

  @wait:61s
  Scenario: whatever else it hears
    Given the extension is connected
    When the daemon sends an unknown frame every 7s for 56s
    Then the extension has sent pings after 20s and 40s

  @wait:61s
  Scenario: on its next connection, too
    Given the extension is connected
    When 13s pass
    And the daemon drops the connection
    And 1s pass
    Then the extension is connected again
    When 41s pass
    Then the extension has sent pings after 20s and 40s

  @wait:181s
  Scenario: it keeps that one connection
    Given the extension is connected
    When 181s pass
    Then the extension has made 1 connection
    And the connection stands

  @omw.v1
  Scenario Outline: what it does not know does not end it
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends <what>
    And the daemon sends an evaluate A
    Then the extension has answered A with ok
    And A has its own value
    And the connection stands
    And the extension has made 1 connection

    Examples:
      | what                                   |
      | an unknown frame                       |
      | an unknown frame with a command inside |
      | a pong with a field that is unknown    |
      | a result that nobody asked for         |
      | a pong                                 |
