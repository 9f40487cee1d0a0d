@LIMIT-03
Feature: 16 reserved slots per browser for close_session, dialog, cdp_detach and artifact_close

  @heavy
  Scenario Outline: they are usable while the 128 are taken
    Given Chrome is connected
    And a click of session "idle" that Chrome answers
    And 128 evaluates that Chrome is working on
    When the agent sends a <action> of session "idle"
    Then Chrome has received it

    Examples:
      | action        |
      | dialog        |
      | close_session |
      | cdp_detach    |

  @heavy
  Scenario: the 16th is sent
    Given Chrome is connected
    And 15 dialogs that Chrome is working on
    When the agent sends a dialog A of session "last"
    Then Chrome has received A

  Scenario: the 17th is answered busy, at once, and is not sent
    Given Chrome is connected
    And 16 dialogs that Chrome is working on
    When the agent sends a dialog A of session "one more"
    Then A is answered busy, delivered "no"
    And A took no time

  Scenario: an ordinary command takes none of them
    Given Chrome is connected
    And 16 dialogs that Chrome is working on
    When the agent sends a click A of session "ordinary"
    Then A is answered ok

  @heavy
  Scenario: the other browser has its own 16
    Given Firefox is connected
    And a click of session "fox" that Firefox answers
    And Chrome is connected
    And 16 dialogs that Chrome is working on
    When the agent sends a dialog A of session "fox" naming no browser
    Then Firefox has received A

  @heavy
  Scenario: an answer makes room for one
    Given Chrome is connected
    And 16 dialogs that Chrome is working on
    When one of the dialogs is answered
    And the agent sends a dialog A of session "last"
    Then Chrome has received A

  Scenario: artifact_close is the daemon's own
    Given Chrome is connected
    When the agent sends the internal action artifact_close
    Then it is refused with 400 bad_request
