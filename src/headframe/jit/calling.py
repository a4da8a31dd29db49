"""Kernels that call other kernels by their address."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from numba.core import sigutils, types
from numba.extending import lower_builtin, type_callable


def caller(signature: str) -> Callable[..., Any]:
    """A function for kernels that calls another kernel by its address: `call(address, ...)`.

    A kernel is optimised together with all that it calls, again in every kernel that calls it. One
    that is called by address is compiled once and on its own, and which one is called may be
    decided while running. `address_of` tells where it is.

    Args:
        signature: of the kernels called, as Numba writes it, "int64(float64[::1])".
    """
    arguments, returns = sigutils.normalize_signature(signature)

    def call(address: int, *passed: Any) -> Any:
        return _at[int(address)](*passed)

    def type_of_call(*_passed: Any) -> Any:
        return returns(types.int64, *arguments)

    names = ["address", *(f"argument_{n}" for n in range(len(arguments)))]
    type_of_call.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, Parameter.POSITIONAL_ONLY) for name in names]
    )
    type_callable(call)(lambda _context: type_of_call)

    any_number = types.VarArg(types.Any)  # type: ignore[attr-defined]

    @lower_builtin(call, types.int64, any_number)  # type: ignore[untyped-decorator]
    def lower_call(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        convention = context.call_conv
        code = convention.get_function_type(returns, arguments).as_pointer()
        kernel_at = builder.inttoptr(values[0], code)
        _, result = convention.call_function(builder, kernel_at, returns, arguments, values[1:])
        return result

    return call


_at: dict[int, Callable[..., Any]] = {}  # kernels by address, for kernels that run as plain Python


def address_of(compiled: Any, signature: str) -> int:
    """Where the machine code of a kernel begins, compiled for a signature if it is not yet."""
    arguments, _ = sigutils.normalize_signature(signature)
    address = id(compiled)
    if hasattr(compiled, "overloads"):
        compiled.compile(arguments)
        found = compiled.overloads[arguments]
        address = int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))
    _at[address] = compiled
    return address
