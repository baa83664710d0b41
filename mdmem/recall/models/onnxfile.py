"""The small part of ONNX that reading weights and passing a network to onnxruntime take: a model as bytes.

An ONNX model is one protobuf message (onnx.proto3 of the ONNX specification, IR version 8, opset 17). The field
numbers below are those of that file; the encoding follows the Protocol Buffers documentation, "Encoding".
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mmap import mmap

    from numpy.typing import NDArray

    Buffer = bytes | mmap

RUNTIME = "com.microsoft"  # the operators that onnxruntime adds to those of ONNX
_DATA_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}
_IR_VERSION, _OPSET, _RUNTIME_OPSET = 8, 17, 1
_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5  # wire types
_GRAPH, _CONSTANTS = 7, 5  # fields: of a model, of a graph
_SIZES, _DATA_TYPE, _NAME, _DATA = 1, 2, 8, 9  # fields of a tensor


def constants(data: Buffer) -> dict[str, NDArray[Any]]:
    """name -> constant of a model; their numbers stay in `data`. Raises ValueError, KeyError, IndexError."""
    import numpy as np

    found = {}
    types = {number: name for name, number in _DATA_TYPES.items()}
    for graph in _parts(data, range(len(data)), _GRAPH):
        for place in _parts(data, graph, _CONSTANTS):
            fields = list(_fields(data, place))
            sizes = [value for field, value, _ in fields if field == _SIZES]
            told = {field: (value, at) for field, value, at in fields}
            kind, at, name = told[_DATA_TYPE][0], told.get(_DATA, (0, range(0)))[1], told[_NAME][1]
            if kind in types:
                values = np.frombuffer(data, np.uint8, len(at), at.start).view(types[kind])
                found[data[name.start : name.stop].decode()] = values.reshape(sizes)
    return found


def _parts(data: Buffer, within: range, number: int) -> Iterator[range]:
    """Where the fields with a number are in a message."""
    return (place for field, _, place in _fields(data, within) if field == number)


def _fields(data: Buffer, within: range) -> Iterator[tuple[int, int, range]]:
    """(number, value, place) of each field of a message: the value of a number, the place of anything else."""
    at = within.start
    while at < within.stop:
        tag, at = _number_at(data, at)
        kind, number, value = tag & 7, tag >> 3, 0
        if kind == _VARINT:
            value, end = _number_at(data, at)
        elif kind == _LENGTH:
            size, at = _number_at(data, at)
            end = at + size
        else:
            end = at + {_FIXED32: 4, _FIXED64: 8}[kind]
        yield number, value, range(at, end)
        at = end


def _number_at(data: Buffer, at: int) -> tuple[int, int]:
    """The integer that is encoded at a place, and the place after it."""
    found = shift = 0
    while True:
        group = data[at]
        found |= (group & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if group <= 0x7F:
            return found, at


def tensor(name: str, values: NDArray[Any]) -> bytes:
    """A constant: TensorProto with raw data."""
    sizes = [_field(_SIZES, size) for size in values.shape]
    kind = _field(_DATA_TYPE, _DATA_TYPES[values.dtype.name])
    return b"".join([*sizes, kind, _field(_NAME, name), _field(_DATA, values.tobytes())])


def node(op: str, inputs: Sequence[str], output: Sequence[str], domain: str = "", **settings: float) -> bytes:
    """One operation: NodeProto. An input "" stands for one that is left out; settings are integers or floats."""
    parts = [_field(1, name) for name in inputs]
    parts += [_field(2, name) for name in output]
    parts.append(_field(4, op))
    parts += [_field(5, _attribute(name, value)) for name, value in settings.items()]
    return b"".join([*parts, _field(7, domain)])


def value(name: str, shape: Sequence[int | str]) -> bytes:
    """An input or output of the network, of float32: ValueInfoProto. A size given as a name is variable."""
    sizes = [_field(1, _field(2, size) if isinstance(size, str) else _field(1, size)) for size in shape]
    return _field(1, name) + _field(2, _field(1, _field(1, _DATA_TYPES["float32"]) + _field(2, b"".join(sizes))))


def model(
    nodes: Iterable[bytes], constants: Iterable[bytes], inputs: Iterable[bytes], outputs: Iterable[bytes]
) -> bytes:
    """The whole model: ModelProto. The nodes have to be in the order in which they run."""
    graph = [_field(1, each) for each in nodes]
    graph.append(_field(2, "encoder"))
    graph += [_field(_CONSTANTS, each) for each in constants]
    graph += [_field(11, each) for each in inputs]
    graph += [_field(12, each) for each in outputs]
    opsets = _field(8, _field(1, "") + _field(2, _OPSET)) + _field(
        8, _field(1, RUNTIME) + _field(2, _RUNTIME_OPSET)
    )
    return _field(1, _IR_VERSION) + _field(_GRAPH, b"".join(graph)) + opsets


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _field(1, name) + _field(3, value) + _field(20, 2)
    return _field(1, name) + _tag(2, _FIXED32) + struct.pack("<f", value) + _field(20, 1)


def _field(number: int, content: int | str | bytes) -> bytes:
    if isinstance(content, int):
        return _tag(number, _VARINT) + _varint(content)
    data = content.encode() if isinstance(content, str) else content
    return _tag(number, _LENGTH) + _varint(len(data)) + data


def _tag(number: int, wire_type: int) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(number: int) -> bytes:
    """An integer in groups of seven bits, lowest first; a negative one as 64 bits in two's complement."""
    number &= (1 << 64) - 1
    groups = bytearray()
    while number > 0x7F:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*groups, number])
