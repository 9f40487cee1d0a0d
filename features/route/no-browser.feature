@ROUTE-11
Feature: A command with no browser connected fails at once with a clear error, not at its deadline

  Scenario Outline: whatever is asked
    When the agent sends <command> naming no browser with the timeout 100s
    Then it is answered not_connected, delivered "no"
    And it took no time
    And its error says "connected"

    Examples:
      | command            |
      | a click            |
      | a navigate         |
      | a tabs             |
      | a sessions         |
      | a status           |
      | a dialog           |
      | a close_session    |

  Scenario: also with a browser named
    When the agent sends a click to Firefox with the timeout 100s
    Then it is answered not_connected, delivered "no"
    And it took no time

  Scenario Outline: the last one has left
    Given Chrome is connected
    When Chrome leaves by <way>
    And the agent sends a click naming no browser with the timeout 100s
    Then it is answered not_connected, delivered "no"
    And it took no time

    Examples:
      | way                        |
      | a close frame with 1000    |
      | the end of its connection  |
      | a reset                    |

  @omw.v1
  Scenario: one is on the line and has not said hello
    Given Chrome has opened its connection and says no hello
    When the agent sends a click naming no browser with the timeout 100s
    Then it is answered not_connected, delivered "no"
    And it took no time

  @omw.v1
  Scenario: what came of a command is no status of HTTP
    When the agent sends a click naming no browser
    Then it is answered not_connected
    And its answer has the status 200
