"""The actions of section 4 of wire.md, as one table that a person can read and a program can check by.

A row is: name and its aliases, flags, arguments, and what its data must hold. `name:type` is optional, `name:type!` is
required. A row named `action.cmd` is one form of an action that has a cmd. `tab` is taken by every action that does not
carry the flag tabless.
"""

import os.path
import re
from dataclasses import dataclass, field
from typing import Any

TABLE = """
navigate open goto    |                   | url:word! new_tab:bool group_title:text wait:load|domcontentloaded|none | tab:tab url:text title:text
back                  |                   |                                                            | tab:tab url:text title:text
forward               |                   |                                                            | tab:tab url:text title:text
reload                |                   |                                                            | tab:tab url:text title:text
snapshot              | target?           | interactive:bool frame:word                                | text:text nodes:count truncated:bool url:text title:text
click                 | target            | button:left|middle|right modifiers:modifiers               |
dblclick              | target            | button:left|middle|right modifiers:modifiers               |
hover                 | target            | modifiers:modifiers                                        |
focus                 | target            |                                                            |
type fill             | target            | text:text! mode:replace|append submit:bool                 |
press press_key       | target?           | key:word! modifiers:modifiers                              |
select select_option  | target            | values:texts!                                              | selected:texts
check                 | target            | checked:bool                                               | checked:bool
scroll                | target? one=direction,to | direction:up|down|left|right amount:distance to:ref | scrolled:number at_boundary:bool
drag                  |                   | from:word! to:word!                                        |
upload                | target            | files:paths!                                               | names:texts
dialog                | reserved          | accept:bool! text:text                                     | type:text message:text
evaluate              |                   | code:word! frame:word await:bool                           | value:any
frame                 |                   | frame:word                                                 | frame:any
wait                  | one=text,selector,url,ms,load | text:word selector:word url:word ms:wait load:state gone:bool |
extract               | most=refs,selector | refs:refs selector:word format:text|markdown|html         | items:list
screenshot            | target?           | path:path format:png|jpeg quality:percent full_page:bool   |
pdf save_as_pdf       |                   | path:path! landscape:bool scale:scale paper:a3|a4|a5|legal|letter|tabloid margins:margins pages:pages background:bool |
network.list          |                   | filter:word since:count limit:limit                        |
network.body          |                   | id:word!                                                   |
network.clear         |                   |                                                            |
console.list          |                   | level:debug|log|info|warn|error since:count limit:limit    |
console.clear         |                   |                                                            |
presets.list          |                   |                                                            | rules:list
presets.set           |                   | rules:presets!                                             | rules:list
presets.clear         |                   |                                                            | rules:list
headers.list          |                   |                                                            | rules:list
headers.set           |                   | rules:headers!                                             | rules:list
headers.clear         |                   |                                                            | rules:list
cookies.get           |                   | name:word                                                  | cookies:list
cookies.set           |                   | name:word! value:text! domain:word path:word secure:bool http_only:bool same_site:strict|lax|none|unspecified expires:expiry | cookies:list
cookies.clear         |                   | name:word                                                  | cookies:list
downloads.list        |                   | filter:word limit:limit                                    | downloads:list
downloads.wait        |                   | id:count filter:word                                       | downloads:list
downloads.cancel      |                   | id:count!                                                  | downloads:list
tabs list_tabs        | unbound           | all:bool                                                   | tabs:list
borrow                |                   |                                                            | tabs:list
release               |                   |                                                            | tabs:list
close_tab             |                   |                                                            | tabs:list
switch_tab            |                   | tab:tab!                                                   | tabs:list
sessions              | unbound tabless   |                                                            | sessions:list
status                | unbound tabless   |                                                            | browser:text
close_session         | reserved unbound tabless |                                                     | closed:list released:list
cdp                   | chrome            | method:method! params:object                               | result:object
cdp_detach            | reserved chrome   |                                                            |
"""


def _whole(value: Any, low: int, high: int) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return low <= value <= high and value == int(value)


def _number(value: Any, low: float, high: float) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, float)) and low <= value <= high


def _list(value: Any, each, least: int = 0, most: int | None = None) -> bool:
    return isinstance(value, list) and len(value) >= least and (most is None or len(value) <= most) and all(map(each, value))


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _word(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _matches(pattern: str):
    compiled = re.compile(pattern)
    return lambda value: isinstance(value, str) and compiled.fullmatch(value) is not None


def _path(value: Any) -> bool:
    if not _word(value) or not value.startswith("/") or value.endswith("/") or "\0" in value:
        return False
    if any("\ud800" <= char <= "\udfff" for char in value):
        return False
    return os.path.basename(value) not in (".", "..")


def _rule(value: Any, fields: tuple, needs: tuple) -> bool:
    return isinstance(value, dict) and set(value) <= {"url", *fields} and _word(value.get("url")) \
        and any(name in value for name in needs)


def _preset(value: Any) -> bool:
    return _rule(value, ("types", "block", "redirect"), ("block", "redirect")) \
        and ("block" in value) != ("redirect" in value) \
        and value.get("block", True) is True and _word(value.get("redirect", "x")) \
        and _list(value.get("types", ["other"]), lambda kind: kind in RESOURCES, 1)


def _changes(value: Any) -> bool:
    return isinstance(value, dict) and all(
        HEADER_NAME(name) and (to is None or isinstance(to, str)) for name, to in value.items())


def _header(value: Any) -> bool:
    return _rule(value, ("request", "response"), ("request", "response")) \
        and _changes(value.get("request", {})) and _changes(value.get("response", {}))


def is_count(value: Any) -> bool:
    return _whole(value, 0, BIG)


BIG = 1 << 53
REF = _matches(r"(@|ref=)?e[0-9]{1,16}")
HEADER_NAME = _matches(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
RESOURCES = ("document", "subframe", "script", "stylesheet", "image", "font", "media", "xhr", "websocket", "ping", "other")
MODIFIERS = ("Alt", "Control", "ControlOrMeta", "Meta", "Shift")

TYPES = {
    "any": (lambda value: True, "anything"),
    "bool": (lambda value: isinstance(value, bool), "true or false"),
    "text": (_text, "text"),
    "word": (_word, "text that is not empty"),
    "texts": (lambda value: _list(value, _text), "a list of texts"),
    "list": (lambda value: isinstance(value, list), "a list"),
    "object": (lambda value: isinstance(value, dict), "an object"),
    "number": (lambda value: _number(value, float("-inf"), float("inf")), "a number"),
    "count": (is_count, "a whole number from 0 to 2^53"),
    "limit": (lambda value: _whole(value, 1, 500), "a whole number from 1 to 500"),
    "tab": (lambda value: _whole(value, 0, BIG), "the id of a tab: a whole number from 0 to 2^53"),
    "ref": (REF, "a reference such as @e5"),
    "refs": (lambda value: _list(value, REF, 1), "a list of references such as @e5"),
    "modifiers": (lambda value: _list(value, lambda key: isinstance(key, str) and key in MODIFIERS)
                  and len(set(value)) == len(value), "a list of " + ", ".join(MODIFIERS) + ", each once"),
    "distance": (lambda value: _number(value, 0, 1_000_000) and value > 0, "CSS pixels, more than 0, at most 1000000"),
    "wait": (lambda value: _whole(value, 0, 120_000), "milliseconds from 0 to 120000"),
    "state": (lambda value: value is True or value in ("load", "domcontentloaded"), "true, load or domcontentloaded"),
    "percent": (lambda value: _whole(value, 0, 100), "a whole number from 0 to 100"),
    "scale": (lambda value: _number(value, 0.1, 2), "a number from 0.1 to 2"),
    "margins": (lambda value: isinstance(value, dict) and set(value) <= {"top", "right", "bottom", "left"}
                and all(_number(inches, 0, 10) for inches in value.values()), "top, right, bottom, left from 0 to 10"),
    "pages": (_matches(r"[0-9]+(-[0-9]*)?(,[0-9]+(-[0-9]*)?)*"), "pages such as 1-3,5"),
    "expiry": (lambda value: _number(value, 0, BIG), "seconds since 1970"),
    "method": (_matches(r"[A-Za-z]+\.[A-Za-z]+"), "a method such as Page.enable"),
    "path": (_path, "an absolute path of a file"),
    "paths": (lambda value: _list(value, _path, 1), "a list of absolute paths of files"),
    "presets": (lambda value: _list(value, _preset, 1, 100), "1 to 100 rules, each a url with block or redirect"),
    "headers": (lambda value: _list(value, _header, 1, 100), "1 to 100 rules, each a url with request or response"),
}


def _type(name: str):
    if "|" in name:
        choices = name.split("|")
        return (lambda value: isinstance(value, str) and value in choices), "one of " + ", ".join(choices)
    return TYPES[name]


@dataclass
class Form:
    """One set of arguments that an action takes. one and most name those that exclude each other."""

    types: dict[str, tuple]
    required: list[str]
    data: dict[str, tuple]
    one: list[str] = field(default_factory=list)
    most: list[str] = field(default_factory=list)

    def fault(self, args: dict) -> str | None:
        for name, value in args.items():
            if name not in self.types:
                return f"args: {name!a} is not an argument of this action"
            holds, wanted = self.types[name]
            if not holds(value):
                return f"args.{name}: must be {wanted}"
        for name in self.required:
            if name not in args:
                return f"args.{name}: is required"
        for names in filter(None, (self.one, self.most)):
            if sum(name in args for name in names) > 1:
                return f"args: only one of {', '.join(names)} may be given"
        if self.one and not any(name in args for name in self.one):
            return f"args: one of {', '.join(self.one)} is required"
        return None


@dataclass
class Action:
    """What the daemon knows about an action."""

    name: str
    reserved: bool = False
    binds: bool = True
    chrome_only: bool = False
    forms: dict[str, Form] = field(default_factory=dict)

    def fault(self, args: dict) -> str | None:
        """What is wrong with the arguments, and where; None if nothing is."""
        form = self._form(args)
        if form is None:
            return "args.cmd: must be one of " + ", ".join(self.forms)
        return form.fault(args) or FURTHER.get(self.name, lambda args: None)(args)

    def data_fault(self, args: dict, data: Any) -> str | None:
        """What is wrong with a result's data; None if nothing is."""
        for name, (holds, wanted) in self._form(args).data.items():
            if name not in data or not holds(data[name]):
                return f"{name} must be {wanted}"
        return None

    def names_files(self, args: dict) -> bool:
        return self.name == "upload" or self.name in ("screenshot", "pdf") and "path" in args

    def _form(self, args: dict) -> Form | None:
        if "" in self.forms:
            return self.forms[""]
        cmd = args.get("cmd")
        return self.forms.get(cmd) if isinstance(cmd, str) else None


def _screenshot(args: dict) -> str | None:
    if args.get("full_page") is not None and ("ref" in args or "selector" in args):
        return "args: full_page and an element exclude each other"
    return None


def _scroll(args: dict) -> str | None:
    if "direction" not in args and ("amount" in args or "ref" in args or "selector" in args):
        return "args: amount, ref and selector need a direction"
    return None


def _wait(args: dict) -> str | None:
    return "args.gone: goes with text, selector and url alone" if "gone" in args and ("ms" in args or "load" in args) else None


FURTHER = {"screenshot": _screenshot, "scroll": _scroll, "wait": _wait}


def _read_table() -> dict[str, Action]:
    found: dict[str, Action] = {}
    for row in filter(None, TABLE.splitlines()):
        # A choice of values is written a|b too, but without blanks around the bar.
        names, flags, args, data = (cell.split() for cell in re.split(r"\s\|(?:\s|$)", row))
        name, _, cmd = names[0].partition(".")
        action = found.setdefault(name, Action(name, "reserved" in flags, "unbound" not in flags, "chrome" in flags))
        for alias in names[1:]:
            found[alias] = action
        form = Form({}, [], {})
        if "tabless" not in flags:
            form.types["tab"] = TYPES["tab"]
        if cmd:
            form.types["cmd"] = TYPES["word"]
        if "target" in flags or "target?" in flags:
            form.types |= {"ref": TYPES["ref"], "selector": TYPES["word"]}
            setattr(form, "one" if "target" in flags else "most", ["ref", "selector"])
        for flag in flags:
            kind, is_rule, listed = flag.partition("=")
            if is_rule:
                setattr(form, kind, listed.split(","))
        for entry in args:
            key, kind = entry.rstrip("!").split(":")
            form.types[key] = _type(kind)
            if entry.endswith("!"):
                form.required.append(key)
        for entry in data:
            key, kind = entry.split(":")
            form.data[key] = _type(kind)
        action.forms[cmd] = form
    return found


_ACTIONS = _read_table()


def find(name: str) -> Action | None:
    """The action of that name or alias; artifact_read and artifact_close are the daemon's own and not found."""
    return _ACTIONS.get(name)
