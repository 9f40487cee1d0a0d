@AUTH-10
Feature: A pairing code is redeemed once

  A pairing code is redeemed once; a second redemption is refused.

  Scenario Outline: the second time it is refused
    Given a pairing code
    And the extension in Chrome has redeemed it
    When the extension in <browser> redeems it
    Then it is refused

    Examples:
      | browser |
      | Chrome  |
      | Firefox |

  Scenario: of four that redeem it at once, one is given the token
    Given a pairing code
    When 4 extensions redeem it at once
    Then one alone is accepted

  Scenario: a new code is redeemed again
    Given a pairing code
    And the extension in Chrome has redeemed it
    And another pairing code
    When the extension in Firefox redeems it
    Then it is accepted

  @omw.v1
  Scenario: a redeemed code is answered like a wrong one
    Given a pairing code
    And the extension in Chrome has redeemed it
    When the extension redeems it
    And a second has passed
    And the extension guesses wrong
    Then both guesses are answered alike
