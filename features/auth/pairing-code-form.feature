@AUTH-07
Feature: A pairing code has six digits

  POST /pair redeems the six-digit code: the digits, leading zeros kept, as text.

  Scenario: a code has six ASCII digits, every time
    Given 20 pairing codes are made
    Then each has six digits

  Scenario: a code that begins with 0 is redeemed as it is shown
    Given a pairing code that begins with 0
    When the extension redeems it
    Then it is accepted

  Scenario Outline: what is not the code as it is shown redeems nothing
    Given a pairing code that begins with 0
    When the extension sends <what>
    Then it is refused

    Examples:
      | what                                |
      | the code as a number                |
      | the code without its first digit    |
      | the code without its last digit     |
      | the code behind another zero           |
      | the code and another zero              |
      | the code behind a blank             |
      | the code and a blank                |
      | the code and a line break           |
      | the code with a plus sign for its zero |
      | the code in full-width digits       |
      | the code in Arabic-Indic digits     |
      | the code in a list                  |
      | the code in an object               |
      | the code in halves with a blank     |
      | nothing for a code                  |
      | an empty code                       |
      | an empty object                     |
      | an empty body                       |
      | the code without an object          |
      | the code under the name CODE        |

    @omw.v1
    Examples: what the wire's page decides
      | what                                |
      | the code twice                      |
      | the code beside an unknown name     |
      | the code, and more behind the object |

  @omw.v1
  Scenario Outline: a malformed code costs nothing
    Given a pairing code that begins with 0
    When the extension sends <what> as its code, 6 times
    Then every one is turned away with 400
    When the extension redeems it
    Then it is accepted

    Examples:
      | what                             |
      | the code as a number             |
      | the code without its first digit |
      | the code behind another zero        |
      | the code in full-width digits    |
      | an empty code                    |
      | an empty object                  |
      | an empty body                    |
