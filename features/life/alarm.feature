@LIFE-03
Feature: An alarm fires every 30 seconds and reconnects when the background was stopped

  @wait:36s
  Scenario Outline: whenever it was stopped
    Given the extension is connected
    When <age> pass
    And the browser stops the background
    Then the extension is connected again, 30s at most after the stop

    Examples:
      | age  |
      | 1ms  |
      | 5s   |

  @wait:130s
  Scenario: again and again
    Given the extension is connected
    When the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    When the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    When the browser stops the background
    Then the extension is connected again, 30s at most after the stop
    And the extension has come back in steps of 30s

  @wait:70s
  Scenario: also when the daemon is not there at that moment
    Given the extension is connected
    When the browser stops the background
    And the daemon becomes one that refuses everybody with 503
    And 30.2s pass
    And the daemon becomes a good one
    And 1.5s pass
    Then the extension is connected again
