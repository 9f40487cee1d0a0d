@AUTH-12
Feature: A request names a path and nothing more

  An absolute-form target and OPTIONS * are refused too: there the Host is not the one that the header says.

  Scenario Outline: an absolute target is refused, on every path
    Given Chrome is connected
    When every path is asked for by the absolute target <target> at the Host <host>
    Then every one is turned away for its Host
    And no browser was asked for anything

    Examples:
      | target                  | host           |
      | http://127.0.0.1        | evil.example   |
      | http://127.0.0.1:PORT   | evil.example   |
      | http://127.0.0.1:PORT   | 127.0.0.1:PORT |
      | http://localhost:PORT   | 127.0.0.1:PORT |
      | http://evil.example     | 127.0.0.1:PORT |
      | https://127.0.0.1       | 127.0.0.1:PORT |

  Scenario Outline: OPTIONS * is refused
    When OPTIONS * is asked for <how>
    Then it is turned away for its Host

    Examples:
      | how                      |
      | with the token           |
      | without the token        |
      | at the Host evil.example |
