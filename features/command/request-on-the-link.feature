@CMD-13
Feature: A request may also arrive as a frame on the extension's connection

  Scenario: it is answered with its id
    Given Chrome is connected
    When Chrome asks for an evaluate A with the id "mine"
    Then A is answered with its own value
    And A is answered with its own id
    And Chrome has received only A

  Scenario: what goes wrong is answered with its id, too
    Given Chrome is connected
    When Chrome asks for a click A with the timeout 1s and the id "mine", which Chrome never answers
    And A is 1.000000001s old
    Then A is over
    And A is answered with its own id
    And A took 1s

  Scenario: 2,097,152 bytes pass
    Given Chrome is connected
    When Chrome asks for a click in a frame of 2097152 bytes
    Then it is answered ok
    And Chrome has received it

  Scenario: one byte more is refused, and reaches nobody
    Given Chrome is connected
    When Chrome asks for a click in a frame of 2097153 bytes
    Then it is answered too_large
    And it is answered with its own id
    And nothing has reached Chrome

  Scenario: the same checks
    Given Chrome is connected
    When Chrome asks for these:
      | request                                                                                  | says             |
      | {"id":"q"}                                                                               | action           |
      | {"id":"q","action":"jump"}                                                               | action and jump  |
      | {"id":"q","action":5}                                                                    | action           |
      | {"id":"q","action":"Click","args":{"selector":"#MARK"}}                                  | action           |
      | {"id":"q","action":"artifact_read","args":{"artifact":"a","offset":0,"length":1}}        | artifact_read    |
      | {"id":"q","action":"click","args":[]}                                                    | args             |
      | {"id":"q","action":"click","args":{}}                                                    | selector         |
      | {"id":"q","action":"click","args":{"selector":"#MARK","ref":"e1"}}                       | selector and ref |
      | {"id":"q","action":"click","args":{"selector":"#MARK","colour":1}}                       | colour           |
      | {"id":"q","action":"click","args":{"selector":"#MARK","selector":"#MARK"}}               | twice            |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"timeout_ms":5,"timeout_ms":5}    | twice            |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"timeout_ms":"5"}                 | timeout_ms       |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"timeout_ms":0}                   | timeout_ms       |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"session":5}                      | session          |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"session":" shop"}                | session          |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"session":"⟨s×1000⟩"}             | session          |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"browser":"safari"}               | browser          |
      | {"id":"q","action":"click","args":{"selector":"#MARK"},"url":"x"}                        | url              |
      | {"id":"⟨i×1000⟩","action":"click","args":{"selector":"#MARK"}}                           | id               |
      | {"id":"q","action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[×99⟩⟨]×99⟩}}} | levels           |
      | {"id":"q","action":"cdp","args":{"method":"A.b","params":{"m":"MARK","\ud800":1}}}       | surrogate        |
    Then each is answered bad_request with its own id, and its error says what is wrong
    And nothing has reached Chrome

  Scenario: what they let pass
    Given Chrome is connected
    When Chrome asks for these:
      | request                                                                                   |
      | {"id":"1","action":"click","args":{"selector":"#MARK"}}                                   |
      | {"id":"⟨i×99⟩","action":"click","args":{"selector":"#MARK"},"session":"⟨s×99⟩"}           |
      | {"id":"3","action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[×50⟩⟨]×50⟩}}}  |
      | {"id":"4","action":"type","args":{"selector":"#MARK","text":"\ud800"},"timeout_ms":20000} |
    Then each is answered ok

  Scenario Outline: no file paths
    Given Chrome is connected
    When Chrome asks for <what>
    Then it is answered bad_request
    And it is answered with its own id
    And its error says "<says>"
    And nothing has reached Chrome

    Examples:
      | what                                                                               | says  |
      | a screenshot with the args {"path":"/no/such/directory/a.png"}                     | path  |
      | a pdf with the args {"path":"/no/such/directory/a.pdf"}                            | path  |
      | an upload with the args {"selector":"#file","files":["/no/such/directory/cv.pdf"]} | files |

  Scenario: a picture without one comes in the answer
    Given Chrome is connected
    When Chrome asks for a screenshot
    Then it is answered ok

  Scenario: while other commands are in flight
    Given Chrome is connected
    And an evaluate A of session "shop" that Chrome never answers
    When Chrome asks for an evaluate B of session "mail"
    Then B is answered with its own value
    When Chrome asks for an evaluate C of session "news", which Chrome never answers
    And the agent sends an evaluate D of session "mail"
    Then D is answered with its own value
    And A and C have no answer yet
    When Chrome answers C
    And Chrome answers A
    Then A and C are answered with their own values

  Scenario: for the other browser
    Given Firefox is connected
    And a click F of session "fox" that Firefox answers
    And Chrome is connected
    When Chrome asks for an evaluate A of session "fox" naming no browser
    Then A is answered with its own value
    And Firefox has received only F and A
    And nothing has reached Chrome

  Scenario Outline: an extension that leaves before its answer breaks nothing
    Given Chrome and Firefox are connected
    When Firefox asks for an evaluate A to Chrome with the id "once", which Chrome never answers
    And Firefox leaves by <way>
    And Chrome answers A
    And the agent sends an evaluate B to Chrome with the id "once"
    Then B is answered with its own value
    When Firefox connects again, holding no session
    And Firefox asks for an evaluate C to Chrome
    Then C is answered with its own value
    And Chrome has received only A, B and C

    Examples:
      | way                       |
      | a close frame with 1001   |
      | the end of its connection |
      | a reset                   |

  Scenario: nor does one that has asked for itself
    Given Chrome is connected
    When Chrome asks for an evaluate A with the id "once", which Chrome never answers
    And Chrome leaves by a reset
    And 2 seconds pass
    And Chrome connects again, holding the session "shop"
    And Chrome asks for an evaluate B with the id "once"
    Then B is answered with its own value

  # What is no JSON costs the connection that it came on (ROUTE-01), at most.
  Scenario Outline: what is no request at all is nobody else's concern
    Given Firefox is connected
    And an evaluate A of session "mail" that Firefox never answers
    And Chrome is connected
    When Chrome asks for these:
      | request |
      | <what>  |
    And Firefox answers A
    And the agent sends an evaluate B of session "mail" naming no browser
    Then A and B are answered with their own values
    And Firefox has received only A and B

    Examples:
      | what                                                                          |
      | {"action":"click","args":⟨[×900000⟩                                           |
      | {"action":"click","action":"click","args":{"selector":"#MARK"},"session":"x"} |
      | CLICK CLICK                                                                   |
      | {"action":"click","args":{"selector":"⟨C3 28⟩"}}                              |
