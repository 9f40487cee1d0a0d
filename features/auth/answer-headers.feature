@AUTH-19
Feature: No page can use an answer

  Every answer carries nosniff, no-store and a same-origin resource policy.

  Scenario Outline: every kind of answer has the three headers
    When the daemon answers <what>
    Then no page can use the answer

    Examples:
      | what                                  |
      | 101 to an upgrade                     |
      | 200 to a ping                         |
      | 200 to a ping with a proof            |
      | 200 to a command                      |
      | 200 to a command without a browser    |
      | 200 to a redeemed code                |
      | 200 to a question for the version     |
      | 200 to a question for the status      |
      | 200 to a new code                     |
      | 204 to a preflight                    |
      | 204 to a question for leave           |
      | 400 to a body that is no JSON         |
      | 400 to a code of five digits          |
      | 400 to a nonce that is too short      |
      | 401 to a missing token                |
      | 401 to an upgrade without the token   |
      | 401 to a wrong code                   |
      | 403 to another Host                   |
      | 403 to an absolute target             |
      | 403 to a web page                     |
      | 403 to a page without an Origin       |
      | 403 to a pairing without an Origin    |
      | 404 to an unknown path                |
      | 405 to another method                 |
      | 409 to a second browser               |
      | 413 to a body that is too large       |
      | 415 to a body of another type         |
      | 503 to a guess that comes too soon    |

  Scenario: a body that does not come is refused so, too
    Given a pairing code
    When the extension redeems it and its body never ends
    Then it is refused as too slow
    And no page can use the answer
