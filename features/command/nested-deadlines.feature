@CMD-16
Feature: Deadlines nest: the extension's before the daemon's

  Scenario Outline: the extension is told what is left, and not more
    Given Chrome is connected
    When the agent sends a click with the timeout <timeout>
    Then Chrome was told <timeout> for it

    Examples:
      | timeout |
      | 1s      |
      | 2500ms  |
      | 30s     |
      | 100s    |

  Scenario: of what it has asked for itself, too
    Given Chrome is connected
    When Chrome asks for a click with the timeout 2s
    Then Chrome was told 2s for it

  Scenario: the time of the body is not the command's
    Given Chrome is connected
    When a click's body comes byte by byte over 3s
    Then Chrome was told 20s for it

  @heavy
  Scenario: the time until an artifact is read is
    Given Chrome is connected
    And a screenshot A to the file "large.png" that Chrome is working on
    When 3s pass
    And Chrome answers A with a picture of 5000000 bytes
    Then A is answered ok
    And Chrome was told 17s for each part of the artifact

  # A connection that is not read is full at an exact moment in this lane alone.
  @lane:virtual
  Scenario: the time in the daemon's queue is
    Given Chrome is connected
    When Chrome stops reading
    And the agent sends a type A of 262144 bytes
    And the agent sends a click B of session "mail" with the timeout 5s
    And the agent sends a tabs C of session "news" with the timeout 100s
    And 3s pass
    And Chrome reads again
    Then B is answered ok
    And Chrome was told 2s for B
    And Chrome was told 97s for C

  @lane:virtual
  Scenario: what has a millisecond left is sent
    Given Chrome is connected
    When Chrome stops reading
    And the agent sends a type A of 262144 bytes
    And the agent sends a click B of session "mail" with the timeout 1s
    And B is 998.999999ms old
    And Chrome reads again
    Then Chrome was told 1ms for B
    And B is answered ok

  @lane:virtual
  Scenario: what has less is not
    Given Chrome is connected
    When Chrome stops reading
    And the agent sends a type A of 262144 bytes
    And the agent sends a click B of session "mail" with the timeout 1s
    And B is 999.000001ms old
    And Chrome reads again
    And B is 1.000000001s old
    Then B is answered outcome_unknown, delivered "no"
    And B took 1s
    And Chrome has received only A

  Scenario Outline: who knows more answers first
    Given Chrome is connected
    And a click A with the timeout <timeout> that Chrome works on
    When <timeout> pass
    Then A is answered outcome_unknown
    And A's error says "the extension's own deadline"
    And A took <answered>

    Examples:
      | timeout | answered |
      | 400ms   | 300ms    |
      | 1s      | 750ms    |
      | 3s      | 2750ms   |

  @wait:119s
  Scenario: however long it has
    Given Chrome is connected
    And a click A with the timeout 118s that Chrome works on
    When 118s pass
    Then A is answered outcome_unknown
    And A's error says "the extension's own deadline"
    And A took 117.75s

  Scenario: an extension that does not answer is not waited for
    Given Chrome is connected
    And a click A with the timeout 2s that Chrome never answers
    When A is 1.999999999s old
    Then A has no answer yet
    When A is 2.000000001s old
    Then A is over
    And A took 2s
