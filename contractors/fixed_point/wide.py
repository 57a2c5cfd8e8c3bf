"""Integers of 256 bits for compiled code, as four 64-bit limbs in arrays, and their products of 512 bits.

`W` is a number, `D` a product. A number is stored as four consecutive entries of a flat array of int64, the least
significant first. Sums wrap around at 2^255; `fits` says whether a number is so far below it that one sum of two does
not, and whoever computes asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

BITS = 256
LIMBS, BYTES = BITS // 64, BITS // 8
LARGEST = 250  # bits of what `fits`
SHORT = 127  # bits of what is `short`: a product of two such numbers is a number
W = types.Integer("wide256", BITS, True)
D = types.Integer("wide512", 2 * BITS, True)
_I, _W, _D = ir.IntType(64), ir.IntType(BITS), ir.IntType(2 * BITS)

Limbs = NDArray[np.int64]
Emit = Callable[..., Any]
Wide = Any  # a W or a D, which only compiled code holds


def limbs(values: Iterable[int]) -> Limbs:
    """Python's integers as numbers, flat; raises OverflowError where one has too many bits."""
    return np.frombuffer(b"".join([value.to_bytes(BYTES, "little", signed=True) for value in values]), dtype=np.int64)


def integer(number: Limbs) -> int:
    """A number, or a product, as Python's integer."""
    return int.from_bytes(number.tobytes(), "little", signed=True)


def _unary(result: Any, operand: Any, emit: Emit) -> Any:
    @intrinsic
    def operation(_: Any, a: Any) -> Any:
        return result(operand), lambda context, builder, signature, given: emit(builder, *given)

    return operation


def _binary(result: Any, first: Any, second: Any, emit: Emit) -> Any:
    @intrinsic
    def operation(_: Any, a: Any, b: Any) -> Any:
        return result(first, second), lambda context, builder, signature, given: emit(builder, *given)

    return operation


def _within(kind: Any, bits: int = LARGEST) -> Emit:
    """-2^bits <= number < 2^bits, by one comparison without sign."""

    def emit(builder: Any, number: Any) -> Any:
        raised = builder.add(number, ir.Constant(kind, 1 << bits))
        return builder.icmp_unsigned("<", raised, ir.Constant(kind, 2 << bits))

    return emit


wide = _unary(W, types.int64, lambda builder, a: builder.sext(a, _W))
single = _unary(types.int64, W, lambda builder, a: builder.trunc(a, _I))
doubled = _unary(D, W, lambda builder, a: builder.sext(a, _D))
halved = _unary(W, D, lambda builder, a: builder.trunc(a, _W))
fits = _unary(types.boolean, W, _within(_W))
short = _unary(types.boolean, W, _within(_W, SHORT))
fits_product = _unary(types.boolean, D, _within(_D))
add = _binary(W, W, W, lambda builder, a, b: builder.add(a, b))
sub = _binary(W, W, W, lambda builder, a, b: builder.sub(a, b))
truncated = _binary(W, W, W, lambda builder, a, b: builder.sdiv(a, b))
less = _binary(types.boolean, W, W, lambda builder, a, b: builder.icmp_signed("<", a, b))
equal = _binary(types.boolean, W, W, lambda builder, a, b: builder.icmp_signed("==", a, b))
left = _binary(W, W, types.int64, lambda builder, a, bits: builder.shl(a, builder.zext(bits, _W)))
right = _binary(W, W, types.int64, lambda builder, a, bits: builder.ashr(a, builder.zext(bits, _W)))
product = _binary(D, W, W, lambda builder, a, b: builder.mul(builder.sext(a, _D), builder.sext(b, _D)))
short_product = _binary(W, W, W, lambda builder, a, b: builder.mul(a, b))
add_products = _binary(D, D, D, lambda builder, a, b: builder.add(a, b))
negative_product = _unary(D, D, lambda builder, a: builder.neg(a))
less_product = _binary(types.boolean, D, D, lambda builder, a, b: builder.icmp_signed("<", a, b))
right_product = _binary(D, D, types.int64, lambda builder, a, bits: builder.ashr(a, builder.zext(bits, _D)))


def _place(context: Any, builder: Any, signature: Any, given: Any, kind: Any) -> Any:
    data = make_array(signature.args[0])(context, builder, given[0]).data  # type: ignore[no-untyped-call]
    return builder.bitcast(builder.gep(data, [given[1]]), kind.as_pointer())


def _stored(value: Any, kind: Any) -> Any:
    @intrinsic
    def operation(_: Any, array: Any, index: Any, number: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            builder.store(given[2], _place(context, builder, signature, given, kind)).align = 8
            return context.get_dummy_value()

        return types.void(array, types.intp, value), generate

    return operation


def _loaded() -> Any:
    @intrinsic
    def operation(_: Any, array: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            found = builder.load(_place(context, builder, signature, given, _W))
            found.align = 8
            return found

        return W(array, types.intp), generate

    return operation


load, store, store_product = _loaded(), _stored(W, _W), _stored(D, _D)
