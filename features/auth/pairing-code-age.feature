@AUTH-08 @wait:301s
Feature: A pairing code is valid for five minutes

  Scenario Outline: its age decides
    Given a pairing code that is <age> old
    When the extension redeems it
    Then it is <answer>

    Examples:
      | age              | answer   |
      | 4m 59.999999999s | accepted |
      | 5m 0.000000001s  | refused  |
