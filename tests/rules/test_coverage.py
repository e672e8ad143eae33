"""What docs/rules.md says has no rule is what has none."""

from __future__ import annotations

import math
import re
import types
from pathlib import Path

import numpy as np
import pytest

from tangentlite import rules

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rules.md").read_text()
NOT_CALCULUS = """array2string array_repr array_str base_repr binary_repr bitwise_count busday_count busday_offset
common_type datetime_as_string datetime_data einsum_path format_float_positional format_float_scientific
from_dlpack frombuffer fromfile fromregex fromstring genfromtxt get_include get_printoptions getbufsize geterr
geterrcall info is_busday isnat load loadtxt mintypecode nested_iters packbits printoptions save savetxt savez
savez_compressed set_printoptions setbufsize seterr seterrcall show_config show_runtime test typename unpackbits
alltrue sometrue cumproduct product deprecate issubclass_ issubsctype issctype obj2sctype sctype2char maximum_sctype
find_common_type lookfor source who safe_eval recfromcsv recfromtxt set_string_function trapz in1d byte_bounds disp""".split()


@pytest.mark.parametrize("module", [np, np.linalg, np.fft, math], ids=lambda m: m.__name__)
def test_what_has_no_rule_is_told(module: types.ModuleType) -> None:
    told = set(re.findall(r"`(\w+)`", PAGE)) | set(NOT_CALCULUS)
    for name in sorted(n for n in dir(module) if not n.startswith("_")):
        found = getattr(module, name)
        if callable(found) and not isinstance(found, type):
            assert rules.find(found) is not None or name in told, name
