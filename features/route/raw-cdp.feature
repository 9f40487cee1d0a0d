@ROUTE-09
Feature: Raw cdp needs the Chrome extension: a clear error with Firefox alone

  Scenario: with Chrome
    Given Chrome is connected
    When the agent sends a cdp A naming no browser
    Then A is answered ok
    And Chrome has received A

  Scenario: with both, Chrome gets it
    Given Firefox is connected
    And Chrome is connected
    When the agent sends a cdp A naming no browser
    Then A is answered ok
    And Chrome has received A
    And nothing has reached Firefox

  Scenario Outline: with Firefox alone
    Given Firefox is connected
    When the agent sends a cdp <whom> with the timeout 100s
    Then it fails with a definite error, delivered "no"
    And its error says "Chrome"
    And it took no time
    And nothing has reached Firefox

    Examples:
      | whom               |
      | naming no browser  |
      | to Firefox         |
      | to Chrome          |

  @ROUTE-04
  Scenario: in a session of Firefox
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And Chrome is connected
    When the agent sends a cdp of session "shop" naming no browser with the timeout 100s
    Then it fails with a definite error, delivered "no"
    And its error says "Chrome"
    And it took no time
    And Firefox has received only A
