@AUTH-20 @role:client
Feature: A client sends the token to nobody who has not shown that he knows it

  Scenario Outline: a stranger on the port learns nothing
    Given a client of a stranger that shows <what>
    When the client is asked for a click
    And the client says what came of it
    Then the stranger has not been sent the token
    And the client says error

    Examples:
      | what                            |
      | no proof                        |
      | a proof made with another token |

  Scenario: a daemon shows it before the first command
    Given a client of a daemon
    When the client is asked for a navigate, a snapshot, a click and a type
    Then the daemon has received each of them once
    And its traffic keeps the rule
