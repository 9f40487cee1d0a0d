@AUTH-17 @omw.v1
Feature: A damaged config.json is neither used nor lost

  A config.json that cannot be parsed stops the daemon with one clear line and is left as it is. No daemon ever runs with
  a token that is empty or no text.

  Scenario Outline: the daemon does not start with it
    Given a daemon has run on its config directory
    When config.json holds <what> and the daemon starts again
    Then it refuses to start and names config.json
    And config.json is as it was

    Examples:
      | what                            |
      | nothing                         |
      | blanks                          |
      | an opening brace                |
      | its own first half              |
      | null                            |
      | a list                          |
      | a text                          |
      | no token                        |
      | an empty token                  |
      | a number for a token            |
      | null for a token                |
      | a list for a token              |
      | bytes that are no text          |

  Scenario: with its file mended it starts again
    Given a daemon has run on its config directory
    When config.json holds an opening brace and the daemon starts again
    Then it refuses to start and names config.json
    When config.json is mended and the daemon starts again
    Then config.json holds the token of before
