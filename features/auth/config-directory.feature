@AUTH-16
Feature: The config directory is for its owner alone

  The config directory is created with mode 0700.

  Scenario: it is created with the mode 0700
    When a daemon starts without a config directory
    Then its config directory has the mode 0700

  Scenario: it is, also where its parents are missing
    When a daemon starts without a config directory and the two above it
    Then its config directory has the mode 0700

  @lane:real
  Scenario Outline: it is, whatever the umask
    When a daemon starts without a config directory, under the umask <umask>
    Then its config directory has the mode 0700
    And nobody else could ever look into it

    Examples:
      | umask |
      | 000   |
      | 002   |
      | 022   |
      | 077   |

  @omw.v1
  Scenario Outline: an empty one that others may use is made private
    When a daemon starts on an empty directory of the mode <mode>
    Then its config directory has the mode 0700

    Examples:
      | mode |
      | 0777 |
      | 0755 |
      | 0750 |
      | 0701 |

  @omw.v1
  Scenario: its own that others may use is made private
    Given a daemon has run on its config directory
    When the directory has the mode 0755 and the daemon starts again
    Then its config directory has the mode 0700
    And config.json holds the token of before

  @omw.v1
  Scenario: one that holds other things and that others may use is left alone
    When a daemon is told to take a directory of the mode 0755 that holds other things
    Then it refuses to start
    And the directory is as it was
