@CMD-16 @role:client
Feature: A client waits longer than the daemon, and not for ever

  Who knows most answers first: the daemon knows whether the command left it.

  Scenario: the daemon answers at its deadline
    Given a client of a daemon
    And the daemon answers outcome_unknown when the time of a click is over
    When the client is asked for a click with the timeout 2s
    And the client says what came of it
    Then the click asked for 2s at most

  @wait:30s
  Scenario: no answer ever comes
    Given a client of a daemon
    And the daemon never answers a click
    When the client is asked for a click with the timeout 2s
    And the client says what came of it
    Then the client waited for the daemon, and 2s at least
    And the click asked for 2s at most
