@AUTH-02
Feature: A wrong token is no better than none

  A wrong, empty, truncated, lengthened or differently cased token is refused exactly like a missing one.

  Scenario Outline: another token gets the answer that no token gets
    Given Chrome is connected
    When callers present <token>
    Then each gets the very answer that it gets without a token
    And no browser was asked for anything

    Examples:
      | token                                       |
      | an empty token                              |
      | another token of the same length            |
      | the token without its first character       |
      | the token without its last character        |
      | the first half of the token                 |
      | the token and one character more            |
      | the token behind one character more         |
      | the token twice                             |
      | the token with the case of one letter changed |
      | the token in capitals                       |
      | the token in small letters                  |
      | the token with its last character changed   |
      | the token with its first character changed  |
      | the token padded with =                     |
      | the token in quotes                         |

  Scenario Outline: the token in another dress gets the answer that no token gets
    Given Chrome is connected
    When programs present <header>
    Then each gets the very answer that it gets without a token
    And no browser was asked for anything

    Examples:
      | header                                        |
      | the token without a scheme                    |
      | the scheme without a token                    |
      | the token under the scheme Basic              |
      | the token under the scheme Token              |
      | the token glued to the scheme                 |
      | the token behind a colon                      |
      | the token and another one behind a comma      |
      | another token and the token behind a comma    |
      | the token in a cookie                         |
      | the token in a header of its own              |
      | the token for a proxy                         |

    @omw.v1
    Examples: what the wire's page decides
      | header                                        |
      | the token behind two blanks                   |
      | the token behind a tab                        |
      | the token, then another one in a second line  |
      | another token, then the token in a second line |
      | the token in two lines                        |

  @omw.v1
  Scenario Outline: the scheme is matched without case
    When programs present <header>
    Then every one is let in

    Examples:
      | header                         |
      | the token under the scheme Bearer |
      | the token under the scheme bearer |
      | the token under the scheme BEARER |
      | the token under the scheme bEaReR |

  @omw.v1
  Scenario: a rotated token is a wrong one
    Given the token was rotated
    When callers present the token of before
    Then each gets the very answer that it gets without a token
    When callers present the token
    Then every one is let in

  @observer:source
  Scenario: the comparison takes constant time
    When the daemon's source is read
    Then it compares the token in constant time and in no other way
