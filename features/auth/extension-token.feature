@AUTH-04 @role:extension
Feature: The extension sends the token as the subprotocol omw-token.TOKEN beside omw.v1

  Scenario: both byte for byte, at /extension alone
    Given the extension is connected
    Then its upgrade is of /extension and offers omw.v1 and the token, byte for byte
    And its requests carry the Origin of an extension
    And its token stands nowhere else

  Scenario: on the next connection, too
    Given the extension is connected
    When the daemon drops the connection
    And 1s pass
    Then the extension is connected again
    And its upgrade is of /extension and offers omw.v1 and the token, byte for byte
    And its token stands nowhere else

  Scenario Outline: nor where the daemon refuses it
    Given a daemon that refuses <whom> with <status>
    And the extension is started
    When 2s pass
    Then its token stands nowhere else

    Examples:
      | whom             | status |
      | everybody        | 401    |
      | everybody        | 409    |
      | the socket alone | 403    |
      | the socket alone | 409    |
