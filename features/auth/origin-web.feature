@AUTH-13
Feature: No web page is let in

  A request with a web Origin (http, https, null, file, data, an unknown scheme) is refused with 403 on every path, /ping
  and /pair included.

  Scenario Outline: its Origin is refused on every path, whatever else it has
    Given Chrome is connected
    When every path is asked for with the Origin <origin>
    Then every one is turned away with 403
    And no browser was asked for anything

    Examples: web pages
      | origin                                       |
      | https://example.org                          |
      | http://example.org                           |
      | https://example.org:17373                    |
      | http://127.0.0.1                             |
      | http://127.0.0.1:PORT                        |
      | https://127.0.0.1:PORT                       |
      | http://localhost:PORT                        |
      | http://[::1]:PORT                            |
      | https://abcdefghijklmnopabcdefghijklmnop     |
      | https://chrome-extension.example             |
      | ws://127.0.0.1:PORT                          |
      | https://evil.example, chrome-extension://abcdefghijklmnopabcdefghijklmnop |

    Examples: what has no site
      | origin                                       |
      | null                                         |
      | NULL                                         |
      | file://                                      |
      | file:///etc/passwd                           |
      | data:                                        |
      | data:text/html,x                             |
      | blob:https://example.org                     |
      | about:blank                                  |
      | javascript:0                                 |

    Examples: other schemes
      | origin                                                        |
      | chrome://settings                                             |
      | devtools://devtools                                           |
      | edge-extension://abcdefghijklmnopabcdefghijklmnop             |
      | safari-web-extension://3f2504e0-4f89-41d3-9a0c-0305e82c3301   |
      | app://obsidian.md                                             |
      | vscode-webview://0a1b2c3d                                     |
      | unheard-of://example.org                                      |
      | abcdefghijklmnopabcdefghijklmnop                              |
      | 127.0.0.1                                                     |

  @omw.v1
  Scenario Outline: an Origin that is none is refused, too
    Given Chrome is connected
    When every path is asked for with <what>
    Then every one is turned away with 403
    And no browser was asked for anything

    Examples:
      | what                                      |
      | an empty Origin                           |
      | two Origins, the extension's and a page's |
      | two Origins, a page's and the extension's |

  Scenario Outline: its preflight is refused, and allowed nothing
    When every path's preflight is sent with the Origin <origin>
    Then every one is turned away with 403
    And nobody may read or do anything across origins

    Examples:
      | origin              |
      | https://example.org |
      | null                |

  Scenario Outline: its requests may not be read
    When every path is asked for with the Origin <origin>
    Then nobody may read or do anything across origins

    Examples:
      | origin              |
      | https://example.org |
      | null                |

  Scenario: a program, which has none, is let in
    When every path of a program is asked for with no Origin
    Then every one is let in
