@AUTH-18
Feature: The token and the pairing codes are told to nobody

  The token never appears in a log line, an error, a URL, a report or a recorded transcript.

  @heavy
  Scenario: wherever they are sent, the log repeats none
    Given a daemon that logs whatever it can
    And Chrome is connected
    And a pairing code that begins with 0
    When the token and the code are sent in every place that a request has
    Then the log repeats none of them

  Scenario: wherever they are sent on its socket, the log repeats none
    Given a daemon that logs whatever it can
    And Chrome is connected
    When the token is sent in every place that a frame has
    Then the log repeats none of them

  Scenario: what is almost the token is not logged either
    Given a daemon that logs whatever it can
    When callers present the token and one character more
    And callers present the token without its last character
    And callers present the token with the case of one letter changed
    Then the log repeats none of them

  Scenario: pairing tells neither to others
    Given a daemon that logs whatever it can
    And a pairing code that begins with 0
    When the extension guesses wrong
    And a second has passed
    And the extension redeems it
    And the daemon is asked for all that it tells
    Then no answer repeats one of them
    And the log repeats none of them

  @omw.v1
  Scenario: neither the old nor the new one is told when it is rotated
    Given a daemon that logs whatever it can
    And Chrome is connected
    When the token is rotated
    And the daemon is asked for all that it tells
    Then no answer repeats one of them
    And the log repeats none of them

  Scenario: a start and an end tell nothing
    Given a daemon that logs whatever it can
    When the daemon is stopped and started again
    And the daemon is stopped
    Then the log repeats none of them

  @omw.v1
  Scenario: a config.json that cannot be used is not told
    Given a daemon has run on its config directory
    When config.json holds its token and more behind it and the daemon starts again
    Then it refuses to start
    And what it says repeats none of them

  @observer:files
  Scenario: config.json alone holds the token
    Given a daemon that logs whatever it can
    And Chrome is connected
    And a pairing code that begins with 0
    When a command of session "shop" is answered
    Then no file but config.json holds one of them

  @lane:real @observer:process
  Scenario: its process shows none to other users
    Given a daemon that logs whatever it can
    And a pairing code that begins with 0
    Then neither its command line nor its environment holds one of them

  @heavy
  Scenario: wherever they are sent, no answer repeats one, and neither does what the suite records
    Given a pairing code that begins with 0
    And Chrome is connected
    When the token and the code are sent in every place that a request has
    Then no answer repeats one of them
    And no answer leads elsewhere
    And the transcript repeats none of them
