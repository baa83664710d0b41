"""The small part of ONNX that passing a network to onnxruntime takes: nodes, weights and the model, as bytes.

An ONNX model is one protobuf message (onnx.proto3 of the ONNX specification, IR version 8, opset 17). The field
numbers below are those of that file; the encoding follows the Protocol Buffers documentation, "Encoding".
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

FLOAT, INT32 = 1, 6  # TensorProto.DataType
RUNTIME = "com.microsoft"  # the operators that onnxruntime adds to those of ONNX
_DATA_TYPES = {"float32": FLOAT, "uint8": 2, "int8": 3, "int32": INT32, "int64": 7}
_IR_VERSION, _OPSET, _RUNTIME_OPSET = 8, 17, 1
_VARINT, _LENGTH, _FIXED32 = 0, 2, 5  # wire types


def tensor(name: str, values: NDArray[Any]) -> bytes:
    """A constant: TensorProto with raw data."""
    sizes = [_field(1, size) for size in values.shape]
    return b"".join(
        [*sizes, _field(2, _DATA_TYPES[values.dtype.name]), _field(8, name), _field(9, values.tobytes())]
    )


def node(op: str, inputs: Sequence[str], output: Sequence[str], domain: str = "", **settings: float) -> bytes:
    """One operation: NodeProto. An input "" stands for one that is left out; settings are integers or floats."""
    parts = [_field(1, name) for name in inputs]
    parts += [_field(2, name) for name in output]
    parts.append(_field(4, op))
    parts += [_field(5, _attribute(name, value)) for name, value in settings.items()]
    return b"".join([*parts, _field(7, domain)])


def value(name: str, data_type: int, shape: Sequence[int | str]) -> bytes:
    """An input or output of the network: ValueInfoProto. A size given as a name is variable."""
    sizes = [_field(1, _field(2, size) if isinstance(size, str) else _field(1, size)) for size in shape]
    return _field(1, name) + _field(2, _field(1, _field(1, data_type) + _field(2, b"".join(sizes))))


def model(
    nodes: Iterable[bytes], constants: Iterable[bytes], inputs: Iterable[bytes], outputs: Iterable[bytes]
) -> bytes:
    """The whole model: ModelProto. The nodes have to be in the order in which they run."""
    graph = [_field(1, each) for each in nodes]
    graph.append(_field(2, "encoder"))
    graph += [_field(5, each) for each in constants]
    graph += [_field(11, each) for each in inputs]
    graph += [_field(12, each) for each in outputs]
    opsets = _field(8, _field(1, "") + _field(2, _OPSET)) + _field(
        8, _field(1, RUNTIME) + _field(2, _RUNTIME_OPSET)
    )
    return _field(1, _IR_VERSION) + _field(7, b"".join(graph)) + opsets


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
