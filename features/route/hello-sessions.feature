@ROUTE-07
Feature: The next hello re-reports the session names, and bindings of that browser that it does not name are dropped

  Scenario Outline: not named, it is dropped
    Given Chrome and Firefox are connected
    And a click of session "shop" to Firefox that Firefox answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding <what>
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered ok

    Examples:
      | what               |
      | no session         |
      | the session "mail" |
      | the session "Shop" |

  Scenario: named, it is kept
    Given Chrome and Firefox are connected
    And a click of session "shop" to Firefox that Firefox answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding the session "shop"
    And the agent sends a click A of session "shop" naming no browser
    Then Firefox has received A

  Scenario: each for itself
    Given Chrome and Firefox are connected
    And a click of session "shop" to Firefox that Firefox answers
    And a click of session "mail" to Firefox that Firefox answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding the session "mail"
    And the agent sends a click A of session "shop" to Chrome
    And the agent sends a click B of session "mail" to Chrome
    Then A is answered ok
    And B is answered session_bound

  Scenario: the other browser's stay
    Given Chrome and Firefox are connected
    And a click of session "shop" to Chrome that Chrome answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding no session
    And the agent sends a click A of session "shop" to Firefox
    Then A is answered session_bound
    And nothing has reached Firefox

  Scenario: until the next hello it is bound
    Given Chrome and Firefox are connected
    And a click of session "shop" to Firefox that Firefox answers
    When Firefox leaves by the end of its connection
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered session_bound

  Scenario: after a restart of the daemon
    Given Chrome and Firefox are connected
    And a click of session "shop" to Firefox that Firefox answers
    When the daemon is stopped and started again
    And Firefox connects again, holding no session
    And Chrome connects again, holding no session
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered ok

  @omw.v1
  Scenario: a name that is bound nowhere is adopted
    Given Chrome is connected
    And Firefox is connected, holding the session "shop"
    When the agent sends a click A of session "shop" naming no browser
    Then Firefox has received A
    When the agent sends a click B of session "shop" to Chrome
    Then B is answered session_bound

  @omw.v1
  Scenario: a name that is bound to the other browser stays there
    Given Chrome is connected
    And a click A of session "shop" to Chrome that Chrome answers
    And Firefox is connected, holding the session "shop"
    When the agent sends a click B of session "shop" naming no browser
    And the agent sends a click C of session "shop" to Firefox
    Then Chrome has received A and B in that order
    And C is answered session_bound

  @omw.v1
  Scenario: a name that is none is ignored
    Given Firefox is connected, holding the sessions "", "a\u0000b" and "shop"
    And Chrome is connected
    When the agent sends a click A of session "shop" naming no browser
    Then Firefox has received A

  @observer:files
  Scenario: the file follows
    Given Firefox is connected
    And a click of session "shop" to Firefox that Firefox answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding the session "mail"
    Then bindings.json does not name session "shop"

  @omw.v1 @observer:files
  Scenario: the file names what was adopted
    Given Firefox is connected, holding the session "mail"
    Then bindings.json says that session "mail" is Firefox's
