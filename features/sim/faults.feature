@KIT-07
Feature: The simulator has faults on demand

  @wait:61s
  Scenario: it never replies
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "never"
    When the daemon sends a click A with 30s left with the args {"ref":"e1"}
    And 60s pass
    And the daemon sends an evaluate B
    Then the extension has answered B with ok
    And A was answered not at all
    And the connection stands

  @wait:31s
  Scenario: it replies late, whatever the deadline
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "late by 25s"
    When the daemon sends a click A with 5s left with the args {"ref":"e1"}
    And the daemon sends an evaluate B
    Then the extension has answered B with ok
    When 24.999999999s pass
    Then A was answered not at all
    When 2ns pass
    Then A was answered once

  Scenario: it replies twice
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "twice"
    When the daemon sends a click A with the args {"ref":"e1"}
    And the daemon sends an evaluate B
    Then A was answered twice
    And B was answered once

  Scenario: a fault is for so many
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to the first 2 clicks fail by "twice"
    When the daemon sends clicks A1 to A3 with the args {"ref":"e1"}
    Then A1 was answered twice
    And A2 was answered twice
    And A3 was answered once

  Scenario: it replies on the wrong connection
    Given the extension is connected
    And the session "shop" has a tab
    And another browser is connected, too
    And its answers to clicks go to the other browser's connection
    When the daemon sends a click A to the browser under test
    Then A was answered on the other browser's connection alone

  Scenario: it replies out of order
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "out of order"
    When the daemon sends a click A1 with the args {"ref":"e1"}
    Then A1 was answered not at all
    When the daemon sends a click A2 with the args {"ref":"e1"}
    And the daemon sends a click A3 with the args {"ref":"e1"}
    And the daemon sends a click A4 with the args {"ref":"e1"}
    Then the extension has answered A2, A1, A4 and A3 in that order

  Scenario Outline: it is cut
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "<fault>"
    When the daemon sends a click A with the args {"ref":"e1"}
    Then the connection has ended <how>
    And A was answered not at all

    Examples:
      | fault                         | how                   |
      | cut before reading            | without a close frame |
      | cut before reading, by a reset | by a reset           |
      | cut after reading             | without a close frame |
      | cut after reading, by a reset | by a reset            |
      | reset                         | by a reset            |

  # Cut before reading has no effect in the browser, cut after it has.
  Scenario Outline: before it was read or after
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to close_tabs fail by "<fault>"
    When the daemon sends a close_tab A
    Then the connection has ended without a close frame
    When 1s pass
    Then the extension is connected again
    And the session "shop" has <left> tabs

    Examples:
      | fault              | left |
      | cut before reading | 1    |
      | cut after reading  | 0    |

  # How long a write takes is exact in this lane alone.
  @lane:virtual
  Scenario Outline: its answer comes in pieces
    Given the extension is connected
    And the session "shop" has a tab
    And each of its writes takes 10ms
    And its answers to clicks fail by "pieces of <n>"
    When the daemon sends a click A with the args {"ref":"e1"}
    And 2s pass
    Then A was answered once
    And the answer of A came in pieces of <n>, 10ms each

    Examples:
      | n  |
      | 1  |
      | 7  |
      | 64 |

  @wait:51s
  Scenario: it stalls with its socket open
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "stall"
    When the daemon sends a click A with the args {"ref":"e1"}
    And the daemon sends an evaluate B
    And 50s pass
    Then A was answered not at all
    And B was answered not at all
    And the connection stands
    And the extension has sent no ping

  Scenario Outline: it says what is wrong
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "<fault>"
    When the daemon sends a click A with the args {"ref":"e1"}
    Then the extension has said what is <what>
    And the connection stands

    Examples:
      | fault                 | what                               |
      | garbage               | no JSON                            |
      | another id            | a result that nobody asked for     |
      | no result             | no result that keeps to its schema |
      | a result and an error | no result that keeps to its schema |
      | an error that is none | no result that keeps to its schema |

  @heavy
  Scenario Outline: its answer has as many bytes as it is told
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "a message of <n>"
    When the daemon sends a click A with the args {"ref":"e1"}
    Then the answer of A has <n> bytes

    Examples:
      | n        |
      | 1000     |
      | 33554432 |
      | 33554433 |

  Scenario Outline: it closes with any code
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "close code <code>"
    When the daemon sends a click A with the args {"ref":"e1"}
    Then the connection has ended <how>
    And A was answered not at all

    Examples:
      | code | how                             |
      | 1000 | by a close frame with 1000      |
      | 1001 | by a close frame with 1001      |
      | 1006 | by a close frame with 1006      |
      | 1011 | by a close frame with 1011      |
      | 2999 | by a close frame with 2999      |
      | 3000 | by a close frame with 3000      |
      | 4999 | by a close frame with 4999      |
      | 5000 | by a close frame with 5000      |
      | 0    | by a close frame without a code |

  Scenario: it is busy without having been asked too much
    Given the extension is connected
    And the session "shop" has a tab
    And its answers to clicks fail by "busy"
    When the daemon sends a click A with the args {"ref":"e1"}
    And the daemon sends an evaluate B
    Then the extension has answered A with busy
    And the extension has answered B with ok
