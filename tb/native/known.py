# SPDX-License-Identifier: MIT
"""Known defects of Oclgrind 21.10, the interpreter: patterns of names (of `features list`, `hostile list` and probe.c's cases),
each with a reason. A fix must remove its entries: equal_test.py --all fails if a case in WRONG, ODD or REFUSED is right on the
second way."""

# Wrong on the interpreter, compared with plain C. Traces are equal nevertheless.
WRONG = {
    "sub_sat.long": "the overflow of 64 bits is not seen",
    "mad_sat.long": "the overflow of 64 bits is not seen",
    "sign.*": "the sign of +0 is -0",
    "isnormal.float": "is asked of the value as a double, for which no float is too small",
    "bitselect.float": "selects bits of the values as doubles",
    "convert_*_sat.float": "NaN gives the smallest value, not 0", "convert_*_sat_rt?.float": "NaN gives the smallest value, not 0",
    "convert_*_sat.double": "NaN gives the smallest value, not 0", "convert_*_sat_rt?.double": "NaN gives the smallest value, not 0",
    "convert_*_rt[pn].float": "a negative value is rounded as its amount is", "convert_*_rt[pn].double": "a negative value is rounded as its amount is",
    "range.beyond": "sizes of dimensions that there are not are 0, not 1",
    "host_rounds_up": "the kernel rounds as the host's thread does",
}
# The patterns above are too wide: these cases are right.
RIGHT = {"convert_u*_sat*.float", "convert_u*_sat*.double", "convert_u*_rtn.*", "convert_float_*", "convert_double_*", "convert_half_*"}

# Wrong, with another value each time, because bytes after an operand are read.
STALE = {
    "min_scalar.*[gtr]": "a scalar among vectors is read as a vector", "max_scalar.*[gtr]": "a scalar among vectors is read as a vector",
    "clamp_scalar.*[gtr]": "a scalar among vectors is read as a vector", "ldexp_scalar.*": "a scalar among vectors is read as a vector",
}
STALE_RIGHT = {"m??_scalar.float", "m??_scalar.double", "clamp_scalar.float", "clamp_scalar.double"}

# Integers of odd widths are not truncated to their bits. Other branches are taken, so traces are wrong as well.
ODD = {}

# The interpreter refuses the kernel (clCreateKernel returns -46) or stops while it runs.
REFUSED = {
    "trap": "gives up by design",
    "huge_local": "more local memory than the device has",
    "op_*.half": "there is no arithmetic of halves", "convert_*.half": "a half is no source of a conversion",
}
REFUSED_RIGHT = {"op_select.half"}

# The order of two local arrays in local memory follows the host's pointers, so two captures of one program differ.
UNORDERED = {}

# No trace to compare, or one that depends on timing.
MOMENT = {
    "threads": "the order of its launches is the moment's", "threads_*": "the order of its launches is the moment's",
    "callbacks": "without a launch", "processes": "keeps no trace", "slow": "runs for minutes", "late": "a launch behind the end",
    "exec": "another program takes over", "endless*": "waits for a signal", "exit-within": "is cut off at some moment",
    "exit_in_*": "is cut off at some moment", "_exit_in_handler": "is cut off at some moment",
    "released_all": "waits for nothing", "forks_while_running": "the child's end is the moment's", "crash": "ends by a signal",
    "no-opencl": "without OpenCL", "no-kernel": "without a launch", "thread-exit": "ends with a thread",
}
