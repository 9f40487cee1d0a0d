@LIMIT-07 @heavy
Feature: A WebSocket message of 32 MiB passes; a larger one closes the connection

  Scenario: 33,554,432 bytes pass
    Given Chrome is connected
    And an evaluate A that Chrome works on
    When Chrome answers A by a message of 33554432 bytes
    Then A is answered ok

  Scenario: one byte more closes the connection, and its commands end with outcome_unknown
    Given Chrome is connected
    And an evaluate A of session "a" that Chrome works on
    And an evaluate B of session "b" that Chrome works on
    When Chrome answers A by a message of 33554433 bytes
    Then A and B are answered outcome_unknown, delivered "unknown"
    And Chrome's connection was closed with 1009

  Scenario: the next connection is taken
    Given Chrome is connected
    And an evaluate A that Chrome works on
    When Chrome answers A by a message of 33554433 bytes
    Then A is answered outcome_unknown
    When Chrome connects again, holding the session "shop"
    And the agent sends a click B
    Then B is answered ok
