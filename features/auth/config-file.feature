@AUTH-17
Feature: config.json is private and always whole

  config.json, which holds the token, is written to a temporary file and published atomically with mode 0600; a crash at
  any step leaves the old file or the new one, whole.

  Scenario: it has the mode 0600 and holds the token
    When a daemon starts without a config directory
    Then config.json has the mode 0600
    And config.json holds the token
    And nothing was left beside it

  @lane:real
  Scenario Outline: it has, whatever the umask
    When a daemon starts without a config directory, under the umask <umask>
    Then config.json has the mode 0600
    And nobody else could ever read what it is made of

    Examples:
      | umask |
      | 000   |
      | 022   |
      | 077   |

  @omw.v1
  Scenario: who has it open when it is replaced reads the old one, whole
    Given a daemon has run on its config directory
    And somebody has opened config.json
    When the token is rotated
    Then they read the token of before
    And config.json holds the token
    And config.json has the mode 0600
    And nothing was left beside it

  @heavy @omw.v1
  Scenario: who looks at it all the time always sees a whole one
    Given somebody watches the config directory
    When the token is rotated 30 times
    Then they have always seen a whole config.json of the mode 0600
    And they have seen no other file that others may read
    And nothing was left beside it

  @omw.v1 @lane:real @observer:process
  Scenario: whoever kills the daemon leaves the old one or the new one
    When the daemon is killed 10 times while it rotates the token
    Then each time config.json was whole, and held the last token or the next one
    And nothing was left beside it

  @omw.v1
  Scenario Outline: one that others may read is made private
    Given a daemon has run on its config directory
    When config.json has the mode <mode> and the daemon starts again
    Then config.json has the mode 0600
    And config.json holds the token of before

    Examples:
      | mode |
      | 0644 |
      | 0640 |
      | 0604 |
      | 0666 |
