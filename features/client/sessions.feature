@CMD-07 @role:client
Feature: A client waits for one session and goes on with the others

  Scenario: an answer of another session comes first
    Given a client of a daemon
    And the daemon holds the commands of session "slow"
    And the daemon answers every click with ok
    When the client is asked for a click A of session "slow"
    And the daemon has received A
    And the client is asked for a click B of session "quick"
    Then the client says ok of B
    When the daemon refuses what it holds with bad_request
    Then the client says error with bad_request of A

  Scenario: many of several sessions, the later ones answered first
    Given a client of a daemon
    When the client is asked for 24 clicks at a time in 3 sessions, of which the daemon refuses every second
    Then the client tells each by its own answer
