@AUTH-06
Feature: GET /ping tells the version and nothing else

  GET /ping answers the daemon's version without a token and tells nothing else about the machine.

  Scenario: it needs no token
    When anybody asks for GET /ping
    Then it tells a version

  Scenario: it needs no token of an extension either
    When the extension without the token asks for GET /ping
    Then it tells a version

  Scenario: it tells nothing that only the machine knows
    When anybody asks for GET /ping
    Then it tells nothing of this machine

  Scenario Outline: it tells the same whatever happens
    Given anybody asks for GET /ping
    And <something happens>
    When anybody asks for GET /ping
    Then both answers tell the same

    Examples:
      | something happens           |
      | Chrome is connected         |
      | Firefox is connected        |
      | a pairing code is made      |
      | the extension guesses wrong |
      | 9s have passed              |

  @omw.v1
  Scenario: its fields are these
    When anybody asks for GET /ping
    Then it tells these fields alone
      | field    | value  |
      | name     | omw    |
      | version  |        |
      | protocol | omw.v1 |

  @omw.v1
  Scenario: its version is the one that a browser is welcomed with
    Given Chrome is connected
    When anybody asks for GET /ping
    Then it tells the version of Chrome's welcome
