@ROUTE-07
Feature: The next hello re-reports the session names, and bindings of that browser that it does not name are dropped

  Scenario Outline: not named, it is dropped
    Given Firefox is connected
    And a click of session "shop" that Firefox answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding <what>
    And Chrome connects
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered ok
    And Chrome has received A

    Examples:
      | what               |
      | no session         |
      | the session "mail" |
      | the session "Shop" |

  Scenario: named, it is kept
    Given Firefox is connected
    And a click of session "shop" that Firefox answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding the session "shop"
    And Chrome connects
    And the agent sends a click A of session "shop" naming no browser
    Then Firefox has received A

  Scenario: each for itself
    Given Firefox is connected
    And a click of session "shop" that Firefox answers
    And a click of session "mail" that Firefox answers
    When Firefox leaves by the end of its connection
    And Firefox connects again, holding the session "mail"
    And Chrome connects
    And the agent sends a click A of session "shop" to Chrome
    And the agent sends a click B of session "mail" naming no browser
    Then Chrome has received A
    And Firefox has received B

  Scenario: the other browser's stay
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And Chrome is connected
    When Chrome leaves by the end of its connection
    And Chrome connects again, holding no session
    And the agent sends a click B of session "shop" naming no browser
    Then Firefox has received A and B in that order

  Scenario: until the next hello it is bound
    Given Firefox is connected
    And a click of session "shop" that Firefox answers
    And Chrome is connected
    When Firefox leaves by the end of its connection
    And the agent sends a click A of session "shop" naming no browser
    Then A is answered not_connected, delivered "no"
    And nothing has reached Chrome

  Scenario: after a restart of the daemon
    Given Firefox is connected
    And a click of session "shop" that Firefox answers
    When the daemon is stopped and started again
    And Firefox connects again, holding no session
    And Chrome connects
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered ok
    And Chrome has received A

  @omw.v1
  Scenario: a name that is bound nowhere is adopted
    Given Chrome is connected
    And Firefox is connected, holding the session "shop"
    When the agent sends a click A of session "shop" naming no browser
    Then Firefox has received A
    And nothing has reached Chrome

  @omw.v1
  Scenario: a name that is bound to the other browser stays there
    Given Firefox is connected
    And a click A of session "shop" that Firefox answers
    And Chrome is connected, holding the session "shop"
    When the agent sends a click B of session "shop" naming no browser
    Then Firefox has received A and B in that order

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
