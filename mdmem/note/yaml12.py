"""Frontmatter values read as YAML 1.2, the way Obsidian does.

PyYAML follows YAML 1.1 and turns `007`, `1.10`, `no`, `12:30` and dates into other types. Here a plain
scalar becomes a number or a boolean only if writing that value gives the same text again; everything else
stays text. Values that `mdmem.note.yamltext` writes are read back unchanged.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import yaml

from mdmem.note import scalars
from mdmem.note.yamltext import Value

MAX_DEPTH = 50
MAX_CHARS = 1_000_000

_TAG = "tag:yaml.org,2002:"
_NO_KIND = ("", re.compile(r"(?!)"), str)  # matches nothing

_NESTING = re.compile(r"[\[{]|[-?:](?=\s)")


class YamlError(ValueError):
    """The block is not a mapping of YAML 1.2 that mdmem accepts. `line` is 1-based within the block."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """The C loader with YAML 1.2 scalars, unique text keys, no aliases and no tags."""

    yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012 - PyYAML's own class attribute

    def get_single_data(self) -> Any:
        node = self.get_single_node()
        return None if node is None else self._value(node)

    def _value(self, node: yaml.Node) -> Value:
        """The value of a node. Faster than PyYAML's registry of constructors, which supports far more."""
        if node in self.constructed_objects:
            raise _refused(node, "anchors and aliases are not supported in properties")
        self.constructed_objects[node] = True
        if isinstance(node, yaml.ScalarNode):
            if node.tag == self.DEFAULT_SCALAR_TAG:
                return str(node.value)
            _, pattern, make = scalars.KINDS.get(node.tag.removeprefix(_TAG), _NO_KIND)
            if pattern.match(node.value):  # else an explicit tag: `!!int x`
                return make(node.value)
        elif isinstance(node, yaml.MappingNode) and node.tag == self.DEFAULT_MAPPING_TAG:
            return self._mapping(node)
        elif isinstance(node, yaml.SequenceNode) and node.tag == self.DEFAULT_SEQUENCE_TAG:
            return [self._value(child) for child in node.value]
        raise _refused(node, f"the tag {node.tag!r} is not supported in properties")

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Value]:
        mapping: dict[str, Value] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _refused(key, "a property name must be plain text")
            if key.value in mapping:
                raise _refused(key, f"the property '{key.value}' is given twice")
            mapping[key.value] = self._value(value)
        return mapping


def _refused(node: yaml.Node, message: str) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(None, None, message, node.start_mark)


for _kind, (_first, _pattern, _) in scalars.KINDS.items():
    _starts = [*_first, ""] if _kind == "null" else list(_first)
    _Loader.add_implicit_resolver(_TAG + _kind, _pattern, _starts)


@lru_cache
def __getattr__(name: str) -> Any:
    """`Yaml12Handler`; python-frontmatter is only loaded for those who read with it."""
    if name != "Yaml12Handler":
        raise AttributeError(name)
    from frontmatter.default_handlers import YAMLHandler

    class Yaml12Handler(YAMLHandler):
        """python-frontmatter's YAML handler with this module's loader: `frontmatter.loads(text, handler=...)`."""

        def load(self, fm: str, **kwargs: object) -> Any:
            return super().load(fm, **{"Loader": _Loader, **kwargs})

    return Yaml12Handler


def load(text: str) -> dict[str, Value]:
    """Read a frontmatter block (the lines between the two `---`).

    Returns a new dict of JSON-like values. Raises YamlError with the 1-based line of the block.
    """
    value = _copied(_read(text))
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise YamlError("the frontmatter is not a list of 'name: value' lines", 1)
    return value


def _copied(value: Any) -> Any:
    """A value that its reader may change; `deepcopy` takes as long as the parser."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def load_value(text: str) -> Value:
    """Read one value as written after `name: `. Raises YamlError."""
    found = load(f"v: {text}\n")
    if len(found) > 1:
        raise YamlError("more than one value", 1)
    return found["v"]


def has_anchors(text: str) -> bool:
    """Whether a valid block uses `&anchors`."""
    return "&" in text and any(getattr(event, "anchor", None) for event in yaml.parse(text, _Loader))


@lru_cache(4)  # a change reads the header of a note several times, before it and after it
def _read(text: str) -> Any:
    """The value of a block, with libyaml's errors turned into YamlError and its stack protected from overflow."""
    if len(text) > MAX_CHARS:
        raise YamlError(f"the frontmatter is over {MAX_CHARS} characters", 1)
    try:
        if len(_NESTING.findall(text)) > 2 * MAX_DEPTH:
            _check_depth(text)
        return yaml.load(text, _Loader)  # noqa: S506 - which makes only plain values
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = str(error.problem or error.context)
        if "nesting depth" in problem:  # as newer versions of PyYAML say before we do
            problem = f"nested more than {MAX_DEPTH} levels deep"
        raise YamlError(problem, mark.line + 1 if mark else 1) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1 if isinstance(error.position, int) else 1
        raise YamlError(f"a character that YAML does not allow ({error.reason})", line) from None
    except yaml.YAMLError as error:
        raise YamlError(str(error), 1) from None


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _check_depth(text: str) -> None:
    """Raise YamlError for deep nesting: thousands of levels crash libyaml's composer, but not its event parser."""
    depth = 0
    for event in yaml.parse(text, _Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise YamlError(f"nested more than {MAX_DEPTH} levels deep", _line(event))
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
