@AUTH-21
Feature: Pairing can be neither guessed nor starved

  One well-formed guess a second, a body of 1 KiB within 5 s, 4 at a time, attempts spent before comparison under one
  lock; omw pair shows the Origin of each attempt.

  Scenario Outline: a second lies between two guesses
    Given a pairing code
    When the extension guesses wrong
    And redeems it <later>
    Then it is <answer>

    Examples:
      | later               | answer               |
      | 0.999999999s later  | put off              |
      | 1.000000001s later  | accepted             |

  Scenario: a guess that comes too soon is not compared and costs nothing
    Given a pairing code
    When the extension guesses wrong
    And redeems it 6 times at once
    Then every one is put off
    When a second has passed
    And the extension redeems it
    Then it is accepted

  Scenario: guesses that come too soon put off nobody else
    Given a pairing code
    When the extension guesses wrong
    And guesses wrong again 0.6s later
    And redeems it 0.6s later
    Then it is accepted

  Scenario: a second lies between the guesses of all extensions together
    Given a pairing code
    When the extension in Firefox guesses wrong
    And the extension in Chrome redeems it
    Then it is put off

  Scenario: of four guesses at once, one is compared
    Given a pairing code
    When 4 extensions guess wrong at once
    Then one alone is refused and the others are put off

  Scenario Outline: its body has 1,024 bytes at most
    Given a pairing code
    When the extension redeems it in a body of <size> bytes, <how>
    Then it is <answer>

    Examples:
      | size | how       | answer              |
      | 1024 | in one    | accepted            |
      | 1025 | in one    | refused as too large |
      | 1024 | in chunks | accepted            |
      | 1025 | in chunks | refused as too large |

  Scenario Outline: its body arrives within five seconds
    Given a pairing code
    When the extension redeems it and its body takes <time>
    Then it is <answer>

    Examples:
      | time         | answer             |
      | 4.999999999s | accepted           |
      | 5.000000001s | refused as too slow |

  Scenario: a body that never ends is given up after five seconds
    Given a pairing code
    When the extension redeems it and its body never ends
    Then it is refused as too slow after 5s

  Scenario Outline: four are served at a time
    Given a pairing code
    And <n> pairings are under way
    When the extension redeems it
    Then it is <answer>

    Examples:
      | n | answer   |
      | 3 | accepted |
      | 4 | put off  |

  Scenario: one that has ended makes room
    Given a pairing code
    And 4 pairings are under way
    When one of them ends
    And the extension redeems it
    Then it is accepted

  Scenario: one that is gone makes room
    Given a pairing code
    And 4 pairings are under way
    When one of them hangs up
    And the extension redeems it
    Then it is accepted

  Scenario: four that never end keep nobody out for longer than five seconds
    Given a pairing code
    And 4 pairings are under way
    When 5.000000001s have passed
    And the extension redeems it
    Then it is accepted

  Scenario: the person sees where each guess came from
    Given a pairing code
    When the extension in Firefox guesses wrong
    And the extension in Chrome redeems it
    And a second has passed
    And the extension in Chrome redeems it
    Then the attempts that omw pair shows are
      | browser | outcome  |
      | Firefox | wrong    |
      | Chrome  | too_soon |
      | Chrome  | redeemed |
