@FILE-02
Feature: An artifact file is mode 0600, through a temporary file, never over an existing path

  Scenario: nobody else can read it
    Given Chrome is connected
    When the agent sends a screenshot to the file "picture.out"
    Then the file "picture.out" has the mode 0600

  Scenario Outline: nobody else can read it, whatever the umask
    Given a daemon whose umask is <umask>
    And Chrome is connected
    When the agent sends a screenshot to the file "picture.out"
    Then the file "picture.out" has the mode 0600

    Examples:
      | umask |
      | 000   |
      | 077   |

  Scenario Outline: what stands there is left alone, and the page too
    Given Chrome is connected
    And <what> at "picture.out"
    When the agent sends a screenshot to the file "picture.out"
    Then it is answered file_exists, delivered "no"
    And "picture.out" is what it was
    And nothing has reached Chrome
    And nothing else was made

    Examples:
      | what                        |
      | a file                      |
      | a directory                 |
      | a symbolic link to a file   |
      | a dangling symbolic link    |
      | a pipe                      |

  Scenario Outline: also when it comes to stand there while the picture is made
    Given Chrome is connected
    And a screenshot A to the file "picture.out" that Chrome is working on
    And <what> at "picture.out"
    When Chrome answers A with a picture of 1000 bytes
    Then A is answered file_exists
    And "picture.out" is what it was
    And nothing else was made

    Examples:
      | what                        |
      | a file                      |
      | a dangling symbolic link    |

  Scenario: two for one path, and one of them has it
    Given Chrome is connected
    And a screenshot A to the file "picture.out" that Chrome is working on
    And a screenshot B to the file "picture.out" that Chrome is working on
    When Chrome answers A with a picture of 1000 bytes
    And Chrome answers B with a picture of 2000 bytes
    Then A is answered ok
    And B is answered file_exists
    And the file "picture.out" has 1000 bytes

  Scenario: a command that fails leaves nothing
    Given Chrome is connected
    And a screenshot A to the file "picture.out" that Chrome is working on
    When Chrome answers A with tab_gone
    Then A is answered tab_gone
    And no file was made

  Scenario: a browser that leaves in the middle of a picture leaves nothing
    Given Chrome is connected
    And a screenshot A to the file "large.out" that Chrome is working on
    When Chrome answers A with a picture of 5000000 bytes, and leaves before it was read
    And 2 seconds pass
    Then A is answered outcome_unknown
    And no file was made

  Scenario Outline: a name has at most 255 bytes
    Given Chrome is connected
    When the agent sends a screenshot to a file whose name has <bytes> bytes
    Then it is answered <answer>

    Examples:
      | bytes | answer     |
      | 254   | ok         |
      | 255   | ok         |
      | 256   | file_error |
