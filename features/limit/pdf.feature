@LIMIT-16 @heavy
Feature: PDF output: 100 MiB

  # A hundred MiB go over the wire here, so that the time on the wall counts.
  @lane:real
  Scenario: 104,857,600 bytes are written
    Given Chrome is connected
    And a pdf A to the file "large.pdf" that Chrome is working on
    When Chrome answers A with a PDF of 104857600 bytes
    Then A is answered ok
    And the file "large.pdf" has 104857600 bytes

  Scenario: one byte more is too_large, and nothing is written
    Given Chrome is connected
    And a pdf A to the file "large.pdf" that Chrome is working on
    When Chrome answers A with a PDF of 104857601 bytes
    Then A is answered too_large
    And no file was made
    And Chrome holds no artifact any more
