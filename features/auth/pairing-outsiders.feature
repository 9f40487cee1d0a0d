Feature: Outsiders do not use up the person's pairing code

  POST /pair is asked twenty times by somebody who may not, and then once, at once, by the extension.

  Scenario Outline: guesses from outside cost nothing
    Given a pairing code
    When 20 wrong guesses come from <whom>
    Then every one is turned away with 403
    When the extension redeems it
    Then it is accepted

    @AUTH-12
    Examples: another name of the machine
      | whom                                              |
      | the extension at the Host evil.example            |
      | the extension at the Host localhost               |

    @AUTH-13
    Examples: web pages
      | whom                                              |
      | a page of https://evil.example                    |
      | a page of https://evil.example, as plain text     |
      | a page of null                                    |
      | a page of http://127.0.0.1                        |

    @AUTH-14
    Examples: what only looks like an extension
      | whom                                              |
      | a page of chrome-extension://abcdefghijklmnop     |
      | a page of moz-extension://job@example.org         |
