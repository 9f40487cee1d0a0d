@TAB-08
Feature: What both browsers can do works in both, and Firefox names what it cannot

  Scenario Outline: Firefox answers unsupported, at once
    Given the extension is that of Firefox
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a <action> A with the args <args>
    Then the extension has answered A with unsupported, at once
    And the extension says why to A

    Examples:
      | action     | args                     |
      | pdf        | {}                       |
      | hover      | {"selector":"body"}      |
      | cdp        | {"method":"Page.enable"} |
      | cdp_detach | {}                       |

  Scenario Outline: also while its session works on something
    Given the extension is that of Firefox
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a wait A that takes 5s
    And the daemon sends a <action> B with the args <args>
    Then the extension has answered B with unsupported, at once
    And the extension has not answered A

    Examples:
      | action     | args                     |
      | pdf        | {}                       |
      | hover      | {"selector":"body"}      |
      | cdp        | {"method":"Page.enable"} |

  Scenario Outline: Chrome can
    Given the extension is that of Chrome
    And the extension is connected
    And the session "shop" has a tab
    When the daemon sends a <action> A with the args <args>
    And 200ms pass
    Then the extension has answered A with ok
    And the data of A keep to the action's schema

    Examples:
      | action     | args                     |
      | pdf        | {}                       |
      | hover      | {"selector":"body"}      |
      | cdp_detach | {}                       |

  Scenario Outline: both can
    Given the extension is connected
    And the session "shop" has a tab
    When the daemon sends a <action> A with the args <args>
    And 200ms pass
    Then the extension has answered A with ok
    And the data of A keep to the action's schema

    Examples:
      | action     | args                                                             |
      | screenshot | {}                                                               |
      | screenshot | {"format":"jpeg"}                                                |
      | evaluate   | {"code":"[1,{\"a\":null}]"}                                      |
      | presets    | {"cmd":"list"}                                                   |
      | presets    | {"cmd":"set","rules":[{"url":"*://ads.example/*","block":true}]} |
      | presets    | {"cmd":"clear"}                                                  |
      | headers    | {"cmd":"list"}                                                   |
      | headers    | {"cmd":"clear"}                                                  |
      | snapshot   | {}                                                               |
      | tabs       | {}                                                               |
      | sessions   | {}                                                               |
      | status     | {}                                                               |
