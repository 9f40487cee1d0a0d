@CMD-11 @role:client
Feature: A client tells by the answer what came of a command, not by its status

  Behind the gate the status is 200 whatever came of the command, so that nothing on the way repeats it.

  Scenario Outline: the answer has the status 200
    Given a client of a daemon
    And the daemon answers every click with <answer>
    When the client is asked for a click
    Then the client says <outcome>

    Examples:
      | answer          | outcome                    |
      | ok              | ok                         |
      | outcome_unknown | unknown                    |
      | stale_ref       | error with stale_ref       |
      | page_error      | error with page_error      |
      | dialog_open     | error with dialog_open     |
      | not_connected   | error with not_connected   |

  Scenario: no answer comes
    Given a client of a daemon
    And the daemon closes the connection of every click
    When the client is asked for a click
    Then the client says unknown
