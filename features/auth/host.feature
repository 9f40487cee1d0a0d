@AUTH-12
Feature: The Host is 127.0.0.1

  A request whose Host is not 127.0.0.1, with or without a port, is refused (403; 400 where the HTTP library refuses it
  itself) before anything else is looked at, on every path.

  Scenario Outline: no other name is served, on any path
    Given Chrome is connected
    When every path is asked for at the Host <host>
    Then every one is turned away for its Host
    And no browser was asked for anything

    Examples: other names of the machine
      | host                   |
      | localhost              |
      | localhost:PORT         |
      | LOCALHOST:PORT         |
      | localhost.:PORT        |
      | [::1]                  |
      | [::1]:PORT             |
      | [::ffff:127.0.0.1]:PORT |
      | 127.0.0.1.             |
      | 127.0.0.1.:PORT        |
      | 127.1                  |
      | 127.1:PORT             |
      | 127.0.1                |
      | 127.0.0.2:PORT         |
      | 127.000.000.001        |
      | 2130706433             |
      | 0x7f000001:PORT        |
      | 0x7f.1                 |
      | 0177.0.0.1             |
      | 0.0.0.0:PORT           |
      | MACHINE:PORT           |

    Examples: names that resolve to 127.0.0.1
      | host                         |
      | evil.example                 |
      | evil.example:PORT            |
      | 127.0.0.1.evil.example:PORT  |
      | 127.0.0.1.nip.io             |
      | localtest.me:PORT            |
      | x127.0.0.1                   |
      | 127.0.0.10                   |

    Examples: what is no name
      | host                       |
      | 127.0.0.1%20               |
      | 127.0.0.1,evil.example     |
      | evil.example,127.0.0.1     |
      | evil.example:127.0.0.1     |
      | 127.0.0.1:evil.example     |

  Scenario Outline: what cannot stand in a Host is no other way in
    Given Chrome is connected
    When every path is asked for at the Host <host>
    Then every one is turned away for its Host, by the HTTP library or the daemon
    And no browser was asked for anything

    Examples:
      | host                        |
      | 127.0.0.1 evil.example      |
      | 127.0.0.1:PORT@evil.example |
      | evil.example@127.0.0.1:PORT |
      | 127.0.0.1/evil.example      |
      | 127.0.0.1#evil.example      |
      | 127.0.0.1?evil.example      |
      | http://127.0.0.1:PORT       |
      | //127.0.0.1                 |

  Scenario Outline: nobody is served without one
    Given Chrome is connected
    When every path is asked for with <what>
    Then every one is turned away for its Host, by the HTTP library or the daemon
    And no browser was asked for anything

    Examples:
      | what                                |
      | no Host                             |
      | no Host, in HTTP/1.0                |
      | an empty Host                       |
      | two Hosts, the right one first      |
      | two Hosts, the right one last       |

  Scenario Outline: other headers do not stand for it
    When every path is asked for at the Host evil.example with <header>
    Then every one is turned away for its Host

    Examples:
      | header                            |
      | X-Forwarded-Host: 127.0.0.1       |
      | X-Host: 127.0.0.1                 |
      | X-Original-Host: 127.0.0.1        |
      | Forwarded: host=127.0.0.1         |

  Scenario Outline: it is looked at before anything else
    When what is wrong in <way> is asked for at the Host localhost:PORT
    Then every one is turned away for its Host

    Examples:
      | way            |
      | its token      |
      | its path       |
      | its method     |
      | its media type |
      | its size       |
      | its body       |
      | everything     |

  Scenario: a pairing code is not redeemed at another Host
    Given a pairing code
    When the extension redeems it at the Host localhost:PORT
    Then it is turned away for its Host
    When the extension redeems it
    Then it is accepted

  Scenario Outline: it is served on every path
    When every path is asked for at the Host <host>
    Then every one is let in

    Examples:
      | host            |
      | 127.0.0.1       |
      | 127.0.0.1:PORT  |

    @omw.v1
    Examples: a forwarded port
      | host            |
      | 127.0.0.1:1     |
      | 127.0.0.1:80    |
      | 127.0.0.1:9999  |
      | 127.0.0.1:65535 |

  @omw.v1
  Scenario Outline: other headers do not take it away
    When every path is asked for at the Host 127.0.0.1:PORT with <header>
    Then every one is let in

    Examples:
      | header                          |
      | X-Forwarded-Host: evil.example  |
      | Forwarded: host=evil.example    |

  @omw.v1
  Scenario: the refusal says how the daemon is called
    When every path is asked for at the Host localhost:PORT
    Then every one is told of 127.0.0.1
