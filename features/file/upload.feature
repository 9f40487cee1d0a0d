@FILE-03
Feature: Upload files are read by the daemon where the extension needs bytes, and named by path where it may open them

  Scenario: Firefox gets bytes
    Given Firefox is connected
    And the file "cv.pdf" of 1000 bytes
    When the agent sends an upload of "cv.pdf"
    Then it is answered ok
    And Firefox has received the name and the bytes of "cv.pdf"

  Scenario: Chrome gets the path
    Given Chrome is connected
    And the file "cv.pdf" of 1000 bytes
    When the agent sends an upload of "cv.pdf"
    Then it is answered ok
    And Chrome has received the path of "cv.pdf"

  Scenario: Chrome that may not open files gets bytes
    Given Chrome is connected and may not open files
    And the file "cv.pdf" of 1000 bytes
    When the agent sends an upload of "cv.pdf"
    Then it is answered ok
    And Chrome has received the name and the bytes of "cv.pdf"

  Scenario Outline: what cannot be uploaded is said before the page is touched
    Given <browser> is connected
    And <what> at "cv.pdf"
    When the agent sends an upload of "cv.pdf"
    Then it is answered file_error, delivered "no"
    And it took no time
    And its error says "cv.pdf"
    And nothing has reached <browser>

    Examples:
      | browser | what                     |
      | Chrome  | nothing                  |
      | Chrome  | a directory              |
      | Chrome  | a pipe                   |
      | Chrome  | a dangling symbolic link |
      | Firefox | nothing                  |
      | Firefox | a directory              |
      | Firefox | a pipe                   |
      | Firefox | a dangling symbolic link |

  Scenario: one bad file spoils the upload, before any is sent
    Given Firefox is connected
    And the file "cv.pdf" of 1000 bytes
    When the agent sends an upload of "cv.pdf" and "missing.pdf"
    Then it is answered file_error, delivered "no"
    And nothing has reached Firefox

  Scenario: a link to a file is the file
    Given Firefox is connected
    And a symbolic link to a file at "cv.pdf"
    When the agent sends an upload of "cv.pdf"
    Then it is answered ok

  Scenario: a relative path is refused
    Given Chrome is connected
    When the agent sends an upload of the path "cv.pdf"
    Then it is refused with 400 bad_request
    And nothing has reached Chrome
