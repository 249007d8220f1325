# SPDX-License-Identifier: MIT
"""Every workload with its pages mapped before it begins, at their first touch, and half of each: the cost of page faults that are handled
one at a time. PAPER[H14 section 5.1] gives their time, but no result. docs/model/page-faults.md."""
from walkway.study import Figure


def cycles(r):
    longer = lambda mapped, touched: touched["gpu.cycles"] / mapped["gpu.cycles"]
    beside = {"pages mapped": lambda run: run["pager.pages_mapped"],
              "faults at the pager": lambda run: run["pager.faults"],
              "most in a fault table": lambda run: run["walk_unit.fault_table_peak"],
              "cycles for each page mapped": lambda run: run["gpu.cycles"] / run["pager.pages_mapped"]}
    return Figure("cycles, all pages mapped before the program begins = 1", 2,
                  [r.ratio(machine, "all", machine, longer) for machine in ("half", "first_touch")],
                  [r.bar(name, "first_touch", value) for name, value in beside.items()], "with first_touch")


FIGURES = {"cycles": cycles}
