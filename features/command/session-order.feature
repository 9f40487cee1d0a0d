@CMD-06
Feature: Commands of one session run in order: the daemon sends them in the order it admitted them

  Scenario: one behind the other
    Given Chrome is connected
    When the agent sends 20 clicks of session "shop", one behind the other
    Then Chrome receives them in their order

  Scenario: two sessions mingled
    Given Chrome is connected
    When the agent sends 20 clicks of sessions "shop" and "mail" in turn, one behind the other
    Then Chrome receives those of each session in their order

  @heavy
  Scenario: while the session's first command makes the daemon read a large file
    Given Firefox is connected
    And an upload A of session "shop" of 12 MiB to Firefox, admitted and not yet sent
    When the agent sends 5 clicks of session "shop", one behind the other
    Then Firefox receives A and then them in their order

  Scenario: while the bindings of new sessions are being written
    Given Chrome is connected
    When the agent begins 20 sessions, each with a click and another behind it as soon as the first is admitted
    Then Chrome receives those of each session in their order

  Scenario: many at once, each of them once
    Given Chrome is connected
    When the agent sends 30 clicks of sessions "shop" and "mail" in turn, all at once
    Then Chrome receives each of them once

  Scenario: the queue of the extension is not the daemon's
    Given Chrome is connected
    And a click A of session "shop" that Chrome works on
    When the agent sends a click B of session "shop"
    And the agent sends a click C of session "shop"
    Then Chrome has received A, B and C in that order
