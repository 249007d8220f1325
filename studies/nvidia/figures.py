# SPDX-License-Identifier: MIT
"""Compares NVIDIA's own page tables with walk caches with hashed ones and x86-64's, by page size. docs/model/nvidia-tables.md."""
from walkway.study import Figure, about, between, over

TABLES = ("radix", "nvidia_v2", "nvidia_v3", "hashed", "hashed_stepless")
PAGES = ("4k", "64k", "2m")


def reads_of_a_walk(run):
    return run.share("walk_unit.pte_reads", "walk_unit.walks_finished")


def tables(r):
    """Compares tables with x86-64's of the same page size, and x86-64's larger pages with 4 KiB."""
    by_name = {(table, page): r.speedup(f"{table}, {page}", f"radix/{page}", f"{table}/{page}") for page in PAGES for table in TABLES[1:]}
    larger = [r.speedup(f"radix, {page}", "radix/4k", f"radix/{page}") for page in PAGES[1:]]
    return Figure("speed-up over x86-64's radix table with the same pages; the last two of radix over 4 KiB", 3, [*by_name.values(), *larger],
                  claims=[("mean, nvidia_v2, 4k", about("none found", 1.0, 0.05), by_name["nvidia_v2", "4k"].mean()),
                          ("mean, hashed over nvidia_v2, 4k", over("none found", 1.0),
                           by_name["hashed", "4k"].mean() / by_name["nvidia_v2", "4k"].mean()),
                          ("mean, hashed over nvidia_v2, 64k", about("none found", 1.0, 0.05),
                           by_name["hashed", "64k"].mean() / by_name["nvidia_v2", "64k"].mean()),
                          ("mean, hashed over nvidia_v2, 2m", about("none found", 1.0, 0.05),
                           by_name["hashed", "2m"].mean() / by_name["nvidia_v2", "2m"].mean())])


def reads(r):
    bars = [r.bar(f"{table}, {page}", f"{table}/{page}", reads_of_a_walk) for page in PAGES for table in TABLES]
    return Figure("reads of memory of a walk", 2, bars)


def halves(r):
    both = r.speedup("both tables, in turn", "nvidia_v2/4k", "nvidia_v2/4k/both")
    ahead = r.speedup("both tables, at once", "nvidia_v2/4k", "nvidia_v2/4k/both/ahead")
    return Figure("speed-up over a small table alone", 3, [both, ahead],
                  claims=[("mean, in turn", between("none found", 0.5, 1.0, 0), both.mean()),
                          ("mean, at once over in turn", over("none found", 1.0), ahead.mean() / both.mean())])


FIGURES = {"tables": tables, "reads": reads, "halves": halves}
