@CMD-05
Feature: After reconnecting only new requests are accepted

  Scenario Outline: a late answer changes nothing
    Given Chrome is connected
    And an evaluate A that Chrome never answers, and whose caller never reads
    And an evaluate B that Chrome never answers, and whose caller never reads
    When Chrome leaves by <way>
    And Chrome connects again, holding <what>
    And Chrome answers B
    And the agent sends an evaluate C that Chrome never answers
    And Chrome answers A
    Then C has no answer yet
    When Chrome answers C
    Then C is answered with its own value

    Examples:
      | way                       | what               |
      | a close frame with 1001   | the session "shop" |
      | the end of its connection | the session "shop" |
      | a reset                   | the session "shop" |
      | a reset                   | no session         |

  Scenario: the same extension that lost its connection
    Given Chrome is connected
    And an evaluate A that Chrome never answers, and whose caller never reads
    When Chrome leaves by a reset
    And Chrome connects again
    And the agent sends an evaluate B that Chrome never answers
    And Chrome answers A
    And Chrome answers A with page_error
    Then B has no answer yet
    When Chrome answers B
    Then B is answered with its own value

  Scenario: a late answer is not that of a new command with the same id
    Given Chrome is connected
    And an evaluate A with the id "again" and the timeout 2s that Chrome never answers, and whose caller never reads
    When Chrome leaves by the end of its connection
    And Chrome connects again, holding the session "shop"
    And 3s pass
    And the agent sends an evaluate B with the id "again" that Chrome never answers
    And Chrome answers A
    Then B has no answer yet
    When Chrome answers B
    Then B is answered with its own value

  Scenario Outline: nothing is sent again
    Given Chrome is connected
    And an evaluate A that Chrome never answers, and whose caller never reads
    And a click B that Chrome never answers, and whose caller never reads
    When Chrome leaves by <way>
    And Chrome connects again, holding <what>
    And the agent sends a click C
    Then Chrome has received only C

    Examples:
      | way                       | what               |
      | a close frame with 1001   | the session "shop" |
      | the end of its connection | the session "shop" |
      | a reset                   | the session "shop" |
      | a reset                   | no session         |

  @lane:virtual
  Scenario: nothing is sent later that waited to be written
    Given Chrome is connected
    When Chrome stops reading
    And the agent sends a type A of 262144 bytes
    And the agent sends a click B
    And Chrome leaves by a reset
    And Chrome connects again, holding the session "shop"
    And the agent sends a click C
    Then Chrome has received only C
