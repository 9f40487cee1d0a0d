@ROUTE-04
Feature: A command may carry the browser that it is for
  It is sent to that browser, or fails with a clear error when that browser is not connected or the session is bound to
  the other.

  Scenario Outline: both are connected
    Given Chrome and Firefox are connected
    And a click A to <browser> that <browser> answers
    Then <browser> has received A
    And nothing has reached <other>

    Examples:
      | browser | other   |
      | Chrome  | Firefox |
      | Firefox | Chrome  |

  Scenario Outline: it is not connected
    Given <other> is connected
    When the agent sends a click to <browser> with the timeout 100s
    Then it is answered not_connected, delivered "no"
    And its error says "<browser>"
    And it took no time
    And nothing has reached <other>

    Examples:
      | browser | other   |
      | Chrome  | Firefox |
      | Firefox | Chrome  |

  Scenario Outline: the session belongs to the other
    Given Chrome and Firefox are connected
    And a click of session "shop" to <browser> that <browser> answers
    When the agent sends a click A of session "shop" to <other>
    Then A is answered session_bound, delivered "no"
    And A's error says "<browser>"
    And nothing has reached <other>

    Examples:
      | browser | other   |
      | Chrome  | Firefox |
      | Firefox | Chrome  |

  Scenario: the session belongs to the other, which is gone
    Given Chrome and Firefox are connected
    And a click of session "shop" to Firefox that Firefox answers
    When Firefox leaves by the end of its connection
    And the agent sends a click A of session "shop" to Chrome
    Then A is answered session_bound, delivered "no"
    And nothing has reached Chrome

  Scenario: a refusal leaves the session where it is
    Given Chrome and Firefox are connected
    And a click A of session "shop" to Firefox that Firefox answers
    When the agent sends a click B of session "shop" to Chrome
    Then B is answered session_bound
    When the agent sends a click C of session "shop" to Firefox
    Then C is answered ok
    And Firefox has received A and C in that order

  Scenario Outline: a refusal binds nothing
    Given Chrome is connected
    When the agent sends a <action> of session "shop" to Firefox
    Then it fails with a definite error, delivered "no"
    When the agent sends a click A of session "shop" to Chrome
    Then A is answered ok

    Examples:
      | action |
      | click  |
      | cdp    |

  Scenario: what Firefox cannot do is not sent to Chrome instead
    Given Chrome and Firefox are connected
    When the agent sends a cdp to Firefox with the timeout 100s
    Then it fails with a definite error, delivered "no"
    And its error says "Chrome"
    And it took no time
    And nothing has reached Firefox
    And nothing has reached Chrome
