@FILE-04
Feature: A full or read-only disk gives a clear error; the daemon goes on

  Scenario: a disk with no room
    Given Chrome is connected
    And a disk with room for 65536 bytes
    And a screenshot A to a file on that disk that Chrome is working on
    When Chrome answers A with a picture of 100000 bytes
    Then A is answered file_error
    And A's error says "full"
    And nothing is left on that disk

  Scenario: what there is room for is written afterwards
    Given Chrome is connected
    And a disk with room for 65536 bytes
    And a screenshot A to a file on that disk that Chrome is working on
    When Chrome answers A with a picture of 100000 bytes
    And the agent sends a screenshot B to a file on that disk
    Then B is answered ok

  Scenario: a disk that is read-only
    Given Chrome is connected
    And a disk that is read-only
    When the agent sends a screenshot A to a file on that disk
    Then A is answered file_error
    And A's error says "read-only"

  Scenario: a place that takes no files
    Given Chrome is connected
    When the agent sends a screenshot A to the path "/proc/picture.out"
    Then A is answered file_error
    When the agent sends a click B
    Then B is answered ok

  Scenario: a directory that is not there
    Given Chrome is connected
    When the agent sends a screenshot to the file "missing/picture.out"
    Then it is answered file_error, delivered "no"
    And its error says "missing"
    And nothing has reached Chrome
