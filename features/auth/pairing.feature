@AUTH-07
Feature: A pairing code is redeemed for the token

  POST /pair needs an accepted extension Origin and redeems the six-digit code for the token.

  Scenario Outline: an extension redeems it
    Given a pairing code
    When the extension in <browser> redeems it
    Then it is given the daemon's token
    And the token opens <browser>'s socket

    Examples:
      | browser |
      | Chrome  |
      | Firefox |

  Scenario: who sends no Origin cannot redeem it
    Given a pairing code
    When a caller without an Origin redeems it
    Then it is turned away with 403
    When the extension redeems it
    Then it is accepted

  Scenario: guesses without an Origin leave the extension's untouched
    Given a pairing code
    When 20 wrong guesses come from a caller without an Origin
    Then every one is turned away with 403
    When the extension redeems it
    Then it is accepted

  Scenario: another code is none
    Given a pairing code
    When the extension guesses wrong
    Then it is refused

  Scenario: without a code there is nothing to redeem
    Given a daemon that has made no pairing code
    When the extension guesses wrong
    Then it is refused

  @omw.v1
  Scenario: nobody is told whether a code is open
    Given a daemon that has made no pairing code
    When the extension guesses wrong
    And a second has passed
    And a pairing code is made
    And the extension guesses wrong
    Then it is refused
    And both guesses are answered alike

  @omw.v1
  Scenario: a rotation of the token voids the open code
    Given a pairing code
    And the token was rotated
    When the extension redeems it
    Then it is refused

  Scenario: a new code takes the place of the old one
    Given a pairing code
    And another pairing code
    When the extension redeems the first code
    Then it is refused
    When a second has passed
    And the extension redeems it
    Then it is accepted
