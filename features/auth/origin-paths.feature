@AUTH-15
Feature: An extension has three paths

  An extension Origin is accepted only on /extension, /ping and /pair; on /command, /json, /devtools/* it is refused even
  with a good token.

  Scenario Outline: elsewhere it is refused, the token notwithstanding
    Given Chrome is connected
    When the extension in <browser> with the token asks for every other path
    Then every one is turned away with 403
    And nobody may read or do anything across origins
    And no browser was asked for anything

    Examples:
      | browser |
      | Chrome  |
      | Firefox |

  Scenario Outline: elsewhere its preflights are refused
    When the extension in <browser> sends a preflight for every other path
    Then every one is turned away with 403
    And nobody may read or do anything across origins

    Examples:
      | browser |
      | Chrome  |
      | Firefox |

  Scenario: there a program is let in, which has no Origin
    When a program with the token asks for every other path
    Then every one is let in

  Scenario Outline: on its own paths it is let in
    When the extension of <origin> asks everywhere it may
    Then every one is let in

    Examples:
      | origin                                               |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop  |
      | moz-extension://3f2504e0-4f89-41d3-9a0c-0305e82c3301 |

  @omw.v1
  Scenario Outline: there it may read every answer, and nobody else may
    When the extension in <browser> is given <answer>
    Then that extension alone may read it

    Examples:
      | browser | answer                   |
      | Chrome  | the version              |
      | Firefox | the version              |
      | Chrome  | the token for its code   |
      | Firefox | the token for its code   |
      | Chrome  | a refusal of its code    |
      | Chrome  | a refusal of its token   |
      | Chrome  | a refusal of its method  |
      | Chrome  | a refusal of its nonce   |
      | Firefox | a refusal of its token   |
      | Chrome  | leave to open its socket |
      | Firefox | leave to open its socket |

  @omw.v1
  Scenario Outline: a preflight allows it what it needs there
    When the extension in <browser> sends a preflight for <what>
    Then that extension alone may read it
    And it may send <what> with <headers>

    Examples:
      | browser | what            | headers                    |
      | Chrome  | GET /ping       | no header of its own       |
      | Chrome  | POST /pair      | content-type               |
      | Firefox | POST /pair      | content-type               |
      | Chrome  | POST /extension | authorization              |
      | Firefox | POST /extension | authorization              |

  @omw.v1
  Scenario: a preflight allows the way into the private network when it is asked for
    When the extension in Chrome sends a preflight for POST /pair into the private network
    Then that extension alone may read it
    And it is allowed into the private network
