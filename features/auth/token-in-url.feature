@AUTH-05
Feature: A token in the URL is none

  A token in the URL (query or path) authenticates nothing.

  Scenario Outline: it lets nobody in
    Given Chrome is connected
    When a caller asks for <what> with the token in the URL alone
    Then it is turned away
    And no browser was asked for anything

    Examples:
      | what                                     |
      | POST /command?token=TOKEN                |
      | POST /command?Token=TOKEN                |
      | POST /command?TOKEN                      |
      | POST /command?access_token=TOKEN         |
      | POST /command?authorization=Bearer%20TOKEN |
      | POST /command?omw-token.TOKEN            |
      | POST /command?session=shop&token=TOKEN   |
      | POST /command;token=TOKEN                |
      | POST /command/TOKEN                      |
      | POST /TOKEN/command                      |
      | GET /json/version?token=TOKEN            |
      | GET /json/version/TOKEN                  |
      | GET /json?token=TOKEN                    |
      | GET /json/list?token=TOKEN               |
      | GET /devtools/page/1?token=TOKEN         |
      | GET /admin/status?token=TOKEN            |
      | POST /admin/pair?token=TOKEN             |
      | POST /extension?token=TOKEN              |
      | GET /extension?token=TOKEN               |
      | GET /extension?omw-token.TOKEN           |
      | GET /extension/TOKEN                     |

  Scenario: the same token as a header does
    When a caller with the token asks for POST /command?token=wrong
    Then it is let in
