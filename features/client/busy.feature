@LIMIT-02 @role:client
Feature: A client that is told that there is no room waits, or tells who asked

  Scenario: the daemon says how long
    Given a client of a daemon
    And the daemon has no room for 2s, and says so
    When the client is asked for a click
    Then the client waits before it asks again
    And its traffic keeps the rule

  Scenario: the daemon does not say how long
    Given a client of a daemon
    And the daemon has no room for 2s, and does not say how long
    When the client is asked for a click
    Then the client waits before it asks again
    And its traffic keeps the rule
