@CMD-03
Feature: An answer is for the pending command that has its id on the same connection, and for nothing else

  Scenario Outline: an answer to nobody changes nothing
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    When Chrome sends an answer to <whom>
    Then A has no answer yet
    When Chrome answers A
    Then A is answered with its own value

    Examples:
      | whom                         |
      | an id that nobody has        |
      | the empty id                 |
      | no id                        |
      | the beginning of the id of A |
      | the id and more of A         |
      | a list of the id of A        |

  @omw.v1
  Scenario: the agent's id is none of the link's
    Given Chrome is connected
    And an evaluate A with the id "mine" that Chrome never answers
    Then Chrome knows A by an id of the daemon's own
    When Chrome sends an answer to the agent's id of A
    Then A has no answer yet
    When Chrome answers A
    Then A is answered with its own value

  Scenario: of two answers the first counts
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    When Chrome answers A twice, the second time with another value
    Then A is answered with its own value

  Scenario: of an error and a value, too
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    When Chrome answers A with page_error
    And Chrome answers A with another value
    Then A is answered page_error

  Scenario: a second answer is nobody else's
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    And an evaluate B that Chrome never answers
    When Chrome answers A
    And Chrome answers A with another value
    Then B has no answer yet
    When Chrome answers B
    Then A and B are answered with their own values

  Scenario Outline: on the other browser's connection the right id is a wrong one
    Given Chrome is connected, holding the session "shop"
    And Firefox is connected, holding the session "mail"
    And an evaluate A of session "<session>" to <browser> that <browser> never answers
    When <other> sends an answer to the id of A
    Then the agent sends a click of session "<other's>" to <other> that <other> answers
    And A has no answer yet
    When <browser> answers A
    Then A is answered with its own value

    Examples:
      | browser | session | other   | other's |
      | Chrome  | shop    | Firefox | mail    |
      | Firefox | mail    | Chrome  | shop    |

  Scenario: on the other browser's connection it is no answer to what is pending there
    Given Chrome is connected, holding the session "shop"
    And Firefox is connected, holding the session "mail"
    And an evaluate A of session "shop" to Chrome that Chrome never answers
    And an evaluate B of session "mail" to Firefox that Firefox never answers
    When Firefox sends an answer to the id of A
    Then B has no answer yet
    When Firefox answers B
    And Chrome answers A
    Then A and B are answered with their own values

  Scenario: answers come in any order
    Given Chrome is connected
    And an evaluate A that Chrome never answers
    And an evaluate B that Chrome never answers
    And an evaluate C that Chrome never answers
    When Chrome answers C
    And Chrome answers A
    Then B has no answer yet
    When Chrome answers B
    Then A, B and C are answered with their own values

  Scenario: the same id of two sessions' agents
    Given Chrome is connected, holding the session "shop"
    And Firefox is connected, holding the session "mail"
    And an evaluate A of session "shop" to Chrome with the id "1" that Chrome never answers
    And an evaluate B of session "mail" to Firefox with the id "1" that Firefox never answers
    When Firefox answers B
    Then A has no answer yet
    When Chrome answers A
    Then A and B are answered with their own values

  @omw.v1
  Scenario Outline: an answer that cannot be understood ends its own command alone
    Given Chrome is connected
    And <command> A that Chrome never answers
    And an evaluate B that Chrome never answers
    When Chrome answers A by «<members>»
    Then A is answered outcome_unknown
    And B has no answer yet
    When Chrome answers B
    Then B is answered with its own value

    Examples:
      | command      | members                                                                          |
      | an evaluate  | "ok":true                                                                        |
      | an evaluate  | "ok":true,"data":null                                                            |
      | an evaluate  | "ok":true,"data":[1]                                                             |
      | an evaluate  | "ok":true,"data":"text"                                                          |
      | an evaluate  | "data":{"value":1}                                                               |
      | an evaluate  | "ok":"true","data":{"value":1}                                                   |
      | an evaluate  | "ok":1,"data":{"value":1}                                                        |
      | an evaluate  | "ok":true,"data":{"value":1},"error":{"code":"internal","message":"both"}        |
      | an evaluate  | "ok":false                                                                       |
      | an evaluate  | "ok":false,"error":null                                                          |
      | an evaluate  | "ok":false,"error":"it failed"                                                   |
      | an evaluate  | "ok":false,"error":{"message":"no code"}                                         |
      | an evaluate  | "ok":false,"error":{"code":7,"message":"a number"}                               |
      | an evaluate  | "ok":false,"error":{"code":"out_of_luck","message":"a code of nobody's list"}    |
      | an evaluate  | "ok":true,"data":{}                                                              |
      | a navigate   | "ok":true,"data":{"tab":1,"title":"no address"}                                  |
      | a navigate   | "ok":true,"data":{"tab":"1","url":"https://a.example/","title":"a tab in quotes"} |
      | a snapshot   | "ok":true,"data":{"text":5,"nodes":1,"truncated":false,"url":"u","title":"t"}     |
