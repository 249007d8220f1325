# SPDX-License-Identifier: MIT
"""Pages that are fetched when they fault: [P24]'s driver, NVIDIA's without ("pages") and with prefetch ("tree"), at 100, 125 and 150 %
of device memory. docs/model/uvm-driver.md."""
from walkway.study import Figure

SIZES = (100, 125, 150)
NAMES = {"pact24": "[P24]", "pages": "nvidia-uvm, no prefetch", "tree": "nvidia-uvm"}


def policies(r):
    bars = [r.speedup(f"{NAMES[policy]}, {size} %", f"pact24-{size}", f"{policy}-{size}")
            for policy in ("pages", "tree") for size in SIZES]
    return Figure("speed-up over [P24]'s policy, as much memory", 2, bars, rows=True)


def prefetch(r):
    """Shows the gain of prefetch, and its cost."""
    bars = [r.speedup(f"speed-up, {size} %", f"pages-{size}", f"tree-{size}") for size in SIZES]
    beside = [r.over(f"blocks evicted, {size} %, no prefetch = 1", f"pages-{size}", f"tree-{size}", "driver.regions_evicted", ratio=False)
              for size in SIZES[1:]]
    return Figure("tree prefetch over none", 2, bars, beside, "evictions", rows=True)


def memory(r):
    longer = lambda base, run: run.time() / base.time()
    bars = [r.ratio(f"{name}, {size} %", "mapped", f"{policy}-{size}", longer) for policy, name in NAMES.items() for size in SIZES]
    return Figure("time, all pages mapped before the program begins = 1", 1, bars, rows=True)


def moved(r):
    bars = [r.over(f"{name}, {size} %", "tree-100", f"{policy}-{size}", "driver.pages_fetched", ratio=False)
            for policy, name in NAMES.items() for size in SIZES]
    return Figure("pages that came into device memory, nvidia-uvm with room for all = 1", 2, bars, rows=True)


FIGURES = {"policies": policies, "prefetch": prefetch, "memory": memory, "moved": moved}
