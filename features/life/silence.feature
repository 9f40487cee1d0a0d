@LIFE-02
Feature: The extension closes its socket after 45 seconds in which it received nothing

  @wait:48s
  Scenario: not before
    Given a daemon that answers no ping
    And the extension is connected
    When 44.999999999s pass
    Then the connection stands

  @wait:48s
  Scenario: and not after
    Given a daemon that answers no ping
    And the extension is connected
    When 45.000000001s pass
    Then the extension has closed the connection, 45s after it last heard the daemon

  @wait:91s
  Scenario Outline: whatever it receives counts
    Given a daemon that answers no ping
    And the extension is connected
    When 44s pass
    And the daemon sends <what>
    And 44s pass
    Then the connection stands
    When 1.000000001s pass
    Then the extension has closed the connection, 45s after it last heard the daemon

    Examples:
      | what                           |
      | a pong                         |
      | an unknown frame               |
      | a result that nobody asked for |

  @wait:51s
  Scenario: what it sends itself does not
    Given a daemon that answers no ping
    And the extension is connected
    And the session "shop" has a tab
    When 5s pass
    And the daemon sends a wait A that takes 30s with 40s left
    And 44.999999999s pass
    Then the connection stands
    And the extension has answered A with ok
    When 2ns pass
    Then the extension has closed the connection, 45s after it last heard the daemon

  @wait:48s
  Scenario: a long command does not keep it
    Given a daemon that answers no ping
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 100s with 110s left
    And 45.000000001s pass
    Then the extension has closed the connection, 45s after it last heard the daemon

  @wait:181s
  Scenario: a daemon that answers its pings is kept
    Given the extension is connected
    When 180s pass
    Then the connection stands

  @wait:48s
  Scenario: then it connects again
    Given a daemon that answers no ping
    And the extension is connected
    When 45.000000001s pass
    Then the extension has closed the connection
    When 1s pass
    Then the extension is connected again
