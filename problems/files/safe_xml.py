"""XML of strangers, read without trust: no document types, no entities, limits on size, depth, elements and attributes.

    root = read_xml(path, "robot", "URDF")        elements with their line, attributes, children and text

Python's parser (expat) is asked to report a document type before it reads any of it, which is refused: so there is no
entity to expand and nothing outside the file to open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from certify.problems.errors import InputError
from certify.problems.files.disk import read_text
from certify.problems.formulas.units import shown

MAX_DEPTH = 60
MAX_ELEMENTS = 100_000
MAX_ATTRIBUTES = 60
MAX_VALUE = 100_000  # characters of an attribute


@dataclass(slots=True)
class Element:
    """An element: its tag, its attributes, the line and the byte where it begins, and the elements in it."""

    tag: str
    attributes: dict[str, str]
    line: int
    start: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """Its children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def walk(self) -> Iterator[Element]:
        """Itself and everything in it."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += reversed(element.children)


def read_xml(path: Path, root: str, what: str) -> Element:
    """The root element of a file, which must be called `root`; `what` names the file in messages."""
    text = read_text(path, what)
    reader = _Reader(f"{what} {path}")
    parser = expat.ParserCreate(encoding="utf-8")
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.EntityDeclHandler = reader.doctype
    parser.StartElementHandler = lambda tag, found: reader.start(tag, found, parser)
    parser.EndElementHandler = reader.end
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(
            f"{what} {path}, line {error.lineno}: it is no valid XML there ({reason}); save it again with the program "
            f"that wrote it"
        ) from error
    found = reader.roots[0]
    if found.tag != root:
        raise InputError(
            f"{what} {path}, line {found.line}: it begins with <{shown(found.tag)[1:-1]}>, not with <{root}>; give the "
            f"file that describes the robot"
        )
    return found


@dataclass(slots=True)
class _Reader:
    place: str
    roots: list[Element] = field(default_factory=list)
    open: list[Element] = field(default_factory=list)
    count: int = 0

    def doctype(self, *_: object) -> None:
        raise InputError(
            f"{self.place}: it declares a document type or entities, which a robot needs not and which may open other "
            f"files; remove the <!DOCTYPE ...> part"
        )

    def start(self, tag: str, attributes: dict[str, str], parser: expat.XMLParserType) -> None:
        line = parser.CurrentLineNumber
        at = f"{self.place}, line {line}"
        self.count += 1
        if self.count > MAX_ELEMENTS:
            raise InputError(f"{at}: there are more than {MAX_ELEMENTS} elements; give the robot alone")
        if len(self.open) >= MAX_DEPTH:
            raise InputError(f"{at}: elements are nested more than {MAX_DEPTH} deep; give a plain file")
        if len(attributes) > MAX_ATTRIBUTES or any(len(value) > MAX_VALUE for value in attributes.values()):
            raise InputError(f"{at}: <{shown(tag)[1:-1]}> has too many or too long attributes; give a plain file")
        element = Element(tag, attributes, line, parser.CurrentByteIndex)
        (self.open[-1].children if self.open else self.roots).append(element)
        self.open.append(element)

    def end(self, _: str) -> None:
        self.open.pop()
