@AUTH-20
Feature: GET /ping proves that the daemon knows the token

  GET /ping with a nonce answers a proof made with the token, so that whoever has the token can tell the daemon from a
  stranger on the port before the token is sent.

  Scenario: the proof is made with the token and the nonce
    When anybody asks for a proof with a nonce of 32 characters
    Then it is the proof that the token makes

  Scenario: an extension gets the same proof
    When the extension asks for a proof with a nonce of 32 characters
    Then it is the proof that the token makes

  Scenario: another nonce has another proof
    When anybody asks for a proof with a nonce of 32 characters
    Then it is the proof that the token makes
    When anybody asks for a proof with a nonce of 32 characters
    Then it is the proof that the token makes
    And it is not the one of before

  Scenario: after a rotation the new token makes it
    Given the token was rotated
    When anybody asks for a proof with a nonce of 32 characters
    Then it is the proof that the token makes

  Scenario: who asks for none gets none
    When anybody asks for no proof
    Then there is no proof

  Scenario Outline: a nonce has 22 to 64 characters
    When anybody asks for a proof with a nonce of <n> characters
    Then <what>

    Examples:
      | n  | what                              |
      | 21 | a proof is refused                |
      | 22 | it is the proof that the token makes |
      | 64 | it is the proof that the token makes |
      | 65 | a proof is refused                |

  Scenario Outline: they are those of base64url
    When anybody asks for a proof with a nonce that holds <what>
    Then <answer>

    Examples:
      | what           | answer                               |
      | every letter   | it is the proof that the token makes |
      | every digit, a hyphen and an underscore | it is the proof that the token makes |
      | a plus sign    | a proof is refused                   |
      | a slash        | a proof is refused                   |
      | an equals sign | a proof is refused                   |
      | a blank        | a proof is refused                   |
      | a dot          | a proof is refused                   |
      | a tilde        | a proof is refused                   |
      | a colon        | a proof is refused                   |
      | a line break   | a proof is refused                   |
      | a NUL          | a proof is refused                   |
      | an umlaut      | a proof is refused                   |
      | nothing        | a proof is refused                   |
