@CMD-03 @role:client
Feature: A client gives no two commands the same id

  An answer is told from another's by its id. A client may leave the ids to the daemon.

  Scenario: many at a time
    Given a client of a daemon
    When the client is asked for 24 clicks at a time in 3 sessions, of which the daemon refuses every second
    Then the daemon has received each of them
    And its traffic keeps the rule

  Scenario: after one of which nobody knows what came
    Given a client of a daemon
    And the daemon answers every click with outcome_unknown
    When the client is asked for a click
    And the client says what came of it
    And the client is asked for a click
    And the client says what came of it
    Then the daemon has received each of them
    And its traffic keeps the rule
