@AUTH-11
Feature: The daemon listens on 127.0.0.1 alone

  The daemon listens on 127.0.0.1 alone, port 17373 by default; any other address is refused at start.

  Scenario Outline: another address is refused at start
    When a daemon is told to listen at <address>
    Then it refuses to start

    Examples:
      | address            |
      | 0.0.0.0:0          |
      | :0                 |
      | localhost:0        |
      | [::1]:0            |
      | [::]:0             |
      | [::ffff:127.0.0.1]:0 |
      | 127.0.0.2:0        |
      | 127.1:0            |
      | 192.0.2.1:0        |
      | MACHINE:0          |

  Scenario: 127.0.0.1 is taken, and nothing else answers
    When a daemon is told to listen at a free port of 127.0.0.1
    Then it answers there
    And at no other address of this machine

  Scenario: by default it is port 17373 of 127.0.0.1
    When a daemon is told no address
    Then it listens at 127.0.0.1:17373, or says that this is taken
