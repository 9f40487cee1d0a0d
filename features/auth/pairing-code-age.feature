@AUTH-08 @wait:301s
Feature: A pairing code is valid for five minutes

  A pairing code is valid for 5 minutes: redeemed at 4:59, refused at 5:01.

  Scenario Outline: its age decides
    Given a pairing code that is <age> old
    When the extension redeems it
    Then it is <answer>

    Examples:
      | age              | answer   |
      | 0s               | accepted |
      | 4m 59.999999999s | accepted |
      | 5m 0.000000001s  | refused  |

  Scenario: the five minutes of a new code are its own
    Given a pairing code that is 3m old
    And another pairing code that is 2m 0.000000001s old
    When the extension redeems it
    Then it is accepted

  @omw.v1 @wait:303s
  Scenario: one that is too old is answered like a wrong one
    Given a pairing code that is 5m 0.000000001s old
    When the extension redeems it
    And a second has passed
    And the extension guesses wrong
    Then both guesses are answered alike
