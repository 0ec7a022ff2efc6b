"""Machine code of the compiled functions in files of its own, which a process loads without importing Numba.

A file holds the object code that Numba made, byte for byte, with its wrapper for Python: LLVM's linker (llvmlite) and
two small extension modules of Numba, which load without the rest of it, turn it into the function that Numba would
call. A file serves only where it was made: same sources, kinds of arguments, Python, NumPy, llvmlite, Numba, settings
of Numba and processor. Whatever is amiss (no such file, damaged, another Numba) makes it useless, never wrong: then
Numba itself compiles the function or loads it from its own cache.
"""

from __future__ import annotations

import builtins
import contextlib
import ctypes
import hashlib
import importlib.util
import itertools
import json
import os
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from numpy import bool_, float64, int64, ndarray, uint64, version

Kinds = tuple[Any, ...]
_PLAIN = {ndarray, bool, int, float, bool_, int64, uint64, float64}

_FOLDER = Path(__file__).parent
_SETTINGS = Path(".numba_config.yaml")  # read by Numba from the working directory


@dataclass(frozen=True)
class Code:
    """Object code, with the names in it of the wrapper for Python and of the pointer to its environment, and with the
    names of the mathematical functions that Numba lets it take from Numba's own helpers."""

    wrapper: str
    environment: str
    mathematics: tuple[str, ...]
    object: bytes


@dataclass(frozen=True)
class Place:
    """Where the machine code of a function for arguments of these kinds is kept."""

    function: Callable[..., Any]
    kinds: Kinds
    sources: str

    def files(self, host: str) -> list[Path]:
        """The files in which it may be: in the folder that the user names for Numba's cache, beside the sources, or
        (where these cannot be written) in the user's own cache."""
        function = f"{self.function.__module__}.{self.function.__qualname__}"
        parts = (str(_FOLDER), function, self.kinds, host)
        name = f"{function}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:24]}.code"
        chosen = os.environ.get("NUMBA_CACHE_DIR")
        if chosen:
            return [Path(chosen) / "qtheory" / name]
        base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        return [_FOLDER / "__pycache__" / name, Path(base) / "qtheory" / "kernel" / name]


class _Linker:
    """LLVM's linker with what Numba's object code asks for; raises where Numba or llvmlite is not as expected."""

    def __init__(self) -> None:
        import llvmlite
        import llvmlite.binding as llvm

        self._llvm = llvm
        self._numba = _folder_of_numba()
        functions, helpers = self._extension("_dynfunc"), self._extension("_helperlib")
        self._make_function, self._environment = functions.make_function, functions.Environment
        self._helpers = helpers.c_helpers
        # The names that Numba gives to LLVM in numba.core.base; those of mathematics come with the code.
        self._symbols = {f"numba_{n}": address for n, address in (*functions.c_helpers.items(), *self._helpers.items())}
        self._symbols["_Py_NoneStruct"] = id(None)
        errors = [e for e in vars(builtins).values() if isinstance(e, type) and issubclass(e, BaseException)]
        self._symbols |= {f"PyExc_{e.__name__}": id(e) for e in errors}
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        target = llvm.Target.from_default_triple().create_target_machine(jit=True)
        self._jit = llvm.create_lljit_compiler(target, suppress_errors=True)
        self._names = itertools.count()
        settings = sorted(i for i in os.environ.items() if i[0].startswith("NUMBA_") and i[0] != "NUMBA_CACHE_DIR")
        versions = (self._numba.joinpath("_version.py").read_bytes(), llvmlite.__version__, version.version)
        processor = (llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
        self.host = repr((sys.version, versions, processor, settings))

    def _extension(self, name: str) -> ModuleType:
        """An extension module of Numba, which is not imported for it."""
        full = f"numba.{name}"
        if full in sys.modules:
            return sys.modules[full]
        spec = PathFinder.find_spec(full, [str(self._numba)])
        if spec is None or spec.loader is None:
            raise ImportError(full)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if "numba" not in sys.modules:  # whoever imports Numba later finds nothing half loaded
            sys.modules.pop(full, None)
        return module

    def link(self, function: Any, code: Code) -> Callable[..., Any]:
        """``function`` as Numba would have it from this code. Raises RuntimeError for code that cannot be linked."""
        library = self._llvm.JITLibraryBuilder().add_object_img(code.object).add_current_process()
        for name, address in (*self._symbols.items(), *((n, self._helpers[n]) for n in code.mathematics)):
            library.import_symbol(name, address)
        library.export_symbol(code.wrapper).export_symbol(code.environment)
        linked = library.link(self._jit, f"qtheory{next(self._names)}")
        environment = self._environment(function.__globals__)
        ctypes.c_void_p.from_address(linked[code.environment]).value = id(environment)
        module = sys.modules[function.__module__]
        made: Callable[..., Any] = self._make_function(
            module, function.__name__, function.__doc__, linked[code.wrapper], environment, (linked, self._jit)
        )
        return made


def _folder_of_numba() -> Path:
    spec = importlib.util.find_spec("numba")
    if spec is None or spec.origin is None:
        raise ImportError("numba")
    return Path(spec.origin).parent


@cache
def _linker() -> _Linker | None:
    if sys.platform != "linux" or os.uname().machine != "x86_64" or _SETTINGS.exists():
        return None
    try:
        return _Linker()
    except (ImportError, AttributeError, OSError, RuntimeError, ValueError):
        return None


def kinds(arguments: tuple[Any, ...]) -> Kinds | None:
    """What chooses the machine code for these arguments: the dtype and dimensions of each array, the types of all else.

    None where an array is not in C order, aligned and writeable: the layouts that Numba tells apart beside it.
    """
    found: list[Any] = []
    for a in arguments:
        kind = type(a)
        found.append(kind)
        for v in a if issubclass(kind, tuple) else (a,):
            if type(v) is ndarray:
                if not v.flags.carray:
                    return None
                found.append(v.dtype)
                found.append(v.ndim)
            else:
                found.append(type(v))
    return tuple(found)


def told_apart(arguments: tuple[Any, ...]) -> bool:
    """Whether :func:`kinds` says all that Numba looks at: arrays and numbers, and flat tuples of them."""
    return all(type(v) in _PLAIN for a in arguments for v in (a if isinstance(a, tuple) else (a,)))


def _seal(content: bytes) -> bytes:
    return hashlib.sha256(content).hexdigest().encode()


def load(place: Place) -> Callable[..., Any] | None:
    """The function from its file, or None."""
    linker = _linker()
    if linker is None:
        return None
    for file in place.files(linker.host):
        try:
            seal, _, content = file.read_bytes().partition(b"\n")
            if seal != _seal(content):
                continue
            head, _, code = content.partition(b"\n")
            told = json.loads(head)
            if told.pop("sources") == place.sources:
                return linker.link(place.function, Code(**told, object=code))
        except (OSError, ValueError, KeyError, TypeError, RuntimeError):
            continue
    return None


def keep(place: Place, code: Code) -> None:
    """Write the machine code into the first of its files that can be written; where none can, it is not kept."""
    linker = _linker()
    if linker is None:
        return
    head = {
        "sources": place.sources, "wrapper": code.wrapper, "environment": code.environment,
        "mathematics": code.mathematics,
    }  # fmt: skip
    content = json.dumps(head).encode() + b"\n" + code.object
    for file in place.files(linker.host):
        draft = file.with_name(f"{file.name}.{uuid.uuid4().hex}")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(_seal(content) + b"\n" + content)
            draft.replace(file)  # at once: other processes write and read it too
            return
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink()
