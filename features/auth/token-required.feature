@AUTH-01
Feature: Every request needs the token

  Every HTTP request except GET /ping, POST /pair and an extension origin's preflight is refused without the token,
  whatever its path or method: 401, code unauthorized, and nothing reaches a browser.

  Scenario Outline: without the token it is turned away, with it it is let in
    Given Chrome is connected
    When a caller without the token asks for <what>
    Then it is turned away as unauthorized
    And no browser was asked for anything
    When a caller with the token asks for <what>
    Then it is let in

    Examples: a command and every other method
      | what             |
      | POST /command    |
      | GET /command     |
      | HEAD /command    |
      | PUT /command     |
      | PATCH /command   |
      | DELETE /command  |
      | OPTIONS /command |
      | TRACE /command   |
      | BREW /command    |

    Examples: what looks at Chrome's tabs
      | what                 |
      | GET /json            |
      | GET /json/           |
      | GET /json/list       |
      | GET /json/version    |
      | HEAD /json/version   |
      | PUT /json/new        |
      | GET /devtools/page/1 |
      | GET /devtools/browser |

    Examples: what rules the daemon
      | what              |
      | POST /admin/pair  |
      | GET /admin/pair   |
      | POST /admin/token |
      | GET /admin/status |

    Examples: the paths that are open for one method, by another
      | what          |
      | HEAD /ping    |
      | POST /ping    |
      | OPTIONS /ping |
      | GET /pair     |
      | HEAD /pair    |
      | PUT /pair     |
      | OPTIONS /pair |

    Examples: the extension's own path
      | what               |
      | GET /extension     |
      | POST /extension    |
      | OPTIONS /extension |

    Examples: paths that do not exist
      | what                          |
      | GET /                         |
      | GET /favicon.ico              |
      | POST /no/such/path            |
      | OPTIONS /no/such/path         |
      | GET /ping/                    |
      | GET //ping                    |
      | GET /PING                     |
      | GET /pings                    |
      | GET /ping/../json/version     |
      | GET /ping%2f..%2fjson/version |
      | POST /pair/                   |
      | POST /pair/../command         |

  @omw.v1
  Scenario Outline: an extension's preflight needs no token
    When the extension in Chrome sends a preflight for <what>
    Then it is let in

    Examples:
      | what            |
      | GET /ping       |
      | POST /pair      |
      | POST /extension |

  @omw.v1
  Scenario Outline: what only looks like a preflight needs the token
    When a program without the token sends a preflight for <what>
    Then it is turned away as unauthorized

    Examples:
      | what          |
      | GET /ping     |
      | POST /command |
      | GET /json     |
