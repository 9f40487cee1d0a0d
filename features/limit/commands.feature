@LIMIT-02
Feature: 128 ordinary commands per browser

  @heavy
  Scenario: the 128th is sent
    Given Chrome is connected
    And 127 evaluates that Chrome is working on
    When the agent sends a click of session "last"
    Then it is answered ok

  @heavy
  Scenario: the 129th is answered busy, at once, and is not sent
    Given Chrome is connected
    And 128 evaluates that Chrome is working on
    When the agent sends a click A of session "one more"
    Then A is answered busy, delivered "no"
    And A took no time
    When one of the evaluates is answered
    Then nothing but the evaluates has reached Chrome

  @heavy
  Scenario: an answer makes room for one
    Given Chrome is connected
    And 128 evaluates that Chrome is working on
    When one of the evaluates is answered
    And the agent sends a click A of session "last"
    Then A is answered ok

  @heavy
  Scenario: the other browser has its own 128
    Given Firefox is connected
    And a click of session "fox" that Firefox answers
    And Chrome is connected
    And 128 evaluates that Chrome is working on
    When the agent sends a click A of session "fox" naming no browser
    Then A is answered ok

  @heavy
  Scenario: what is refused with busy takes no slot
    Given Chrome is connected
    And 127 evaluates that Chrome is working on
    And 20 tabs that were answered
    When the agent sends a click of session "last"
    Then it is answered ok
