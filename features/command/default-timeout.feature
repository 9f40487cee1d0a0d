@CMD-09 @wait:32s
Feature: The default timeout is 30 seconds

  Scenario: just before and just after
    Given Chrome is connected
    And a click A without a timeout that Chrome never answers
    When A is 29.999999999s old
    Then A has no answer yet
    When A is 30.000000001s old
    Then A is over
    And A took 30s

  Scenario: an answer just in time
    Given Chrome is connected
    And an evaluate A without a timeout that Chrome never answers
    When A is 29.999999999s old
    And Chrome answers A
    Then A is answered with its own value

  Scenario: for what the extension asks, too
    Given Chrome is connected
    When Chrome asks for an evaluate A without a timeout, which Chrome never answers
    And A is 29.999999999s old
    Then A has no answer yet
    When A is 30.000000001s old
    Then A is over
    And A took 30s
