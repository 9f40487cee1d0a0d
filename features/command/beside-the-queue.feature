@CMD-08
Feature: close_session and dialog run outside the session queue
  So that a stuck session or an open dialog can still be cleared.

  Scenario: a dialog holds the session up
    Given Chrome is connected
    And an evaluate A of session "shop" that Chrome works on
    And an evaluate B of session "shop" that Chrome works on
    When the agent sends a dialog D of session "shop"
    Then D is answered ok
    And D took no time
    And A and B have no answer yet
    When Chrome answers A
    And Chrome answers B
    Then A and B are answered with their own values

  Scenario: close_session clears a stuck session
    Given Chrome is connected
    And a click A of session "shop" that Chrome works on
    And a click B of session "shop" that Chrome works on
    And a click C of session "shop" that Chrome works on
    When the agent sends a close_session D of session "shop"
    Then D is answered ok
    And D took no time
    And A is answered outcome_unknown
    And B and C are answered session_closed

  Scenario: the whole queue of the extension is full
    Given Chrome is connected
    And 33 clicks of session "shop" that Chrome works on
    When the agent sends a dialog D of session "shop"
    Then D is answered ok
    When the agent sends a close_session E of session "shop"
    Then E is answered ok
    And E took no time
    And all the clicks are over

  Scenario: one whose frame nobody answers
    Given Chrome is connected
    And a click A of session "shop" that Chrome never answers
    When the agent sends a dialog D of session "shop"
    Then D is answered ok
    And Chrome has received A and D in that order

  @wait:31s
  Scenario Outline: however long it has been stuck
    Given Chrome is connected
    And a click A of session "shop" with the timeout 40s that Chrome works on
    When 30 seconds pass
    And the agent sends a <action> D of session "shop"
    Then D is answered ok
    And D took no time

    Examples:
      | action        |
      | dialog        |
      | close_session |
