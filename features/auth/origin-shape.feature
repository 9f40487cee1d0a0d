@AUTH-14
Feature: An extension's Origin has one shape

  Only chrome-extension:// with 32 letters a to p and moz-extension:// with a UUID are accepted as Origin; 31 or 33
  letters, q to z, digits, capitals, a path, a port or a suffix are refused.

  Scenario Outline: an Origin of this shape is accepted
    When the extension of <origin> asks everywhere it may
    Then every one is let in

    Examples:
      | origin                                                 |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop    |
      | chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa    |
      | chrome-extension://pppppppppppppppppppppppppppppppp    |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b   |
      | moz-extension://00000000-0000-0000-0000-000000000000   |
      | moz-extension://ffffffff-ffff-ffff-ffff-ffffffffffff   |

  Scenario Outline: any other is refused
    When the extension of <origin> asks everywhere it may
    Then every one is turned away with 403

    Examples: letters of Chrome
      | origin                                                     |
      | chrome-extension://abcdefghijklmnopabcdefghijklmno         |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnopa       |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnoq        |
      | chrome-extension://qbcdefghijklmnopabcdefghijklmnop        |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnoz        |
      | chrome-extension://abcdefghijklmnopabcdefghijklmno0        |
      | chrome-extension://9bcdefghijklmnopabcdefghijklmnop        |
      | chrome-extension://abcdefghijklmnopAbcdefghijklmnop        |
      | chrome-extension://ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP        |
      | chrome-extension://abcdefghijklmnop-bcdefghijklmnop        |
      | chrome-extension://abcdefghijklmnop%61bcdefghijklmnop      |
      | chrome-extension://                                        |
      | chrome-extension://*                                       |
      | chrome-extension://evil                                    |
      | chrome-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b    |

    Examples: something before or behind them
      | origin                                                          |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop/            |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop/x           |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop:80          |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop:            |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop.            |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop?x           |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop#x           |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop.evil.example |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop, https://evil.example |
      | chrome-extension://abcdefghijklmnopabcdefghijklmnop https://evil.example |
      | chrome-extension://u@abcdefghijklmnopabcdefghijklmnop           |
      | chrome-extension:///abcdefghijklmnopabcdefghijklmnop            |
      | chrome-extension:abcdefghijklmnopabcdefghijklmnop               |
      | xchrome-extension://abcdefghijklmnopabcdefghijklmnop            |
      | CHROME-EXTENSION://abcdefghijklmnopabcdefghijklmnop             |

    Examples: Firefox
      | origin                                                      |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6         |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b7       |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6g        |
      | moz-extension://zf2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b        |
      | moz-extension://3f2b6c1e8a4d4e0f9b7a1c2d3e4f5a6b            |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a1-c2d3e4f5a6b        |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6-        |
      | moz-extension://3f2b6c1e_8a4d_4e0f_9b7a_1c2d3e4f5a6b        |
      | moz-extension://{3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b}      |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b/       |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b/x      |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b:80     |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b.evil.example |
      | moz-extension://u@3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b      |
      | moz-extension://job@example.org                             |
      | moz-extension://                                            |
      | moz-extension://abcdefghijklmnopabcdefghijklmnop            |

  Scenario Outline: capitals in a UUID are refused, or taken by a stranger
    When the extension of <origin> asks everywhere it may
    Then every one is turned away with 403, or let in for its capitals

    Examples:
      | origin                                               |
      | moz-extension://3F2B6C1E-8A4D-4E0F-9B7A-1C2D3E4F5A6B |
      | moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6B |

  Scenario: every UUID is as good as another
    Given a pairing code
    When the extension of moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b redeems it
    Then it is accepted
    And the daemon's token opens the socket of the extension of moz-extension://0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d
