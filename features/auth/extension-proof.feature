@AUTH-20 @role:extension
Feature: The extension checks the proof before it sends the token

  Scenario: it asks with a nonce, and anew for each connection
    Given the extension is connected
    When the daemon drops the connection
    And 1s pass
    Then the extension is connected again
    And it has asked for a proof before it sent the token
    And no two of its nonces are the same

  Scenario Outline: a stranger on the port learns nothing
    Given a daemon that answers GET /ping with "<what>"
    And the extension is started
    When 4s pass
    Then it has sent the token to nobody

    Examples:
      | what                        |
      | no proof                    |
      | a proof with another token  |
      | a proof of another nonce    |
      | an empty proof              |
      | the nonce itself            |
      | a number                    |
      | 404                         |
      | no JSON                     |
      | nothing at all              |

  @wait:11s
  Scenario: once the daemon is there it comes
    Given a daemon that answers GET /ping with "no proof"
    And the extension is started
    When 3s pass
    And the daemon becomes a good one
    And 4.1s pass
    Then the connection stands
    And it has asked for a proof before it sent the token

  Scenario: who was good once is asked again
    Given the extension is connected
    When the daemon becomes one that answers GET /ping with "a proof of another nonce"
    And the daemon drops the connection
    And 4s pass
    Then the extension has made 1 connection
