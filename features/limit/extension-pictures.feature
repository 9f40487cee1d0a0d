@LIMIT-10
Feature: Screenshot and PDF jobs: 2 at a time per browser

  Scenario: two at a time
    Given the extension is connected
    When the daemon asks for 6 screenshots, each in a session of its own
    Then they are made two at a time
    And each command was answered once

  Scenario: none is lost
    Given the extension is connected
    When the daemon asks for 9 screenshots, each in a session of its own
    And 3s pass
    Then they are all pictures

  Scenario: pictures and PDFs together
    Given the extension is that of Chrome
    And the extension is connected
    When the daemon asks for 3 screenshots and 3 PDFs, each in a session of its own
    Then they are made two at a time

  Scenario: a third waits in its session's order
    Given the extension is connected
    When the daemon asks for 3 screenshots, each in a session of its own, with an evaluate behind it
    Then they are made two at a time
    And each evaluate was answered behind its picture

  Scenario: what needs no picture does not wait
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon asks for 4 screenshots, each in a session of its own
    And the daemon sends an evaluate A of session "shop"
    Then the extension has answered A with ok, at once
