@LIFE-04
Feature: Retries back off from 0.5 seconds to 30 seconds with jitter

  @wait:140s
  Scenario Outline: after whatever went wrong
    Given a daemon that <does>
    And the extension is started
    When the extension has tried 9 times
    Then its tries keep to the back-off

    Examples:
      | does                                      |
      | resets every connection                   |
      | refuses everybody with 401                |
      | refuses everybody with 503                |
      | refuses the socket alone with 403         |
      | cuts every upgrade                        |
      | closes with 1001 before it welcomes       |

  @wait:140s @omw.v1
  Scenario Outline: a place that is taken is no reason to hurry
    Given a daemon that <does>
    And the extension is started
    When the extension has tried 9 times
    Then its tries keep to the back-off

    Examples:
      | does                               |
      | refuses everybody with 409         |
      | refuses the socket alone with 409  |

  @wait:260s
  Scenario: the delays at the cap differ
    Given a daemon that refuses everybody with 409
    And the extension is started
    When the extension has tried 12 times
    Then its tries keep to the back-off
    And the long delays of its tries differ

  # So many tries take a quarter of an hour by the wall.
  @heavy @lane:virtual @wait:1500s
  Scenario: they fill all that they may
    Given a daemon that refuses everybody with 409
    And the extension is started
    When the extension has tried 60 times
    Then its tries keep to the back-off
    And the long delays of its tries differ, and fill what they may

  @wait:30s
  Scenario: a welcome starts it again
    Given a daemon that refuses everybody with 503
    And the extension is started
    When the extension has tried 5 times
    And the daemon becomes a good one
    And 8.1s pass
    Then the connection stands
    When the daemon drops the connection
    Then the extension tries again 500ms after the end

  Scenario Outline: whatever ended the connection
    Given the extension is connected
    When the daemon <ends> the connection
    Then the extension tries again 500ms after the end

    Examples:
      | ends   |
      | drops  |
      | resets |

  Scenario: or a close frame
    Given the extension is connected
    When the daemon closes the connection with 1001
    Then the extension tries again 500ms after the end

  @wait:30s
  Scenario: an opened socket alone does not
    Given a daemon that closes with 1001 before it welcomes
    And the extension is started
    When the extension has tried 6 times
    Then its tries keep to the back-off
