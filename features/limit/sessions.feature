@LIMIT-05 @heavy
Feature: 128 sessions per browser

  Scenario: the 128th session begins
    Given Chrome is connected
    And 127 sessions in Chrome
    When the agent sends a click of session "last"
    Then it is answered ok

  Scenario: a command that would begin the 129th is answered busy, and the 128 go on
    Given Chrome is connected
    And 128 sessions in Chrome
    When the agent sends a click A of session "one more"
    Then A is answered busy, delivered "no"
    When the agent sends a click B of session "s-0"
    Then B is answered ok

  Scenario: a session that is closed makes room for one
    Given Chrome is connected
    And 128 sessions in Chrome
    When the agent sends a close_session A of session "s-0"
    And the agent sends a click B of session "last"
    Then B is answered ok

  Scenario: the other browser has its own 128
    Given Firefox is connected
    And 128 sessions in Firefox
    And Chrome is connected
    When the agent sends a click A of session "new" to Chrome
    Then A is answered ok

  Scenario: what begins no session is answered
    Given Chrome is connected
    And 128 sessions in Chrome
    When the agent sends a tabs A of session "nobody"
    Then A is answered ok
