@CMD-07
Feature: Different sessions run concurrently: a stuck session delays no other

  Scenario Outline: one is stuck
    Given Chrome is connected
    And a click A of session "shop" with the timeout 5s that Chrome never answers
    And a click B of session "shop" with the timeout 5s that Chrome never answers
    When the agent sends <command> of session "mail"
    Then it is answered ok
    And it took no time

    Examples:
      | command       |
      | a click       |
      | a tabs        |
      | a navigate    |

  Scenario: many are stuck
    Given Chrome is connected
    And clicks of 20 sessions with the timeout 5s that Chrome never answers
    When the agent sends a click A of session "mail"
    Then A is answered ok
    And A took no time

  Scenario: they end in any order
    Given Chrome is connected
    And an evaluate A of session "shop" that Chrome answers after 3s
    And an evaluate B of session "mail" that Chrome answers after 1s
    And an evaluate C of session "news" that Chrome answers after 2s
    When 4 seconds pass
    Then A, B and C are answered with their own values
    And A took 3s
    And B took 1s
    And C took 2s

  @wait:31s
  Scenario: however long
    Given Chrome is connected
    And a click A of session "shop" with the timeout 40s that Chrome never answers
    When 30 seconds pass
    And the agent sends a click B of session "mail"
    Then B is answered ok
    And B took no time
    And A has no answer yet
    When Chrome answers A
    Then A is answered ok
