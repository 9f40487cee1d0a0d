@KIT-06
Feature: The fake extension emulates Chrome and Firefox

  Scenario: Chrome asks for the proof, and opens its socket
    Given the extension is that of Chrome
    And the extension is connected
    Then it has asked, in this order: GET /ping, the upgrade
    And its requests by GET carry an Origin
    And its requests say Sec-Fetch-Site cross-site
    And its hello says that it may open files

  Scenario: Firefox asks before it opens one
    Given the extension is that of Firefox
    And the extension is connected
    Then it has asked, in this order: GET /ping, POST /extension, the upgrade
    And its requests by GET carry no Origin
    And its requests say Sec-Fetch-Site same-origin
    And its hello says that it may not open files

  Scenario: Chrome asks for the reason after a refusal, with a preflight
    Given the extension is that of Chrome
    And a daemon that refuses everybody with 409
    And the extension is started
    Then it has asked, in this order: GET /ping, the upgrade, OPTIONS /extension, POST /extension

  Scenario: Firefox does not even try
    Given the extension is that of Firefox
    And a daemon that refuses everybody with 409
    And the extension is started
    Then it has asked, in this order: GET /ping, POST /extension

  Scenario: it says hello, and is asked for nothing else
    Given the extension is connected
    Then its first frame is a hello, and no other one is
    And its hello has every field, as the schema has it
    And its hello names the browser that its Origin shows, and a version

  @wait:61s
  Scenario: it pings
    Given the extension is connected
    When 59.5s pass
    Then the extension has sent pings after 20s and 40s

  Scenario: it is busy past its queue
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends evaluates B1 to B33
    Then the extension has answered B33 with busy, at once
    And the extension has not answered A and B1 to B32

  @wait:36s
  Scenario: its background is stopped, and comes back at its alarm
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the browser stops the background
    Then the connection has ended by a close frame with 1001
    And A was answered not at all
    And the extension is connected again, 30s at most after the stop
    And its hello names the session "shop"

  Scenario: it freezes and goes on
    Given the extension is connected
    And the session "shop" has a tab
    When the simulator freezes
    And the daemon sends an evaluate A
    And 5s pass
    Then A was answered not at all
    When the simulator thaws
    Then A was answered once

  Scenario Outline: it leaves when it is told to, with any code
    Given the extension is connected
    When the simulator closes with the code <code>
    Then the connection has ended <how>

    Examples:
      | code | how                             |
      | 1000 | by a close frame with 1000      |
      | 1005 | by a close frame without a code |
      | 4321 | by a close frame with 4321      |
      | 0    | by a close frame without a code |

  @wait:40s
  Scenario: it backs off
    Given a daemon that refuses everybody with 409
    And the extension is started
    When the extension has tried 6 times
    Then its tries keep to the back-off

  Scenario Outline: it names what it cannot do
    Given the extension is that of Firefox
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a <action> A with the args <args>
    Then the extension has answered A with unsupported, at once

    Examples:
      | action     | args                     |
      | pdf        | {}                       |
      | hover      | {"selector":"body"}      |
      | cdp        | {"method":"Page.enable"} |
      | cdp_detach | {}                       |
