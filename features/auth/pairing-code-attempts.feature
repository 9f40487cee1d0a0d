@AUTH-09
Feature: A pairing code survives four wrong guesses

  A pairing code is valid for 5 attempts: after the fifth wrong one even the right code is refused until a new code is
  made.

  Scenario Outline: the number of wrong guesses decides
    Given a pairing code
    And <n> wrong guesses
    When the extension redeems it
    Then it is <answer>

    Examples:
      | n | answer   |
      | 4 | accepted |
      | 5 | refused  |

  Scenario: a new code has its own five attempts
    Given a pairing code
    And 5 wrong guesses
    And another pairing code
    And a wrong guess
    When the extension redeems it
    Then it is accepted

  Scenario: guesses of every extension count together
    Given a pairing code
    And 3 wrong guesses by the extension in Chrome
    And 2 wrong guesses by the extension in Firefox
    When the extension in Firefox redeems it
    Then it is refused

  @omw.v1
  Scenario: a spent code is answered like a wrong one
    Given a pairing code
    And 5 wrong guesses
    When the extension redeems it
    And a second has passed
    And the extension guesses wrong
    Then both guesses are answered alike
