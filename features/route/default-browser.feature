@ROUTE-08
Feature: A session without a binding goes to Chrome when it is connected, and to Firefox otherwise

  Scenario: Chrome alone
    Given Chrome is connected
    When the agent sends a click naming no browser
    Then it is answered ok

  Scenario: Firefox alone
    Given Firefox is connected
    When the agent sends a click naming no browser
    Then it is answered ok

  Scenario Outline: both, whoever came first
    Given <first> is connected
    And <second> is connected
    When the agent sends a click A naming no browser
    Then Chrome has received A
    And nothing has reached Firefox

    Examples:
      | first   | second  |
      | Chrome  | Firefox |
      | Firefox | Chrome  |

  Scenario: Chrome was there and is gone
    Given Chrome and Firefox are connected
    When Chrome leaves by the end of its connection
    And the agent sends a click A naming no browser
    Then Firefox has received A

  Scenario: another session is bound to Firefox
    Given Firefox is connected
    And a click of session "mail" that Firefox answers
    And Chrome is connected
    When the agent sends a click A of session "shop" naming no browser
    Then Chrome has received A
