@LIMIT-01
Feature: 288 HTTP requests are read or served at a time; the next is answered busy at once

  Scenario: the 288th is served
    Given Chrome is connected
    And 287 requests whose bodies have not come
    When the agent sends a click
    Then it is answered ok

  Scenario: the 289th is answered busy, at once, and reaches nobody
    Given Chrome is connected
    And 288 requests whose bodies have not come
    When the agent sends a click
    Then it is refused with 503 busy
    And it is told when to try again
    And it took no time
    When the requests are given up
    Then nothing has reached Chrome

  @heavy
  Scenario Outline: whatever it is that is served counts, and counts once
    Given Chrome is connected
    And 128 evaluates that Chrome is working on
    And <more> requests whose bodies have not come
    When the agent sends a tabs to Chrome
    Then it is answered busy
    And its answer has the status <status>

    Examples:
      | more | status |
      | 159  | 200    |
      | 160  | 503    |

  Scenario: a request that ends makes room for one
    Given Chrome is connected
    And 288 requests whose bodies have not come
    When one of the requests comes whole
    And the agent sends a click A
    Then A is answered ok

  Scenario: a request that is refused takes no room for longer than its refusal
    Given Chrome is connected
    And 300 requests that are refused before their bodies
    When the agent sends a click A
    Then A is answered ok

  Scenario: the extension's socket takes no room once it is open
    Given Chrome is connected
    And Firefox is connected
    And 287 requests whose bodies have not come
    When the agent sends a click A to Chrome
    Then A is answered ok

  @wait:31s
  Scenario Outline: a body has 30 seconds
    Given Chrome is connected
    And 288 requests whose bodies have not come
    When <time> pass
    Then the requests are <state>

    Examples:
      | time             | state       |
      | 29.999999999s    | still open  |
      | 30.000000001s    | cut off     |

  @wait:31s
  Scenario: what was cut off makes room
    Given Chrome is connected
    And 288 requests whose bodies have not come
    When 30.000000001s pass
    And the agent sends a click A
    Then A is answered ok

  @wait:31s
  Scenario: a body that comes slowly, and in time, is served
    Given Chrome is connected
    When a click's body comes byte by byte over 29s
    Then it is answered ok

  @wait:12s
  Scenario Outline: a header has 10 seconds
    Given Chrome is connected
    And 3 requests whose headers have not come
    When <time> pass
    Then the connections are <state>

    Examples:
      | time             | state       |
      | 9.999999999s     | still open  |
      | 10.000000001s    | closed      |

  @wait:31s @heavy
  Scenario Outline: an answer that makes no progress for 30 seconds is cut
    Given Chrome is connected
    And an evaluate A whose answer of 8388608 bytes nobody reads
    When <time> pass
    Then the agent that reads on gets <answer>

    Examples:
      | time             | answer             |
      | 29.999999999s    | the whole answer   |

  @lane:virtual @wait:31s @heavy
  Scenario: an answer that makes no progress for longer is gone, and has left its room
    Given Chrome is connected
    And an evaluate A whose answer of 8388608 bytes nobody reads
    And 287 requests whose bodies have not come
    When 30.000000001s pass
    Then the agent that reads on gets a part of the answer

  @lane:virtual @wait:300s
  Scenario: an answer that moves is not cut, however long it takes
    Given Chrome is connected
    And an evaluate A whose answer of 524288 bytes nobody reads
    When the agent reads 65536 bytes each 29s
    Then the agent that reads on gets the whole answer

  @lane:virtual
  Scenario Outline: 1,024 connections are open at a time
    Given <open> open connections
    When one more is opened
    Then the last connection is <state>

    Examples:
      | open | state      |
      | 1023 | still open |
      | 1024 | closed     |
