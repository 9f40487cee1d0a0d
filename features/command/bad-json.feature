@CMD-14
Feature: What is no good request is refused with what is wrong and where, and nothing reaches a browser

  Scenario: what is not exactly one JSON object
    Given Chrome is connected
    When the agent sends these bodies:
      | body                                            | says             |
      |                                                 | empty            |
      | ⟨20 09 0D 0A⟩                                   | empty            |
      | null                                            | JSON and null    |
      | true                                            | JSON and boolean |
      | 5                                               | JSON and number  |
      | "x"                                             | JSON and string  |
      | []                                              | JSON and array   |
      | [CLICK]                                         | JSON and array   |
      | CLICKCLICK                                      | JSON and behind  |
      | CLICK CLICK                                     | JSON and behind  |
      | CLICK x                                         | JSON and behind  |
      | CLICK,                                          | JSON and behind  |
      | CLICK}                                          | JSON and behind  |
      | CLICK⟨00⟩                                       | JSON and behind  |
      | xCLICK                                          | JSON             |
      | {"action":"click","args":{"selector":"#MARK"},} | JSON and byte    |
      | {"action":"click","args":{"selector":"#MARK",}} | JSON and byte    |
      | {"action":"click","args":{"selector":"#MARK"}   | JSON and ends    |
      | {"action":"click","args":{"selector":"#MARK     | JSON and ends    |
      | {"action":"click" "args":{"selector":"#MARK"}}  | JSON and byte    |
      | {'action':'click','args':{'selector':'#MARK'}}  | JSON and byte    |
      | {action:"click",args:{selector:"#MARK"}}        | JSON and byte    |
      | {"action":"evaluate","args":{"code":NaN}}       | JSON and byte    |
      | {"action":"evaluate","args":{"code":Infinity}}  | JSON and byte    |
      | {"action":"press","args":{"key":"a","tab":01}}  | JSON and byte    |
      | {"action":"press","args":{"key":"a","tab":+1}}  | JSON and byte    |
      | {"action":"press","args":{"key":"a⟨09⟩b"}}      | JSON and byte    |
      | {"action":"press","args":{"key":"\x41"}}        | JSON and byte    |
      | {/* now */"action":"press","args":{"key":"a"}}  | JSON and byte    |
      | CLICK // now                                    | JSON             |
      | action=click&selector=%23MARK                   | JSON             |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  Scenario: a byte order mark, and what is not UTF-8
    Given Chrome is connected
    When the agent sends these bodies:
      | body                                                                    | says            |
      | ⟨EF BB BF⟩CLICK                                                         | byte order mark |
      | ⟨FE FF⟩CLICK                                                            | UTF-8           |
      | {"action":"type","args":{"selector":"#MARK","text":"⟨C3 28⟩"}}          | UTF-8           |
      | {"action":"type","args":{"selector":"#MARK","text":"⟨FF⟩"}}             | UTF-8           |
      | {"action":"type","args":{"selector":"#MARK","text":"⟨C0 AF⟩"}}          | UTF-8           |
      | {"action":"type","args":{"selector":"#MARK","text":"⟨ED A0 80⟩"}}       | UTF-8           |
      | {"action":"type","args":{"selector":"#MARK","text":"⟨E2 82⟩"}}          | UTF-8           |
      | {"action":"click","args":{"selector":"#MARK"},"session":"⟨E9⟩"}         | UTF-8           |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","⟨FF⟩":1}}} | UTF-8           |
      | ⟨7B 00 7D 00⟩                                                           | JSON            |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  Scenario: names that stand twice in one object, at any depth
    Given Chrome is connected
    When the agent sends these bodies:
      | body                                                                                               | says  |
      | {"action":"click","action":"click","args":{"selector":"#MARK"}}                                    | twice |
      | {"action":"click","\u0061ction":"click","args":{"selector":"#MARK"}}                               | twice |
      | {"action":"click","args":{"selector":"#MARK"},"args":{"selector":"#MARK"}}                         | twice |
      | {"action":"click","args":{"selector":"#MARK","selector":"#MARK"}}                                  | twice |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","a":1,"a":1}}}                         | twice |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[×50⟩{"a":1,"b":2,"a":3}⟨]×50⟩}}} | twice |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  # The envelope is the first level, its arguments the second, their params the third.
  @omw.v1
  Scenario: 64 levels pass
    Given Chrome is connected
    When the agent sends these bodies:
      | body                                                                                    |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[×61⟩⟨]×61⟩}}}         |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨{"a":×61⟩1⟨}×61⟩}}}    |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[{"a":×30⟩[]⟨}]×30⟩}}} |
      | {"action":"type","args":{"selector":"#MARK","text":"⟨[×100⟩\"⟨{×100⟩"}}                 |
    Then each is answered ok

  Scenario: 65 do not, nor do any more
    Given Chrome is connected
    When the agent sends these bodies:
      | body                                                                                    | says   |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[×62⟩⟨]×62⟩}}}         | levels |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨{"a":×62⟩1⟨}×62⟩}}}    | levels |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[{"a":×31⟩1⟨}]×31⟩}}}  | levels |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[×9997⟩⟨]×9997⟩}}}     | levels |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":⟨[×900000⟩⟨]×900000⟩}}} | levels |
      | {"action":"click","args":{"selector":"#MARK"},"x":⟨[×900000⟩                            | levels |
      | ⟨[×900000⟩                                                                              | JSON   |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  Scenario: a field of the wrong type or value, and one that nobody knows
    Given Chrome is connected
    When the agent sends clicks with these fields:
      | field      | value            | says                          |
      | action     | null             | string                        |
      | action     | 5                | string                        |
      | action     | ["click"]        | string                        |
      | action     | ""               | no action                     |
      | action     | "jump"           | jump                          |
      | action     | "Click"          | Click                         |
      | action     | "click "         | click                         |
      | action     | "click\u0000"    | click                         |
      | action     | "artifact_read"  | artifact_read                 |
      | action     | "artifact_close" | artifact_close                |
      | args       | null             | object                        |
      | args       | []               | object                        |
      | args       | "{}"             | object                        |
      | session    | null             | string                        |
      | session    | 5                | string                        |
      | session    | {}               | string                        |
      | browser    | null             | string                        |
      | browser    | ["chrome"]       | string                        |
      | browser    | ""               | chrome and firefox            |
      | browser    | "Chrome"         | chrome and firefox            |
      | browser    | "safari"         | chrome and firefox and safari |
      | id         | null             | string                        |
      | id         | 1                | string                        |
      | id         | 1.5              | string                        |
      | id         | {}               | string                        |
      | timeout_ms | null             | number                        |
      | timeout_ms | "5"              | number                        |
      | timeout_ms | true             | number                        |
      | timeout_ms | [5]              | number                        |
      | timeout_ms | 1.5              | number                        |
      | timeout_ms | 0                | number                        |
      | timeout_ms | -1               | number                        |
      | Action     | "click"          | action and args               |
      | timeout    | 5                |                               |
      | tab        | 1                |                               |
      | type       | "request"        |                               |
      | __proto__  | {}               |                               |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  Scenario: an action must be there, by its own name
    Given Chrome is connected
    When the agent sends these bodies:
      | body                                            | says   |
      | {}                                              | action |
      | {"args":{"selector":"#MARK"}}                   | action |
      | {"Action":"click","args":{"selector":"#MARK"}}  | Action |
      | {"action ":"click","args":{"selector":"#MARK"}} | action |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  Scenario: an argument that is wrong, missing or unknown
    Given Chrome is connected
    When the agent sends commands with these arguments:
      | action     | args                                                               | says                    |
      | navigate   | {}                                                                 | url and missing         |
      | navigate   | {"url":5}                                                          | url and string          |
      | navigate   | {"url":"https://MARK.example/","wait":"soon"}                      | wait and soon           |
      | open       | {"url":"https://MARK.example/","colour":1}                         | colour                  |
      | click      | {}                                                                 | ref and selector        |
      | click      | {"ref":"e1","selector":"#MARK"}                                    | ref and selector        |
      | click      | {"selector":null}                                                  | selector                |
      | click      | {"selector":""}                                                    | selector                |
      | click      | {"Selector":"#MARK"}                                               | Selector                |
      | click      | {"ref":5}                                                          | ref and string          |
      | click      | {"ref":"5"}                                                        | ref                     |
      | click      | {"ref":"@e"}                                                       | ref                     |
      | click      | {"selector":"#MARK","button":"top"}                                | button and top          |
      | click      | {"selector":"#MARK","modifiers":"Alt"}                             | modifiers and array     |
      | click      | {"selector":"#MARK","modifiers":["Alt","Alt"]}                     | modifiers and second    |
      | click      | {"selector":"#MARK","tab":"1"}                                     | tab and number          |
      | click      | {"selector":"#MARK","tab":-1}                                      | tab                     |
      | click      | {"selector":"#MARK","tab":1.5}                                     | tab                     |
      | click      | {"selector":"#MARK","tab":9007199254740993}                        | tab                     |
      | click      | {"selector":"#MARK","timeout_ms":5}                                | timeout_ms              |
      | type       | {"selector":"#MARK"}                                               | text and missing        |
      | type       | {"selector":"#MARK","text":5}                                      | text and string         |
      | type       | {"selector":"#MARK","text":"x","submit":"true"}                    | submit and boolean      |
      | press      | {"key":""}                                                         | key                     |
      | select     | {"selector":"#MARK","values":"a"}                                  | values and array        |
      | select     | {"selector":"#MARK","values":["a",5]}                              | values and 1 and string |
      | wait       | {}                                                                 | text and url            |
      | wait       | {"ms":5,"text":"MARK"}                                             | ms and text             |
      | evaluate   | {"code":"MARK","await":1}                                          | await and boolean       |
      | dialog     | {"text":"MARK"}                                                    | accept and missing      |
      | tabs       | {"colour":"MARK"}                                                  | colour                  |
      | headers    | {"cmd":"MARK"}                                                     | cmd                     |
      | headers    | {"cmd":"set","rules":[{"url":"*","request":{"a b":"MARK"}}]}       | rules and request       |
      | presets    | {"cmd":"set","rules":[{"url":"*","block":true,"redirect":"MARK"}]} | rules and block         |
      | cdp        | {"method":"enable","params":{"m":"MARK"}}                          | method                  |
      | cdp        | {"method":"A.b","params":"MARK"}                                   | params and object       |
      | screenshot | {"ref":"e1","full_page":true}                                      | full_page and ref       |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  Scenario: half of a surrogate pair in what is compared
    Given Chrome is connected
    When the agent sends these bodies:
      | body                                                                              | says      |
      | {"action":"click","args":{"selector":"#MARK"},"session":"\ud800"}                 | session   |
      | {"action":"click","args":{"selector":"#MARK"},"session":"a\uDC00b"}               | session   |
      | {"action":"click","args":{"selector":"#MARK"},"session":"\ude00\ud83d"}           | session   |
      | {"action":"click","args":{"selector":"#MARK"},"id":"\udfff"}                      | id        |
      | {"action":"click\ud800","args":{"selector":"#MARK"}}                              | action    |
      | {"action":"click","args":{"selector":"#MARK"},"browser":"chrome\ud800"}           | browser   |
      | {"action":"click","args":{"selector":"#MARK"},"\ud800":1}                         | surrogate |
      | {"action":"click","args":{"selector":"#MARK","\ud800":1}}                         | surrogate |
      | {"action":"cdp","args":{"method":"A.b","params":{"m":"MARK","x":[{"\ud83d":1}]}}} | surrogate |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  @omw.v1
  Scenario: a text in the arguments comes to the browser byte for byte
    Given Chrome is connected
    When the agent types these texts:
      | text                                   |
      | ""                                     |
      | "\ud800"                               |
      | "\uDFFF\uD800"                         |
      | "\ud83d\ude00😀\uD83D\uDE00"           |
      | "\u00e9é\u0065\u0301é"                 |
      | "\u0000\u001f\u007f⟨7F⟩"               |
      | "\/\"\\\\\b\f\\n\r\t"                  |
      | "</script>\u2028 ⟨E2 80 A8⟩ <&>\u003c" |
      | "⟨EF BB BF⟩\ufeff⟨EF BF BF⟩\uffff"     |
      | "\u202e⟨E2 80 AE⟩"                     |
      | "{\"action\":\"click\"}"               |
    Then each is answered ok
    And Chrome has received each text byte for byte

  @omw.v1
  Scenario: names of sessions that are refused
    Given Chrome is connected
    When the agent sends clicks with these fields:
      | field   | value          | says  |
      | session | ""             | empty |
      | session | " "            | blank |
      | session | " shop"        | blank |
      | session | "shop "        | blank |
      | session | "shop\u00a0"   | blank |
      | session | "\u3000shop"   | blank |
      | session | "\u2028shop"   | blank |
      | session | "a\u0000b"     | 0000  |
      | session | "a\tb"         | 0009  |
      | session | "a\\nb"        | 000A  |
      | session | "a\u001fb"     | 001F  |
      | session | "a\u007fb"     | 007F  |
      | session | "a⟨7F⟩b"       | 007F  |
      | session | "a\u0080b"     | 0080  |
      | session | "a\u009fb"     | 009F  |
      | session | "a\u202ab"     | 202A  |
      | session | "\u202ex"      | 202E  |
      | session | "a\u2066b"     | 2066  |
      | session | "a⟨E2 81 A9⟩b" | 2069  |
      | session | "⟨s×129⟩"      | 128   |
      | session | "⟨s×127⟩é"     | 128   |
      | session | "⟨é×65⟩"       | 128   |
      | session | "⟨s×10000⟩"    | 128   |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  @heavy @omw.v1
  Scenario: names of sessions that work, each as its own
    Given Chrome is connected
    When the agent sends clicks of these sessions:
      | session         |
      | "s"             |
      | "⟨s×128⟩"       |
      | "⟨s×126⟩é"      |
      | "⟨é×64⟩"        |
      | "__proto__"     |
      | "constructor"   |
      | "toString"      |
      | "../../x"       |
      | "a/b"           |
      | "a\\\\b"        |
      | "."             |
      | ".."            |
      | "null"          |
      | "0"             |
      | "S1"            |
      | "s1"            |
      | "two words"     |
      | "a\u202fb"      |
      | "a\u2065b"      |
      | "a\u206ab"      |
      | "a\u00a0b"      |
      | "⟨F0 9F 98 80⟩" |
      | "\ud83d\ude01"  |
      | "⟨C3 A9⟩"       |
      | "⟨65 CC 81⟩"    |
      | "\u0053\u0032"  |
    Then each is answered ok
    And Chrome has received each in the session that it names

  @omw.v1
  Scenario Outline: names that look alike are two sessions
    Given Chrome and Firefox are connected
    When the agent sends a click A of session "<one>" to Chrome
    And the agent sends a click B of session "<other>" to Firefox
    Then A and B are answered ok

    Examples:
      | one    | other   |
      | \u00e9 | e\u0301 |
      | shop   | Shop    |
      | a/b    | a/./b   |
      | ß      | ss      |
      | K      | \u212a  |

  @omw.v1
  Scenario: ids that are refused
    Given Chrome is connected
    When the agent sends clicks with these fields:
      | field | value       | says      |
      | id    | ""          | empty     |
      | id    | "⟨i×129⟩"   | 128       |
      | id    | "⟨i×10240⟩" | 128       |
      | id    | "a\u0000"   | printable |
      | id    | "a\u001fb"  | printable |
      | id    | "a\u007fb"  | printable |
      | id    | "a⟨7F⟩b"    | printable |
      | id    | "\u0080"    | printable |
      | id    | "é"         | printable |
      | id    | "\uff11"    | printable |
    Then each is refused with 400 bad_request, and its error says what is wrong
    And nothing has reached Chrome

  @omw.v1
  Scenario: ids that are not
    Given Chrome is connected
    When the agent sends clicks with these fields:
      | field | value     |
      | id    | "i"       |
      | id    | "⟨i×128⟩" |
      | id    | " "       |
      | id    | "~"       |
      | id    | "\u0041"  |
    Then each is answered ok
    And each answer carries the id of its request
