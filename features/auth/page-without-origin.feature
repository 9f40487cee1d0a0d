@AUTH-19
Feature: No page is let in without an Origin either

  A request that a web page makes without an Origin (image, script, no-cors fetch: Sec-Fetch-Site cross-site or
  same-site) is refused on every path.

  Scenario Outline: the browser says that a page made it
    Given Chrome is connected
    When every path of a program is asked for by a <site> page without an Origin
    Then every one is turned away with 403
    And no browser was asked for anything

    Examples:
      | site       |
      | cross-site |
      | same-site  |

  Scenario Outline: whatever the page wants of it
    Given Chrome is connected
    When every path of a program is asked for by a cross-site page without an Origin, <how>
    Then every one is turned away with 403
    And no browser was asked for anything

    Examples:
      | how             |
      | as an image     |
      | as a script     |
      | as a fetch      |
      | as a navigation |

  Scenario Outline: a page's request without the token is refused for being a page's
    When every path of a program is asked for by a <site> page without an Origin and without the token
    Then every one is turned away with 403

    Examples:
      | site       |
      | cross-site |
      | same-site  |

  Scenario Outline: what no page made is let in
    When every path of a program is asked for by a <site> page without an Origin
    Then every one is let in

    Examples:
      | site        |
      | none        |
      | same-origin |

  Scenario: an extension's request says cross-site, too, and is let in
    When the extension in Chrome asks everywhere it may, cross-site
    Then every one is let in
