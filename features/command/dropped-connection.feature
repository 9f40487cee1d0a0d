@CMD-04
Feature: A dropped connection ends every command in flight on it, at once, with outcome_unknown

  Scenario Outline: whichever way it drops
    Given <browser> is connected
    And a click A that <browser> never answers
    When <browser> leaves by <way>
    Then A is answered outcome_unknown
    And A took no time

    Examples:
      | browser | way                       |
      | Chrome  | a close frame             |
      | Chrome  | a close frame with 1000   |
      | Chrome  | a close frame with 1001   |
      | Chrome  | the end of its connection |
      | Chrome  | a reset                   |
      | Firefox | a close frame with 1001   |
      | Firefox | the end of its connection |
      | Firefox | a reset                   |

  Scenario: in the middle of an answer
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    When Chrome leaves in the middle of its answer to A
    Then A is answered outcome_unknown

  Scenario: by the daemon, which must end what breaks RFC 6455
    Given Chrome is connected
    And a click A that Chrome never answers
    When Chrome breaks the rules of RFC 6455
    Then A is answered outcome_unknown

  Scenario Outline: every command: those that run, those that wait, those beside the queue
    Given Chrome is connected
    When the agent sends commands that Chrome never answers:
      | a click A1 of session "shop"         |
      | a click A2 of session "shop"         |
      | an evaluate A3 of session "shop"     |
      | a click B1 of session "mail"         |
      | a navigate B2 of session "mail"      |
      | a dialog B3 of session "mail"        |
      | a close_session C1 of session "shop" |
      | a tabs C2 of session "third"         |
    And Chrome leaves by <way>
    Then A1, A2 and A3 are answered outcome_unknown
    And B1, B2 and B3 are answered outcome_unknown
    And C1 and C2 are answered outcome_unknown

    Examples:
      | way                       |
      | a close frame with 1001   |
      | the end of its connection |
      | a reset                   |

  Scenario: what the other browser's extension asked for
    Given Chrome and Firefox are connected
    When Firefox asks for a click A of session "shop" to Chrome, which Chrome never answers
    And Chrome leaves by a reset
    Then A is answered outcome_unknown

  @omw.v1
  Scenario: what was sent may have been delivered
    Given Chrome is connected
    And a click A that Chrome never answers
    When Chrome leaves by a reset
    Then A is answered outcome_unknown, delivered "unknown"

  # Nobody but the daemon can say where these were. That what it says is true is
  # looked at behind every scenario (KIT-10).
  @lane:virtual
  Scenario Outline: before the browser has read them
    Given Chrome is connected
    When Chrome stops reading
    And the agent sends a click A
    And the agent sends a click B
    And the agent sends a click C of session "mail"
    And Chrome leaves by <way>
    Then A, B and C are answered outcome_unknown

    Examples:
      | way                       |
      | the end of its connection |
      | a reset                   |

  @lane:virtual
  Scenario Outline: while one of them is being written
    Given Chrome is connected
    When Chrome stops reading
    And the agent sends a type A of 262144 bytes
    And the agent sends a click B
    And the agent sends a click C of session "mail"
    And Chrome leaves by <way>
    Then A, B and C are answered outcome_unknown

    Examples:
      | way                       |
      | the end of its connection |
      | a reset                   |

  Scenario Outline: commands on the other browser go on
    Given Chrome is connected, holding the session "shop"
    And Firefox is connected, holding the session "mail"
    And a click A of session "<session>" to <browser> that <browser> never answers
    And an evaluate B of session "<other's>" to <other> that <other> never answers
    When <browser> leaves by <way>
    Then A is answered outcome_unknown
    And B has no answer yet
    When <other> answers B
    Then B is answered with its own value

    Examples:
      | browser | session | other   | other's | way                       |
      | Chrome  | shop    | Firefox | mail    | a close frame with 1001   |
      | Chrome  | shop    | Firefox | mail    | a reset                   |
      | Firefox | mail    | Chrome  | shop    | the end of its connection |

  Scenario Outline: what was answered before stays answered
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    When Chrome answers A and leaves at once by <way>
    Then A is answered with its own value

    Examples:
      | way                       |
      | a close frame             |
      | a close frame with 1001   |
      | the end of its connection |
