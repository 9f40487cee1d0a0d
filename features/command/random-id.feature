@CMD-02
Feature: A request that omits its id is given a random one, which the response carries

  Scenario Outline: whatever comes of it
    Given Chrome is connected
    When the agent sends a click without an id
    Then it is answered with an id
    Given a click without an id that Chrome answers with <code>
    Then it is answered with an id

    Examples:
      | code       |
      | page_error |
      | no_tab     |

  Scenario: where no browser is
    Given no browser is connected
    When the agent sends a click without an id
    And 2 seconds pass
    Then it is answered not_connected
    And it is answered with an id

  Scenario: where the extension asks
    Given Chrome is connected
    When Chrome asks for a click without an id
    Then it is answered ok
    And it is answered with an id

  @heavy
  Scenario: it is random
    Given Chrome is connected
    When 1000 clicks without an id are answered
    Then no two have the same id

  @omw.v1
  Scenario Outline: an id that is given comes back as it is
    Given Chrome is connected
    When the agent sends a click with the id "<id>"
    Then it is answered with its own id
    When Chrome asks for a click with the id "<id>"
    Then it is answered with its own id

    Examples:
      | id                                           |
      | x                                            |
      | 0                                            |
      | !#$%&'()*+,-./:;<=>?@[]^_`{\|}~ \\" \\\\ \\/ |
      | 9007199254740993                             |

  @omw.v1
  Scenario: a long one comes back as well
    Given Chrome is connected
    When the agent sends a click with an id of 100 characters
    Then it is answered ok
    And it is answered with its own id

  @omw.v1
  Scenario: an id that is pending in its session is refused, and the first goes on
    Given Chrome is connected
    And an evaluate A with the id "once" that Chrome never answers
    When the agent sends a click B with the id "once"
    Then B is refused with 409 conflict
    And B took no time
    When Chrome asks for a click C with the id "once"
    Then C is answered conflict
    And A has no answer yet
    When Chrome answers A
    Then A is answered with its own value
    And A is answered with its own id
    And Chrome has received only A

  @omw.v1
  Scenario: what the extension has asked for is pending, too
    Given Chrome is connected
    When Chrome asks for a click A with the id "once", which Chrome never answers
    And the agent sends a click B with the id "once"
    Then B is refused with 409 conflict
    And A has no answer yet
    When Chrome answers A
    Then A is answered ok

  @omw.v1
  Scenario Outline: that is no other session's concern, and no other id's
    Given Chrome is connected
    And an evaluate A of session "shop" with the id "once" that Chrome never answers
    When the agent sends a click B of session "<session>" with the id "<id>"
    Then Chrome has received B
    When Chrome answers A
    Then A is answered with its own value

    Examples:
      | session | id    |
      | mail    | once  |
      | Shop    | once  |
      | shop    | Once  |
      | shop    | once2 |

  @omw.v1
  Scenario: an id may be used again once its command is over
    Given Chrome is connected
    When the agent sends a click A with the id "once"
    Then A is answered ok
    When the agent sends a click B with the id "once"
    Then B is answered ok
    And B is answered with its own id
    Given a click C with the id "once" that Chrome answers with page_error
    When the agent sends a click D with the id "once"
    Then D is answered ok

  @omw.v1
  Scenario: or once its time is over
    Given Chrome is connected
    And a click A of session "shop" with the id "once" and the timeout 1s that Chrome never answers
    When A is 1.000000001s old
    Then A is over
    When the agent sends a click B of session "shop" with the id "once"
    Then Chrome has received B
