@CMD-10
Feature: The maximum timeout is 120 seconds
  A longer one is refused with a clear error naming the maximum; 0, negative, fractional, text and NaN are refused too.

  @wait:122s
  Scenario: the longest, just before and just after
    Given Chrome is connected
    And a click A with the timeout_ms «120000» that Chrome never answers
    When A is 119.999999999s old
    Then A has no answer yet
    When A is 120.000000001s old
    Then A is over
    And A took 120s

  Scenario Outline: what is a timeout
    Given Chrome is connected
    When the agent sends a click with the timeout_ms «<timeout>»
    Then it is answered ok

    Examples:
      | timeout |
      | 100     |
      | 30000   |
      | 119999  |
      | 120000  |

  Scenario Outline: longer than the maximum
    Given Chrome is connected
    When the agent sends a click with the timeout_ms «<timeout>»
    Then it is refused for its timeout, or clamped to 120s
    And if it is refused nothing has reached Chrome

    Examples:
      | timeout              |
      | 120001               |
      | 121000               |
      | 9007199254740993     |
      | 9223372036854775807  |
      | 9223372036854775808  |
      | 18446744073709551617 |
      | 9223372036855        |

  Scenario Outline: what is none
    Given Chrome is connected
    When the agent sends a click with the timeout_ms «<timeout>»
    Then it is refused with 400
    And its error says "timeout"
    And nothing has reached Chrome

    Examples:
      | timeout    |
      | 0          |
      | -1         |
      | -120000    |
      | 1.5        |
      | 30000.5    |
      | "30"       |
      | "30s"      |
      | ""         |
      | null       |
      | true       |
      | [30000]    |
      | {"ms":30}  |
      | -0         |

  Scenario Outline: what is not even JSON
    Given Chrome is connected
    When the agent sends a click with the timeout_ms «<timeout>»
    Then it is refused with 400
    And nothing has reached Chrome

    Examples:
      | timeout  |
      | NaN      |
      | Infinity |
      | 030      |
      | +30000   |
      | 0x7530   |
      | 30_000   |

  @omw.v1
  Scenario Outline: the refusal names the maximum
    Given Chrome is connected
    When the agent sends a click with the timeout_ms «<timeout>»
    Then it is refused with 400 bad_request
    And its error says "120000"
    And nothing has reached Chrome

    Examples:
      | timeout |
      | 120001  |
      | 0       |
      | 1e5     |
      | 1e3     |
      | 5000.0  |
