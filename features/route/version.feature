@ROUTE-10
Feature: /json/version reports the version also with no browser connected

  Scenario Outline: whoever is connected
    Given <whoever>
    When the agent asks for "<path>"
    Then the version is reported

    Examples:
      | whoever                          | path           |
      | no browser is connected          | /json/version  |
      | no browser is connected          | /json/version/ |
      | Firefox is connected             | /json/version  |
      | Chrome is connected              | /json/version  |
      | Chrome and Firefox are connected | /json/version  |

  Scenario: the last browser has left
    Given Chrome is connected
    When Chrome leaves by the end of its connection
    And the agent asks for "/json/version"
    Then the version is reported
