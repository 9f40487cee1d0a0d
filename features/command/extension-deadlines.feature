@CMD-16 @role:extension
Feature: The extension's own deadline ends before the daemon's

  Scenario Outline: what takes too long is answered in time to be heard
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 60s with <left> left
    And <left> pass
    Then the extension has answered A with outcome_unknown, <answered> after it was sent

    Examples:
      | left  | answered |
      | 400ms | 300ms    |
      | 1s    | 750ms    |
      | 3s    | 2750ms   |
      | 9s    | 8750ms   |

  @wait:119s
  Scenario: however long it has
    Given a daemon that answers no ping
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 119s with 118s left
    And the daemon sends a pong every 10s for 110s
    And 8s pass
    Then the extension has answered A with outcome_unknown, 117.75s after it was sent

  # A millisecond is exact in this lane alone.
  @lane:virtual
  Scenario Outline: it has all the time up to then
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes <long> with 4s left
    And 4s pass
    Then the extension has answered A with <outcome>, <after> after it was sent

    Examples:
      | long   | outcome         | after  |
      | 3749ms | ok              | 3749ms |
      | 3751ms | outcome_unknown | 3750ms |

  Scenario: what has waited until then is never started
    Given the extension is connected
    And the session "shop" has a tab T
    When the daemon sends a wait A that takes 5s with 10s left
    And the daemon sends a navigate B with 4s left with the args {"url":"about:blank","new_tab":true}
    And 4s pass
    Then the extension has answered B with outcome_unknown, 3750ms after it was sent
    When 2s pass
    Then the extension has answered A with ok
    And the session "shop" has the tab of T
    And each command was answered once

  Scenario: what has waited and has time left is started
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 3s with 10s left
    And the daemon sends an evaluate B with 4s left
    And 3.000000001s pass
    Then the extension has answered B with ok, 3s after A was sent

  Scenario: its place is free then
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends an evaluate B with 1s left
    And the daemon sends evaluates C1 to C31
    And 1s pass
    And the daemon sends evaluates D1 to D2
    Then the extension has answered B with outcome_unknown
    And the extension has answered D2 with busy
    And the extension has not answered C1 to C31 and D1

  Scenario: the next one is not kept by it
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 60s with 2s left
    And the daemon sends an evaluate B with 8s left
    And 2s pass
    Then the extension has answered A with outcome_unknown
    And the extension has answered B with ok, 1750ms after A was sent
