@AUTH-03
Feature: A client sends the token in its header and nowhere else

  Whatever a URL, a body or another header holds ends up in logs, histories and error messages.

  Scenario: whatever it is asked for
    Given a client of a daemon
    When the client is asked for a navigate, a snapshot, a click and a type
    Then the daemon has received each of them once
    And the token stood in the header of each request to /command and nowhere else

  Scenario: a daemon that refuses the token is not offered it elsewhere
    Given a client of a daemon that takes another token
    When the client is asked for a click
    And the client says what came of it
    Then the token stood in the header of each request to /command and nowhere else
