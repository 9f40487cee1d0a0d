@AUTH-04
Feature: The extension's token is a subprotocol

  The extension sends the token as the WebSocket subprotocol omw-token.TOKEN beside omw.v1, both byte for byte; the
  daemon selects omw.v1 and never echoes the token.

  Scenario Outline: the right offer is taken
    When the extension offers <offer>
    Then its socket opens under omw.v1 alone
    And the answer does not repeat the token

    Examples:
      | offer                                  |
      | omw.v1 and the token                   |
      | the token and omw.v1                   |
      | omw.v1 and the token without a blank   |
      | omw.v1 and the token in two lines      |
      | omw.v1, chat and the token             |

  Scenario Outline: any other is refused
    When the extension offers <offer>
    Then its socket does not open
    When the extension offers omw.v1 and the token
    Then its socket opens under omw.v1 alone

    Examples:
      | offer                                            |
      | nothing                                          |
      | omw.v1 alone                                     |
      | the token alone                                  |
      | OMW.V1 and the token                             |
      | Omw.v1 and the token                             |
      | omw.v2 and the token                             |
      | omw.v1.0 and the token                           |
      | omw.v1 and the token behind OMW-TOKEN.           |
      | omw.v1 and the token behind Omw-Token.           |
      | omw.v1 and the token behind omw-token:           |
      | omw.v1 and the token behind omw-token            |
      | omw.v1 and the token behind token.               |
      | omw.v1 and the token behind nothing              |

    @omw.v1
    Examples: what the wire's page decides
      | offer                                            |
      | omw.v1, another token and the token              |
      | omw.v1, the token and another token              |
      | omw.v1 alone, and the token as a program does    |
