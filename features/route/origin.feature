@ROUTE-01
Feature: At most one Chrome and one Firefox connection are held
  The WebSocket Origin tells them apart, whatever hello claims.

  Scenario: one of each
    Given Firefox is connected
    And a click B of session "mail" that Firefox answers
    And Chrome is connected
    And a click A of session "shop" to Chrome that Chrome answers
    Then Chrome has received only A
    And Firefox has received only B

  @omw.v1
  Scenario Outline: hello claims something else
    Given <browser> has opened its connection and says no hello
    When <browser> says hello as "<claim>"
    Then <browser>'s connection is closed with 1008

    Examples:
      | browser | claim    |
      | Chrome  | firefox  |
      | Firefox | chrome   |
      | Chrome  | Chrome   |
      | Firefox | safari   |
      | Chrome  |          |

  Scenario Outline: no command goes to who claims something else
    Given <browser> has opened its connection and says no hello
    When <browser> says hello as "<claim>"
    And the agent sends a click to <other>
    And the agent sends a click to <browser>
    Then <browser> has received no command

    Examples:
      | browser | claim   | other   |
      | Chrome  | firefox | Firefox |
      | Firefox | chrome  | Chrome  |

  @omw.v1
  Scenario Outline: a second hello
    Given Chrome is connected
    When Chrome says hello as "<claim>"
    Then Chrome's connection is closed with 1008

    Examples:
      | claim   |
      | chrome  |
      | firefox |

  @omw.v1
  Scenario: a hello just in time
    Given Chrome has opened its connection and says no hello
    When Chrome's connection is 9.999999999s old
    Then Chrome's connection is open
    When Chrome says hello as "chrome"
    Then Chrome is welcomed

  @omw.v1 @wait:11s
  Scenario: no hello in time
    Given Chrome has opened its connection and says no hello
    When Chrome's connection is 10.000000001s old
    Then Chrome's connection is closed with 1008

  @omw.v1 @wait:11s
  Scenario: a hello is asked for once
    Given Chrome is connected
    When Chrome's connection is 10.000000001s old
    Then Chrome's connection is open

  @omw.v1
  Scenario Outline: something else before hello
    Given Chrome has opened its connection and says no hello
    When Chrome says <what>
    Then Chrome's connection is closed with 1008
    And the reason is told

    Examples:
      | what                            |
      | a ping                          |
      | an answer to nothing            |
      | a request                       |
      | an event                        |
      | a frame of an unknown type      |
      | a frame without a type          |
      | a frame whose type is a number  |
      | an array                        |
      | a text that is no JSON          |
      | two frames in one message       |
      | an empty message                |
      | a hello without a browser       |

  @omw.v1
  Scenario Outline: nonsense behind hello
    Given Chrome and Firefox are connected
    When Chrome says <what>
    Then Chrome's connection is closed with 1008
    And the reason is told
    And Firefox's connection is open

    Examples:
      | what                           |
      | a frame without a type         |
      | a frame whose type is a number |
      | an array                       |
      | a text that is no JSON         |
      | two frames in one message      |
      | an empty message               |

  @omw.v1
  Scenario Outline: what a newer extension may say
    Given Chrome is connected
    When Chrome says <what>
    Then Chrome's connection is open
    And the agent sends a click that Chrome answers

    Examples:
      | what                                |
      | a frame of an unknown type          |
      | an event of an unknown name         |
      | a ping with an unknown field        |
