@LIMIT-15 @heavy
Feature: Upload bytes: 16 MiB per command, 64 MiB across commands in flight

  Scenario Outline: of one command
    Given Firefox is connected
    And the file "cv.pdf" of <bytes> bytes
    When the agent sends an upload of "cv.pdf"
    Then it is answered <answer>

    Examples:
      | bytes    | answer    |
      | 16777216 | ok        |
      | 16777217 | too_large |

  Scenario: of one command, all files together
    Given Firefox is connected
    And the file "a.pdf" of 16777216 bytes
    And the file "b.pdf" of 1 bytes
    When the agent sends an upload of "a.pdf" and "b.pdf"
    Then it is answered too_large, delivered "no"
    And nothing has reached Firefox

  Scenario: a file that is opened by its path has no such limit
    Given Chrome is connected
    And the file "cv.pdf" of 16777217 bytes
    When the agent sends an upload of "cv.pdf"
    Then it is answered ok

  Scenario Outline: across commands in flight
    Given Firefox is connected
    And the file "a.pdf" of 16777216 bytes
    And the file "b.pdf" of <bytes> bytes
    And the file "one.pdf" of 1 bytes
    And 3 uploads of "a.pdf" that Firefox is working on
    And 1 uploads of "b.pdf" that Firefox is working on
    When the agent sends an upload of "one.pdf"
    Then it is answered <answer>

    Examples:
      | bytes    | answer |
      | 16777215 | ok     |
      | 16777216 | busy   |

  Scenario: an answer makes room
    Given Firefox is connected
    And the file "a.pdf" of 16777216 bytes
    And 4 uploads of "a.pdf" that Firefox is working on
    When one of the uploads is answered
    And the agent sends an upload of "a.pdf"
    Then it is answered ok
