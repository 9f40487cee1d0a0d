@ROUTE-06
Feature: Bindings are kept in bindings.json
  After a restart of the daemon a session goes back to the same browser, also when the other one connects first.

  Scenario Outline: the other one connects first
    Given <browser> is connected
    And a click of session "shop" that <browser> answers
    When the daemon is <ended> and started again
    And <other> connects
    And the agent sends a click A of session "shop" naming no browser
    Then A is answered not_connected, delivered "no"
    And nothing has reached <other>
    When <browser> connects again, holding the session "shop"
    And the agent sends a click B of session "shop" naming no browser
    Then B is answered ok
    And <browser> has received B

    Examples:
      | browser | other   | ended   |
      | Firefox | Chrome  | stopped |
      | Chrome  | Firefox | stopped |

    @lane:real
    Examples:
      | browser | other   | ended   |
      | Firefox | Chrome  | killed  |
      | Chrome  | Firefox | killed  |

  @lane:real
  Scenario: killed while its first command runs
    Given Firefox is connected
    And a click of session "shop" that Firefox never answers
    When the daemon is killed and started again
    And Chrome connects
    And the agent sends a click A of session "shop" naming no browser
    Then A is answered not_connected
    And nothing has reached Chrome

  Scenario: a closed one is forgotten
    Given Firefox is connected
    And a click of session "shop" that Firefox answers
    And a close_session of session "shop" that Firefox answers
    When the daemon is stopped and started again
    And Chrome connects
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered ok

  @omw.v1
  Scenario Outline: a session of any name comes back
    Given Firefox is connected
    And a click of session <name> that Firefox answers
    When the daemon is stopped and started again
    And Chrome connects
    And the agent sends a click A of session <name> naming no browser
    Then A is answered not_connected, delivered "no"
    And nothing has reached Chrome
    And the config directory holds nothing but its own files

    Examples:
      | name                |
      | "__proto__"         |
      | "constructor"       |
      | "toString"          |
      | "hasOwnProperty"    |
      | "../../x"           |
      | "a/b"               |
      | "a\\\\b"            |
      | "C:\\\\x"           |
      | "."                 |
      | ".."                |
      | "null"              |
      | "0"                 |
      | "é"                 |
      | "e\\u0301"          |
      | "語"                |
      | "😀"                |
      | "\\ud83d\\ude00"    |
      | "a \\"b\\" c"       |
      | "<script>&amp;"     |
      | "-rf"               |
      | "%2e%2e%2f"         |

  @omw.v1
  Scenario Outline: two names are two sessions
    Given Firefox is connected
    And a click of session <one> that Firefox answers
    And Chrome is connected
    And a click of session <other> to Chrome that Chrome answers
    When the daemon is stopped and started again
    And Chrome connects again, holding the session <other>
    And Firefox connects again, holding the session <one>
    And the agent sends a click A of session <one> naming no browser
    And the agent sends a click B of session <other> naming no browser
    Then Firefox has received A
    And Chrome has received B

    Examples:
      | one    | other       |
      | "S1"   | "s1"        |
      | "é"    | "e\\u0301"  |
      | "a"    | "a.b"       |
      | "a/b"  | "a\\\\b"    |
      | "0"    | "00"        |
      | "null" | "undefined" |

  @omw.v1
  Scenario: one name spelt in two ways is one session
    Given Firefox is connected
    And a click A of session "😀" that Firefox answers
    And Chrome is connected
    When the agent sends a click B of session "\ud83d\ude00" naming no browser
    Then Firefox has received A and B in that order

  @observer:files
  Scenario: the file says so
    Given Firefox is connected
    And a click of session "shop" that Firefox answers
    And Chrome is connected
    And a click of session "mail" to Chrome that Chrome answers
    Then bindings.json says that session "shop" is Firefox's
    And bindings.json says that session "mail" is Chrome's

  @observer:files
  Scenario: a closed one does not stand there
    Given Chrome is connected
    And a click of session "shop" to Chrome that Chrome answers
    And a close_session of session "shop" to Chrome that Chrome answers
    Then bindings.json does not name session "shop"

  @omw.v1 @observer:files
  Scenario Outline: a file that is none is set aside
    Given Firefox is connected
    And a click of session "shop" to Firefox that Firefox answers
    When the daemon is stopped
    And bindings.json becomes «<content>»
    And the daemon is started again
    And Chrome connects
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered ok
    And bindings.json says that session "shop" is Chrome's

    Examples:
      | content                               |
      | {                                     |
      |                                       |
      | null                                  |
      | []                                    |
      | {"version":1}{"version":1}            |
      | {"version":1,"sessions":{"shop":"ie"}} |
