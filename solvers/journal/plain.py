"""Plain data as canonical bytes: the same data are the same bytes on every machine, and bytes of a stranger are data or
an error.

    None, False, True                  one letter
    whole numbers, fractions, texts    a letter, a length, the bytes
    doubles, arrays of doubles         a letter, the shape, IEEE 754 with the lowest byte first
    tuples, lists, dictionaries        a letter, a length, what is in them; a dictionary in its own order
    records                            a letter, their number among the records that are known, their fields

Nothing is imported, called or looked up by a name that stands in the bytes. A record comes back only if each field has
the type that it declares; lengths are bounded by the bytes that are there, depths by `DEEPEST`. `Damaged` is all that
is raised.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from functools import cached_property
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

DEEPEST = 150  # records in records
LENGTH, DOUBLE = struct.Struct("<I"), struct.Struct("<d")
DIMENSIONS = 3
EXACT = 2**53  # up to there whole numbers are doubles
KINDS = {b"D": np.dtype("<f8"), b"I": np.dtype("<i8"), b"B": np.dtype("?")}


class Damaged(Exception):
    """Bytes that are no plain data, or not of the expected kind."""


class Plain:
    """Writes and reads plain data in which these records (dataclasses, enumerations) may occur."""

    def __init__(self, *records: type[Any]) -> None:
        self._records = records
        self._numbers = {record: number for number, record in enumerate(records)}

    @cached_property
    def _hints(self) -> list[list[tuple[str, Any]]]:
        """The fields of each record and their types."""
        found: list[list[tuple[str, Any]]] = []
        for record in self._records:
            hints = {} if issubclass(record, Enum) else get_type_hints(record)
            names = [] if issubclass(record, Enum) else [field.name for field in fields(record) if field.init]
            found.append([(name, hints[name]) for name in names])
        return found

    def encode(self, value: Any) -> bytes:
        """Its bytes. Raises Damaged if it is no plain data."""
        out: list[bytes] = []
        self._write(value, out, 0)
        return b"".join(out)

    def decode(self, data: bytes, kind: Any) -> Any:
        """The value, of this type. Raises Damaged."""
        reader = _Reader(data)
        value = self._read(reader, 0)
        if reader.left:
            raise Damaged("there are bytes after the end")
        if not fits(value, kind):
            raise Damaged("it is of another kind than expected")
        return value

    def _write(self, value: Any, out: list[bytes], depth: int) -> None:
        if depth > DEEPEST:
            raise Damaged("it is too deep")
        if type(value) in self._numbers:
            self._write_record(value, out, depth)
        elif isinstance(value, bool | np.bool_ | None):
            out.append(b"0" if value is None else b"t" if value else b"f")
        elif isinstance(value, int | np.integer):
            whole = int(value)
            out.append(b"i" + _sized(whole.to_bytes(whole.bit_length() // 8 + 1, "little", signed=True)))
        elif isinstance(value, float):
            out.append(b"d" + DOUBLE.pack(value))
        elif isinstance(value, str):
            out.append(b"s" + _sized(value.encode()))
        elif isinstance(value, bytes):
            out.append(b"b" + _sized(value))
        elif isinstance(value, np.ndarray):
            out.append(_array(value))
        else:
            self._write_many(value, out, depth)

    def _write_record(self, value: Any, out: list[bytes], depth: int) -> None:
        number = self._numbers[type(value)]
        out.append(b"r" + LENGTH.pack(number))
        if isinstance(value, Enum):
            out.append(_sized(value.name.encode()))
            return
        for name, _ in self._hints[number]:
            self._write(getattr(value, name), out, depth + 1)

    def _write_many(self, value: Any, out: list[bytes], depth: int) -> None:
        if isinstance(value, Fraction):
            out.append(b"q")
            parts: Sequence[Any] = (value.numerator, value.denominator)
        elif isinstance(value, tuple | list):
            out.append((b"u" if isinstance(value, tuple) else b"l") + LENGTH.pack(len(value)))
            parts = value
        elif isinstance(value, dict):
            out.append(b"m" + LENGTH.pack(len(value)))
            parts = [part for pair in value.items() for part in pair]
        else:
            raise Damaged(f"{type(value).__name__} is no plain data")
        for part in parts:
            self._write(part, out, depth + 1)

    def _read(self, reader: _Reader, depth: int) -> Any:
        if depth > DEEPEST:
            raise Damaged("it is too deep")
        letter = reader.take(1)
        simple = _SIMPLE.get(letter)
        if simple is not None:
            return simple(reader)
        if letter == b"q":
            above, below = self._read(reader, depth + 1), self._read(reader, depth + 1)
            if type(above) is not int or type(below) is not int or below <= 0:
                raise Damaged("a fraction of something else than whole numbers")
            return Fraction(above, below)
        if letter == b"r":
            return self._read_record(reader, depth)
        if letter not in (b"u", b"l", b"m"):
            raise Damaged("an unknown letter")
        count = reader.length() * (2 if letter == b"m" else 1)
        if count > reader.left:
            raise Damaged("there is less than it says")
        parts = [self._read(reader, depth + 1) for _ in range(count)]
        if letter == b"m":
            return _dictionary(parts)
        return tuple(parts) if letter == b"u" else parts

    def _read_record(self, reader: _Reader, depth: int) -> Any:
        number = reader.length()
        if number >= len(self._records):
            raise Damaged("an unknown record")
        record = self._records[number]
        if issubclass(record, Enum):
            name = reader.text()
            if name not in record.__members__:
                raise Damaged("an unknown member")
            return record[name]
        given: dict[str, Any] = {}
        for name, hint in self._hints[number]:
            given[name] = self._read(reader, depth + 1)
            if not fits(given[name], hint):
                raise Damaged(f"the field {name} is of another kind")
        return record(**given)


class _Reader:
    """Bytes that are read from the front."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    @property
    def left(self) -> int:
        """How many there are still."""
        return len(self._data) - self._at

    def take(self, count: int) -> bytes:
        """The next ones."""
        if count > self.left:
            raise Damaged("it ends too early")
        self._at += count
        return self._data[self._at - count : self._at]

    def length(self) -> int:
        """A length or a number."""
        return int(LENGTH.unpack(self.take(LENGTH.size))[0])

    def sized(self) -> bytes:
        """Bytes after their length."""
        return self.take(self.length())

    def whole(self) -> int:
        """A whole number, in its shortest form."""
        data = self.sized()
        value = int.from_bytes(data, "little", signed=True)
        if len(data) != value.bit_length() // 8 + 1:
            raise Damaged("a whole number that is longer than it has to be")
        return value

    def text(self) -> str:
        """UTF-8."""
        try:
            return self.sized().decode()
        except UnicodeDecodeError:
            raise Damaged("a text that is not UTF-8") from None

    def array(self) -> NDArray[Any]:
        """An array of up to three dimensions."""
        kind = KINDS.get(self.take(1))
        dimensions = self.length()
        if kind is None or not 0 < dimensions <= DIMENSIONS:
            raise Damaged("an array of another kind")
        shape = [self.length() for _ in range(dimensions)]
        count = 1
        for size in shape:
            count *= size
        data = self.take(count * kind.itemsize)
        if kind == np.dtype("?") and set(data) - {0, 1}:
            raise Damaged("a flag that is neither")
        return np.frombuffer(data, kind).reshape(shape).astype(kind.newbyteorder("="), copy=True)


_SIMPLE: dict[bytes, Callable[[_Reader], Any]] = {
    b"0": lambda reader: None,
    b"t": lambda reader: True,
    b"f": lambda reader: False,
    b"i": _Reader.whole,
    b"d": lambda reader: float(DOUBLE.unpack(reader.take(DOUBLE.size))[0]),
    b"s": _Reader.text,
    b"b": _Reader.sized,
    b"a": _Reader.array,
}


def _sized(data: bytes) -> bytes:
    return LENGTH.pack(len(data)) + data


def _array(value: NDArray[Any]) -> bytes:
    letter = {"f": b"D", "i": b"I", "b": b"B"}.get(value.dtype.kind)
    if letter is None or not 0 < value.ndim <= DIMENSIONS or (letter != b"B" and value.dtype.itemsize != 8):
        raise Damaged(f"an array of {value.dtype} with {value.ndim} dimensions is no plain data")
    shape = b"".join(map(LENGTH.pack, value.shape))
    return b"a" + letter + LENGTH.pack(value.ndim) + shape + np.ascontiguousarray(value, KINDS[letter]).tobytes()


def _dictionary(parts: list[Any]) -> dict[Any, Any]:
    keys = parts[::2]
    if any(type(key) not in (int, str) for key in keys) or len(set(keys)) < len(keys):
        raise Damaged("keys that are neither numbers nor texts, or stand twice")
    return dict(zip(keys, parts[1::2], strict=True))


def fits(value: Any, kind: Any) -> bool:
    """Whether a value is of a type, as annotations write it."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(fits(value, one) for one in inside)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if inside[1:] == (...,):
            return all(fits(part, inside[0]) for part in value)
        return len(value) == len(inside) and all(map(fits, value, inside))
    if origin is list:
        return isinstance(value, list) and all(fits(part, inside[0]) for part in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(k, inside[0]) and fits(v, inside[1]) for k, v in value.items())
    if origin is np.ndarray:
        wanted = get_args(inside[1])[0]
        return isinstance(value, np.ndarray) and np.issubdtype(value.dtype, wanted)
    if kind is float:  # larger whole numbers may be none
        return type(value) is float or (type(value) is int and abs(value) <= EXACT)
    return kind is Any or (value is None if kind in (None, type(None)) else type(value) is kind)
