@CMD-12
Feature: A client never sends an uncertain command again by itself

  Nobody knows whether it ran. Who sends it again may order twice.

  Scenario Outline: the daemon says outcome_unknown
    Given a client of a daemon
    And the daemon answers every <action> with outcome_unknown
    When the client is asked for a <action>
    And the client says what came of it
    And the client is asked for a snapshot
    And the client says what came of it
    Then the daemon has received the <action> once

    Examples:
      | action   |
      | click    |
      | type     |
      | navigate |
      | press    |
      | evaluate |

  Scenario Outline: no answer comes
    Given a client of a daemon
    And the daemon closes the connection of every <action>
    When the client is asked for a <action>
    And the client says what came of it
    And the client is asked for a snapshot
    And the client says what came of it
    Then the daemon has received the <action> once

    Examples:
      | action   |
      | click    |
      | type     |
      | navigate |

  Scenario: not later either
    Given a client of a daemon
    And the daemon answers every click with outcome_unknown
    When the client is asked for a click
    And the client says what came of it
    And 5s pass
    And the client is asked for a snapshot
    And the client says what came of it
    Then the daemon has received the click once
    And its traffic keeps the rule
