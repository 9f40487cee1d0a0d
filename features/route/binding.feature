@ROUTE-05
Feature: A session binds to a browser on its first command and keeps the binding until close_session succeeds
  It binds before the frame goes out; a failed close_session keeps it; a command refused before it is sent binds nothing.

  Scenario: it stays where it began
    Given Firefox is connected
    And a click A of session "shop" to Firefox that Firefox answers
    And Chrome is connected
    When the agent sends a click B of session "shop" naming no browser
    Then B is answered ok
    And Firefox has received A and B in that order

  Scenario: it does not wander when its browser is away
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And Chrome is connected
    When Firefox leaves by the end of its connection
    And the agent sends a click B of session "shop" naming no browser
    Then B is answered not_connected, delivered "no"
    And nothing has reached Chrome

  Scenario: each session has its own
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And Chrome is connected
    And a click B of session "mail" to Chrome that Chrome answers
    When the agent sends a click C of session "shop" naming no browser
    And the agent sends a click D of session "mail" naming no browser
    Then Firefox has received A and C in that order
    And Chrome has received B and D in that order

  Scenario: the answer does not matter, the sending does
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers with stale_ref
    And Chrome is connected
    When the agent sends a click B of session "shop" naming no browser
    Then Firefox has received A and B in that order

  Scenario: closed, it is free
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And a close_session of session "shop" that Firefox answers
    And Chrome is connected
    When the agent sends a click B of session "shop" to Chrome
    Then B is answered ok
    And Chrome has received B

  Scenario Outline: a close_session that failed keeps it
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And a close_session of session "shop" that Firefox answers with <error>
    And Chrome is connected
    When the agent sends a click B of session "shop" naming no browser
    Then Firefox has received A and B in that order
    And nothing has reached Chrome

    Examples:
      | error           |
      | internal        |
      | outcome_unknown |
      | permission      |

  Scenario: a close_session whose deadline passed keeps it
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And a close_session C of session "shop" with the timeout 2s that Firefox never answers
    And Chrome is connected
    When 3 seconds pass
    And the agent sends a click B of session "shop" naming no browser
    Then Firefox has received A and B in that order
    And nothing has reached Chrome

  Scenario: what is refused before it is sent binds nothing
    Given Chrome is connected
    When the agent sends a screenshot of session "shop" with the args {"path":"/no/such/directory/shot.png"}
    Then it fails with a definite error, delivered "no"
    When Firefox connects
    And the agent sends a click A of session "shop" to Firefox
    Then A is answered ok

  Scenario Outline: what the gate refuses binds nothing
    Given Chrome and Firefox are connected
    When the agent sends <command>
    Then it is refused with 400
    When the agent sends a click A of session "shop" to Firefox
    Then A is answered ok

    Examples:
      | command                                                     |
      | a click of session "shop" to Chrome with the id ""          |
      | a click of session "shop" to Chrome with the timeout_ms «0» |

  @omw.v1
  Scenario Outline: sessions, status and tabs bind nothing
    Given Chrome and Firefox are connected
    And a <action> of session "shop" to Chrome that Chrome answers
    When the agent sends a click A of session "shop" to Firefox
    Then A is answered ok

    Examples:
      | action   |
      | sessions |
      | status   |
      | tabs     |

  @omw.v1
  Scenario: close_session of a session that is bound nowhere
    Given Chrome and Firefox are connected
    When the agent sends a close_session of session "shop" to Chrome
    Then it is answered ok
    And nothing has reached Chrome
    When the agent sends a click A of session "shop" to Firefox
    Then A is answered ok

  Scenario: two first commands at once
    Given Chrome and Firefox are connected
    When the agent sends a click A of session "shop" to Chrome and a click B of session "shop" to Firefox at once
    Then A and B have gone to one browser, or one of them nowhere

  @observer:files
  Scenario: it is bound before the frame goes out
    Given Chrome is connected
    And bindings.json is read when Chrome receives a command
    When the agent sends a click of session "shop" to Chrome
    Then it said by then that session "shop" is Chrome's

  @omw.v1 @observer:files
  Scenario: what cannot be kept is not sent
    Given Chrome is connected
    And bindings.json cannot be written
    When the agent sends a click of session "shop" to Chrome
    Then it is answered file_error, delivered "no"
    When bindings.json can be written again
    Then nothing has reached Chrome

  @omw.v1 @observer:files
  Scenario: what could not be kept is not bound
    Given Chrome and Firefox are connected
    And bindings.json cannot be written
    When the agent sends a click of session "shop" to Chrome
    Then it is answered file_error
    When bindings.json can be written again
    And the agent sends a click A of session "shop" to Firefox
    Then A is answered ok
