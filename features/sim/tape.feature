@KIT-08
Feature: A scenario is one text file, a tape

  # Only the tape says when: what the daemon hears is its doing.
  Scenario: a tape is played, at its times
    Given the daemon will send an evaluate A after 1s
    When the simulator plays the tape
      """
      # A browser that takes its time
      use omw.v1
      chrome join sessions=shop
      chrome expect a1 action=evaluate at=1s
      chrome started a1
      +7s
      chrome reply a1 data={"value":1000}
      chrome close 4321 reason="going away"  # with a reason
      """
    Then everything was as the tape says
    And the extension has answered A with ok, 7s after it was sent
    And A has its own value
    And the tape is the same when it was written and read again

  @wait:42s
  Scenario: an answer is late
    Given the daemon will send an evaluate A with 1m left after 1s
    When the simulator plays the tape
      """
      use omw.v1
      chrome join
      chrome expect a1
      chrome late a1 data={"value":1} after=40s
      +41s
      """
    Then everything was as the tape says
    And the extension has answered A with ok, 40s after it was sent

  Scenario Outline: a tape has faults
    Given the daemon will send an evaluate A with 6s left after 1s
    When the simulator plays the tape
      """
      use omw.v1
      chrome join
      chrome expect a1 action=evaluate session=shop
      chrome <line>
      +8s
      """
    Then everything was as the tape says
    And A was answered <times>

    Examples:
      | line                                 | times      |
      | reply a1 ok                          | once       |
      | mute a1                              | not at all |
      | hold                                 | once       |
      | oversize a1 bytes=1000               | once       |
      | stall                                | not at all |

  Scenario Outline: a tape ends a connection
    When the simulator plays the tape
      """
      use omw.v1
      chrome join
      chrome <line>
      """
    Then everything was as the tape says
    And the connection has ended <how>

    Examples:
      | line       | how                             |
      | drop fin   | without a close frame           |
      | drop rst   | by a reset                      |
      | close 4321 | by a close frame with 4321      |
      | close 0    | by a close frame without a code |
      | suspend    | by a close frame with 1001      |

  Scenario: an answer is sent again
    Given the daemon will send an evaluate A after 1s
    When the simulator plays the tape
      """
      use omw.v1
      chrome join
      chrome expect a1
      chrome reply a1 data={"value":2}
      chrome replay a1
      """
    Then everything was as the tape says
    And A was answered twice

  # The edge is in what is expected, on both sides of what happens.
  @lane:virtual
  Scenario Outline: what is not as the tape says is told with its line
    Given the daemon will send an evaluate A after 2s
    When the simulator plays the tape
      """
      use omw.v1
      chrome join
      chrome expect a1 <what>
      chrome reply a1 data={"value":2}
      """
    Then line 3 of the tape was not as it says
    And A was answered not at all

    Examples:
      | what                |
      | at=1.999999999s     |
      | at=2.000000001s     |
      | within=1.999999999s |
      | action=click        |
      | session=mail        |
      | args={"code":"1"}   |

  Scenario Outline: what is no tape is refused for its line
    When the simulator plays the tape
      """
      # It is not played.
      use omw.v1
      chrome join
      <line>
      """
    Then line 4 of the tape has a fault

    Examples:
      | line                     |
      | chrome jion              |
      | chrom join               |
      | +soon                    |
      | chrome reply a1 ok       |
      | chrome frame left.json   |
      | chrome drop softly       |

  @wait:20s
  Scenario: what was recorded of a browser is played
    Given a recorder stands before the daemon
    And the extension is connected
    When 1s passes
    Given the session "shop" has a tab
    When 7s pass
    And the daemon sends a click A with the args {"selector":"#nowhere"}
    And 2s pass
    And the daemon sends an evaluate B
    Then A was answered once
    And B was answered once
    And the recorded tape says "What happened"
    And the recorded tape says "expect c2 action=click session=shop"
    When the simulator plays the recorded tape
    Then everything was as the tape says
    And the daemon has heard the same answers again

  # Both come again in what the browser says.
  Scenario: a recorded tape holds no secret
    Given a recorder stands before the daemon
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a type A with the args {"selector":"#name","text":"hunter2 of mine"}
    And the daemon sends an evaluate B whose value is "hunter2 of mine"
    And the daemon sends an evaluate C whose value is "not a secret"
    And the daemon sends an evaluate D whose value is the token
    Then the extension has answered B, C and D with ok
    And the recorded tape says "not a secret"
    And the recorded tape does not say "hunter2"
    And the recorded tape does not say the token
