@FILE-01
Feature: Screenshots and PDFs are written to the absolute path the caller names

  Scenario Outline: the file stands where the caller said
    Given Chrome is connected
    When the agent sends a <action> to the file "picture.out"
    Then it is answered ok
    And the answer names the file "picture.out" and its size
    And the file "picture.out" holds what Chrome made

    Examples:
      | action     |
      | screenshot |
      | pdf        |

  Scenario Outline: what is no absolute path of a file is refused, and touches no page
    Given Chrome is connected
    When the agent sends a screenshot to the path <path>
    Then it is refused with 400 bad_request
    And nothing has reached Chrome
    And no file was made

    Examples:
      | path                  |
      | "shot.png"            |
      | "./a.png"             |
      | "../a.png"            |
      | "~/a.png"             |
      | ""                    |
      | "file:///tmp/a.png"   |
      | "C:\\\\a.png"         |
      | "/tmp/x/"             |
      | "/tmp/a\u0000.png"    |

  @omw.v1
  Scenario: a path that goes up and down again is made straight, and the answer says where it went
    Given Chrome is connected
    When the agent sends a screenshot to the file "sub/../picture.out"
    Then it is answered ok
    And the answer names the file "picture.out" and its size

  Scenario: without a path the picture is in the answer
    Given Chrome is connected
    When the agent sends a screenshot
    Then it is answered ok
    And the answer holds the picture
    And no file was made

  @heavy
  Scenario: a picture too large for one message is written whole
    Given Chrome is connected
    And a screenshot A to the file "large.out" that Chrome is working on
    When Chrome answers A with a picture of 5000000 bytes
    Then A is answered ok
    And the file "large.out" has 5000000 bytes
    And Chrome holds no artifact any more
