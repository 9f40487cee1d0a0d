@LIMIT-08 @heavy
Feature: 64 MiB of result payload are held until their answers are written

  # The bytes of data that callers do not read: 30 MiB, 30 MiB, and the rest.
  Scenario Outline: what passes 64 MiB ends with outcome_unknown
    Given Chrome is connected
    And evaluates A, B and C of sessions of their own that Chrome works on, whose answers nobody reads
    When Chrome answers A with 31457280 bytes of data
    And Chrome answers B with 31457280 bytes of data
    And Chrome answers C with <bytes> bytes of data
    Then the agent that reads C gets <answer>
    And the agent that reads A gets the whole answer
    And the agent that reads B gets the whole answer

    Examples:
      | bytes   | answer           |
      | 4194304 | the whole answer |
      | 4194305 | outcome_unknown  |

  Scenario: both browsers are counted together
    Given Chrome is connected
    And Firefox is connected
    And evaluates A and B of sessions of their own that Chrome works on, whose answers nobody reads
    And evaluates C of sessions of their own that Firefox works on, whose answers nobody reads
    When Chrome answers A with 31457280 bytes of data
    And Chrome answers B with 31457280 bytes of data
    # What comes behind them on the same connection shows that they are there.
    And the agent sends a tabs D to Chrome
    Then D is answered ok
    When Firefox answers C with 4194305 bytes of data
    Then the agent that reads C gets outcome_unknown

  Scenario: an answer that was read makes room
    Given Chrome is connected
    And evaluates A, B and C of sessions of their own that Chrome works on, whose answers nobody reads
    When Chrome answers A with 31457280 bytes of data
    And Chrome answers B with 31457280 bytes of data
    And the agent that reads A gets the whole answer
    And Chrome answers C with 31457280 bytes of data
    Then the agent that reads C gets the whole answer

  Scenario: an answer whose caller is gone makes room
    Given Chrome is connected
    And evaluates A, B and C of sessions of their own that Chrome works on, whose answers nobody reads
    When Chrome answers A with 31457280 bytes of data
    And Chrome answers B with 31457280 bytes of data
    And the agent of A is gone
    And Chrome answers C with 31457280 bytes of data
    Then the agent that reads C gets the whole answer
