@ROUTE-02
Feature: A second connection from the same browser is refused with HTTP 409
  After the token is checked, and the first one goes on undisturbed.

  Scenario Outline: the first one goes on
    Given <browser> is connected
    And an evaluate A that <browser> never answers
    When <newcomer> tries to connect
    Then the newcomer is turned away with 409
    And <browser>'s connection is open
    When <browser> answers A
    Then A is answered with its own value

    Examples:
      | browser | newcomer          |
      | Chrome  | the same Chrome   |
      | Chrome  | another Chrome    |
      | Firefox | the same Firefox  |
      | Firefox | another Firefox   |

  Scenario Outline: the token comes first
    Given <browser> is connected
    When another <browser> tries to connect with <token>
    Then the newcomer is turned away with 401
    And <browser>'s connection is open

    Examples:
      | browser | token         |
      | Chrome  | a wrong token |
      | Chrome  | no token      |
      | Firefox | a wrong token |

  Scenario Outline: the other browser has its own place
    Given <first> is connected
    When another <second> tries to connect
    Then the newcomer is let in
    And <first>'s connection is open

    Examples:
      | first   | second  |
      | Chrome  | Firefox |
      | Firefox | Chrome  |

  Scenario Outline: the place is free again
    Given <browser> is connected
    When <browser> leaves by <way>
    And another <browser> tries to connect
    Then the newcomer is let in
    And the agent sends a click that <browser> answers

    Examples:
      | browser | way                       |
      | Chrome  | a close frame             |
      | Chrome  | a close frame with 1000   |
      | Chrome  | a close frame with 1001   |
      | Chrome  | the end of its connection |
      | Chrome  | a reset                   |
      | Firefox | a close frame with 1001   |
      | Firefox | a reset                   |

  Scenario: the place of who was turned away is not taken
    Given Chrome is connected
    When another Chrome tries to connect
    Then the newcomer is turned away with 409
    When Chrome leaves by the end of its connection
    And another Chrome tries to connect
    Then the newcomer is let in

  Scenario: before hello, too
    Given Chrome has opened its connection and says no hello
    When another Chrome tries to connect
    Then the newcomer is turned away with 409
    And Chrome's connection is open

  Scenario: several at once
    When 8 Chromes try to connect at once
    Then one is let in and the others are turned away with 409

  @omw.v1
  Scenario: the refusal says what is wrong
    Given Chrome is connected
    When another Chrome tries to connect
    Then the newcomer is turned away with 409 conflict
    And it is told why

  @omw.v1 @wait:46s
  Scenario Outline: a dead socket keeps nobody out
    Given <browser> is connected and falls silent
    When <browser>'s connection is 44.999999999s old
    And another <browser> tries to connect
    Then the newcomer is turned away with 409
    When <browser>'s connection is 45.000000001s old
    And another <browser> tries to connect
    Then the newcomer is let in

    Examples:
      | browser |
      | Chrome  |
      | Firefox |

  @omw.v1 @wait:91s
  Scenario Outline: a link that says something is not dead
    Given Chrome is connected and falls silent
    When Chrome's connection is 44.999999999s old
    And Chrome says <what>
    And Chrome's connection is 88s old
    And another Chrome tries to connect
    Then the newcomer is turned away with 409
    When Chrome's connection is 91s old
    And another Chrome tries to connect
    Then the newcomer is let in

    Examples:
      | what                       |
      | a ping                     |
      | a ping of RFC 6455         |
      | a frame of an unknown type |
      | the beginning of a message |

  @omw.v1
  Scenario Outline: who asks first is told
    Given <whoever>
    When <browser> asks whether its place is free
    Then it is told <status>
    When another <browser> tries to connect
    Then <what comes of it>

    Examples:
      | whoever                 | browser | status | what comes of it                    |
      | no browser is connected | Chrome  | 204    | the newcomer is let in              |
      | no browser is connected | Firefox | 204    | the newcomer is let in              |
      | Firefox is connected    | Chrome  | 204    | the newcomer is let in              |
      | Chrome is connected     | Chrome  | 409    | the newcomer is turned away with 409 |
      | Firefox is connected    | Firefox | 409    | the newcomer is turned away with 409 |
