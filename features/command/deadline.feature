@CMD-11
Feature: A request that passes its deadline returns outcome_unknown, and its late response changes nothing

  Scenario Outline: just before and just after
    Given Chrome is connected
    And a click A with the timeout <timeout> that Chrome never answers
    When A is <before> old
    Then A has no answer yet
    When A is <after> old
    Then A is answered outcome_unknown
    And A took <timeout>

    Examples:
      | timeout | before       | after        |
      | 2s      | 1.999999999s | 2.000000001s |
      | 7s      | 6.999999999s | 7.000000001s |

  @lane:virtual
  Scenario: the shortest
    Given Chrome is connected
    And a click A with the timeout_ms «1» that Chrome never answers
    When A is 999999ns old
    Then A has no answer yet
    When A is 1000001ns old
    Then A is answered outcome_unknown

  @wait:91s
  Scenario: a long one
    Given Chrome is connected
    And a click A with the timeout 90s that Chrome never answers
    When A is 89.999999999s old
    Then A has no answer yet
    When A is 90.000000001s old
    Then A is answered outcome_unknown

  Scenario: an answer just in time
    Given Chrome is connected
    And an evaluate A with the timeout 3s that Chrome never answers
    When A is 2.999999999s old
    And Chrome answers A
    Then A is answered with its own value

  Scenario: a late response
    Given Chrome is connected
    And an evaluate A of session "shop" with the timeout 2s that Chrome never answers
    And an evaluate B of session "shop" that Chrome never answers
    When A is 2.000000001s old
    And Chrome answers A
    Then A is answered outcome_unknown
    And B has no answer yet
    And Chrome's connection is open
    When Chrome answers B
    Then B is answered with its own value

  Scenario: a late response meets a command under the same id
    Given Chrome is connected
    And an evaluate A of session "shop" with the id "r1" and the timeout 1s that Chrome never answers
    When 1.5 seconds pass
    And an evaluate B of session "shop" with the id "r1" that Chrome never answers
    And Chrome answers A
    Then B has no answer yet
    When Chrome answers B
    Then A is answered outcome_unknown
    And B is answered with its own value

  Scenario: it ran at most once, and is not run again
    Given Chrome is connected
    And a click A with the timeout 1s that Chrome answers after 700ms
    And a click B with the timeout 1s that Chrome never answers
    When 3 seconds pass
    Then Chrome has received only A and B

  @omw.v1
  Scenario: the daemon cannot know whether it ran
    Given Chrome is connected
    And a click A with the timeout 2s that Chrome never answers
    When A is 2.000000001s old
    Then A is answered outcome_unknown, delivered "unknown"
    And its answer has the status 200

  @omw.v1
  Scenario: the deadline starts at the body's last byte
    Given Chrome is connected
    And a click A with the timeout 2s, whose body takes 5s, that Chrome never answers
    When A is 1.999999999s old
    Then A has no answer yet
    When A is 2.000000001s old
    Then A is answered outcome_unknown

  @omw.v1 @lane:virtual
  Scenario: it includes the time that a command waits in the daemon
    Given Chrome is connected
    When Chrome stops reading
    And the agent sends a type W of 262144 bytes
    And the agent sends a click A of session "mail" with the timeout 2s
    And A is 1.999999999s old
    Then A has no answer yet
    When A is 2.000000001s old
    Then A is answered outcome_unknown, delivered "no"
    When Chrome reads again
    Then Chrome has received only W
