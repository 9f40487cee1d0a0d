@CMD-01
Feature: An HTTP request body is at most 2 MiB

  Scenario Outline: 2,097,152 bytes pass
    Given Chrome is connected
    When the agent sends a <command> whose body has 2097152 bytes, <how>
    Then it is answered ok
    And Chrome has received it

    Examples:
      | command | how             |
      | click   | with its length |
      | click   | in chunks       |
      | type    | with its length |
      | type    | in chunks       |

  Scenario Outline: one byte more is refused, and reaches nobody
    Given Chrome is connected
    When the agent sends a <command> whose body has 2097153 bytes, <how>
    Then it is refused with 413 too_large
    And nothing has reached Chrome

    Examples:
      | command | how             |
      | click   | with its length |
      | click   | in chunks       |
      | type    | with its length |
      | type    | in chunks       |

  Scenario: a length that says too much is refused before the body has come
    Given Chrome is connected
    When the agent sends the header of a click whose body has 2097153 bytes
    Then it is refused with 413 too_large
    And it took no time
    And nothing has reached Chrome

  Scenario: chunks that are too much are refused before their end
    Given Chrome is connected
    When the agent sends 2097153 bytes of a click's body in chunks, and not its end
    Then it is refused with 413 too_large
    And it took no time
    And nothing has reached Chrome

  Scenario Outline: what may become a good body is waited for
    Given Chrome is connected
    When the agent sends <what>
    Then it has no answer yet

    Examples:
      | what                                                       |
      | the header of a click whose body has 2097152 bytes         |
      | 2097152 bytes of a click's body in chunks, and not its end |

  # POST /pair has a limit of its own (AUTH-21).
  @heavy
  Scenario Outline: every other path takes as much
    Given no browser is connected
    When each path is sent a body of 2097152 bytes, <how>:
      | GET /ping         |
      | POST /extension   |
      | GET /extension    |
      | GET /json/version |
      | POST /admin/pair  |
      | GET /admin/status |
      | POST /admin/token |
    Then each path answers as it does without a body

    Examples:
      | how             |
      | with its length |
      | in chunks       |

  @heavy
  Scenario Outline: and none takes more
    Given Chrome is connected
    When each path is sent a body of 2097153 bytes, <how>:
      | GET /ping         |
      | POST /extension   |
      | GET /extension    |
      | GET /json/version |
      | POST /admin/pair  |
      | GET /admin/status |
      | POST /admin/token |
    Then each path refuses it with 413 too_large
    And nothing has reached Chrome

    Examples:
      | how             |
      | with its length |
      | in chunks       |
