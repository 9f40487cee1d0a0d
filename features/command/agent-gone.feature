@CMD-15
Feature: An agent that closes its connection before the answer leaves nothing behind

  Scenario Outline: its late answer is dropped
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    And an evaluate B that Chrome never answers
    When the agent of A <goes>
    And Chrome answers A
    Then B has no answer yet
    When Chrome answers B
    Then B is answered with its own value
    And Chrome has received only A and B

    Examples:
      | goes                  |
      | hangs up              |
      | resets its connection |

  Scenario Outline: its id is free when its command is over
    Given Chrome is connected
    And an evaluate A with the id "once" that Chrome never answers
    When the agent of A <goes>
    And Chrome answers A
    Then the agent is served an evaluate with the id "once"

    Examples:
      | goes                  |
      | hangs up              |
      | resets its connection |

  @heavy
  Scenario Outline: its slots are free
    Given Chrome is connected
    When 100 agents <go>, and Chrome answers them
    And 100 agents <go>, and Chrome answers them
    And 100 agents <go>, and Chrome answers them
    Then the agent is served a click

    Examples:
      | go                      |
      | hang up                 |
      | reset their connections |

  Scenario Outline: what did not come whole runs nothing and leaves its slot
    Given Chrome is connected
    When 100 agents <go> after <part>
    And 100 agents <go> after <part>
    And 100 agents <go> after <part>
    Then the agent is served a click A
    And Chrome has received only A

    Examples:
      | go                      | part                                     |
      | hang up                 | the header of a click                    |
      | hang up                 | half of a click's body                   |
      | hang up                 | all but the last byte of a click's body  |
      | hang up                 | all but the last chunk of a click's body |
      | reset their connections | half of a click's body                   |

  @heavy
  Scenario Outline: the room of its answer is given back
    Given Chrome is connected
    When an agent hangs up <when> an answer of 31457280 bytes
    And an agent hangs up <when> an answer of 31457280 bytes
    Then an answer of 31457280 bytes has room

    Examples:
      | when             |
      | before           |
      | in the middle of |

  Scenario: a half-closed one may still get its answer
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    When the agent of A closes its sending half
    And Chrome answers A
    Then A gets its own value, or no answer
    And Chrome has received only A
