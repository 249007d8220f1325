#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An independent reference of the walk unit (the IOMMU), written from the documents and not from the model.

    reference.py CASE > RESULT

It uses the obvious structures: lists, dictionaries and linear searches; each rule is next to the sentence that it implements. CL is not
stored but calculated at each use. `reference_test.py` compares it with the model, to the cycle. The format of a case:

    KEY VALUE...                          a parameter; all of PARAMETERS are required
    root VM PA                            the table of an address space
    word PA VALUE                         eight bytes of the table; all others are zero
    request CYCLE VA VM CU INSTRUCTION    in the order of arrival; numbers as Python reads them
"""
import functools
import operator
import sys

PARAMETERS = ["levels", "page_shifts", "clock_ps", "memory_ps", "tlb1_entries", "tlb1_cycles", "tlb2_entries", "tlb2_ways",
              "tlb2_cycles", "ports", "walk_queue_entries", "backlog_entries", "buffer_entries", "walkers", "coalesce", "schedule",
              "pwc_l5", "pwc_l4", "pwc_l3", "pwc_l2", "pwc_ways", "pwc_index", "pwc_ideal", "pwc_merge", "pwc_cycles", "pte_cache_bytes", "pte_cache_ways",
              "pte_cache_cycles", "pte_cache_merge", "pte_cache_holds", "line_reads", "match_cycles", "read_cycles",
              "reply_cycles", "response_cycles"]
CAUSES = ["iommu_queue", "iommu_lookup", "backlog", "buffer", "held", "walk_cache", "walk_l5", "walk_l4", "walk_l3", "walk_l2",
          "walk_l1", "response"]

TOTALS = ["requests", "responses", "tlb1_hits", "tlb2_hits", "tlb_misses", "walk_requests", "walks_started", "walks_finished", "walks_faulted",
          "walks_coalesced", "coalesced_faults", "partial_coalesced", "partial_starts", "pte_reads", "pte_cache_hits",
          "pte_reads_merged", "pte_reads_l5", "pte_reads_l4", "pte_reads_l3", "pte_reads_l2", "pte_reads_l1", "pwc_lookups",
          "pwc_misses", "pwc_hits_l5", "pwc_hits_l4", "pwc_hits_l3", "pwc_hits_l2", "leaf_accesses", "leaf_neighbour_accesses",
          "upper_accesses", "upper_neighbour_accesses", "backlog_peak", "stall_backlog_cycles", "walker_busy_ps",
          "walk_latency_values", "walk_latency_sum", "backlog_latency_values", "backlog_latency_sum", "buffer_latency_values",
          "buffer_latency_sum", "service_latency_values", "service_latency_sum", "buffer_occupancy_sum", "walks_per_read_values",
          "walks_per_read_sum", "cam_reads", "cam_writes"]


def shift_of(level):
    """page-table.md: index L5 VA[56:48], L4 [47:39], L3 [38:30], L2 [29:21], L1 [20:12]."""
    return 12 + 9 * (level - 1)


class Case:
    def __init__(self, path):
        self.roots, self.words, self.requests = {}, {}, []
        for line in open(path, encoding="ascii"):
            key, *rest = line.split()
            if key == "root":
                self.roots[int(rest[0], 0)] = int(rest[1], 0)
            elif key == "word":
                self.words[int(rest[0], 0)] = int(rest[1], 0)
            elif key == "request":
                self.requests.append([int(word, 0) for word in rest])
            elif key == "page_shifts":
                self.page_shifts = [int(word) for word in rest]
            else:
                assert key in PARAMETERS, key
                setattr(self, key, int(rest[0]) if rest[0].isdigit() else rest[0])


class Lru:
    """Sets of keys, each from the least to the most recently used. tlb.md, page-walk-cache.md: true LRU, stamped on hit and on fill."""

    def __init__(self, entries, ways, folds=False):
        self.ways, self.folds = ways, folds
        self.sets = [{} for _ in range(entries // ways)] if entries else []

    def set_of(self, index):
        """page-walk-cache.md: the set is the lowest bits, or the lowest four groups of as many bits folded."""
        n = len(self.sets)
        groups = [index // n**i % n for i in range(4 if self.folds else 1)]
        return self.sets[functools.reduce(operator.xor, groups)]

    def find(self, index, key):
        return self.set_of(index).get(key) if self.sets else None

    def touch(self, index, key):
        held = self.set_of(index)
        held[key] = held.pop(key)

    def fill(self, index, key, value):
        if self.sets:
            held = self.set_of(index)
            if key not in held and len(held) == self.ways:
                del held[next(iter(held))]
            held.pop(key, None)
            held[key] = value


class Tlb:
    def __init__(self, entries, ways, shifts):
        self.lru, self.shifts = Lru(entries, ways), shifts

    def lookup(self, va, vm):
        """tlb.md: All configured page sizes are probed, each with the set index of its own VPN; the smallest page that covers the address
        wins. Keys hold VPN, page size and VM. A hit becomes the most recently used."""
        for shift in sorted(self.shifts):
            page = self.lru.find(va >> shift, (va >> shift, shift, vm))
            if page:
                self.lru.touch(va >> shift, (va >> shift, shift, vm))
                return page
        return None

    def fill(self, va, vm, page):
        shift = page[1]
        self.lru.fill(va >> shift, (va >> shift, shift, vm), page)


class Request:
    def __init__(self, number, arrival, va, vm, cu, instruction):
        self.number, self.arrival, self.va, self.vm, self.cu, self.instruction = number, arrival, va, vm, cu, instruction
        self.pl = self.pa = None                       # [M18] IV-A: both NULL if the request has not coalesced
        self.causes = dict.fromkeys(CAUSES, 0)
        self.missed = self.buffered = None             # end of the lookup, cycle of entering the buffer
        self.spared = set()                            # levels at which a concurrent access could have spared this request's
        self.since = arrival                           # end of the time charged so far
        self.done = self.page = None                   # page stays None on a fault

    def charge(self, cause, now):
        self.causes[cause] += now - self.since
        self.since = now


class Walker:
    def __init__(self):
        self.request = None                            # its row of the PWST: VPN (of the request) and level
        self.level = self.node = None


class Iommu:
    def __init__(self, case):
        c = self.c = case
        self.tlb1 = Tlb(c.tlb1_entries, c.tlb1_entries, c.page_shifts)
        self.tlb2 = Tlb(c.tlb2_entries, c.tlb2_ways, c.page_shifts)
        # page-walk-cache.md: an array for each of levels 2 to 5, with ways if it has more entries
        self.pwc = {level: Lru(size, min(c.pwc_ways or size, size), c.pwc_index == "xor") for level, size in ((2, c.pwc_l2), (3, c.pwc_l3), (4, c.pwc_l4), (5, c.pwc_l5))
                    if level <= c.levels}
        lines = c.pte_cache_bytes // 64
        self.lines = Lru(lines, c.pte_cache_ways or lines)
        self.requests = [Request(number, *fields) for number, fields in enumerate(c.requests)]
        self.queue = list(self.requests)               # not yet looked up, in the order of arrival
        self.link = []                                 # misses: (cycle in which the lookup ends, request)
        self.outside = None                            # a request for which the link has no place, and since when
        self.freed_at, self.freed = -1, 0              # places of the link that become free in the present cycle
        self.open_from = 0                             # the first cycle in which the TLBs may send again
        self.backlog, self.buffer = [], []             # both oldest first
        self.walkers = [Walker() for _ in range(c.walkers)]
        self.reads = []                                # (cycle in which the line returns, that in which the read reached memory, walker)
        self.hits = []                                 # (cycle, walker): lines from the PTE-line cache or from a joined read
        self.joined = {}                               # line being read: walkers that joined, (cycle their lookup ends, walker)
        self.turn = []                                 # (line, cycle their lookup ends, walker): reads in turn for their line, in the order of asking
        self.matched_at = 0                            # the state machine is busy until then
        self.last_instruction, self.last_cu = None, -1 # walk-scheduling.md: the first round starts at 0
        self.totals = dict.fromkeys(TOTALS, 0)

    # -- time ---------------------------------------------------------------------------------------------------------------
    def run(self):
        now = -1
        while True:
            now = self.next_cycle(now)
            if now is None:
                return
            # timing-model.md: within a cycle a block serves answers from below, then requests from above; the IOMMU takes lines before new
            # misses
            self.account_buffer(now)
            self.take_lines(now)
            self.take_requests(now)
            self.start_walks(now)
            while self.next_hit(now):                  # walks that take no time
                self.take_lines(now)
                self.start_walks(now)
            self.totals["backlog_peak"] = max(self.totals["backlog_peak"], len(self.backlog))
            self.start_lookups(now)

    def next_cycle(self, now):
        """Returns the next cycle in which something can happen."""
        times = [time for time, _ in self.link] + [time for time, _, _ in self.reads]
        times += [max(time, self.matched_at) for time, _ in self.hits]
        if self.queue:
            times.append(self.queue[0].arrival)
        if self.outside:
            times.append(now + 1)
        times = [max(time, now + 1) for time in times]
        return min(times) if times else None

    def account_buffer(self, now):
        """timing-model.md: In the buffer until a walker is free: `buffer`; while its CL bit is set: `held`."""
        for request in self.buffer:
            self.totals["buffer_occupancy_sum"] += now - request.since  # entries in the walk buffer, weighted by cycles
            request.charge("held" if self.is_held(request) else "buffer", now)

    # -- lookup -------------------------------------------------------------------------------------------------------------
    def start_lookups(self, now):
        """[iommu_tlb] ports: TLB lookups that may start in one cycle."""
        for _ in range(self.c.ports):
            if not self.queue or self.queue[0].arrival > now:
                return
            # timing-model.md: While a miss stands outside the full queue of the walk unit no lookup starts. A sender sees END_REQ one cycle
            # later
            if self.outside or now < self.open_from:
                return
            self.totals["requests"] += 1
            request = self.queue.pop(0)
            request.charge("iommu_queue", now)
            # timing-model.md: 4 for a hit in the first; 20 for a hit in the second and for a miss. A hit in the first is no use of the
            # second; a hit in the second enters nothing into the first
            first = self.tlb1.lookup(request.va, request.vm)
            second = not first and self.tlb2.lookup(request.va, request.vm)
            if first:
                self.totals["tlb1_hits"] += 1
                self.answer(request, first, now + self.c.tlb1_cycles, "iommu_lookup")
            elif second:
                self.totals["tlb2_hits"] += 1
                self.answer(request, second, now + self.c.tlb2_cycles, "iommu_lookup")
            else:
                self.totals["tlb_misses"] += 1
                # both arrays are looked up; an absent one takes no time
                request.charge("iommu_lookup", now + (self.c.tlb2_cycles if self.c.tlb2_entries else self.c.tlb1_cycles))
                request.missed = request.since
                # timing-model.md: A slot is taken when a request is sent
                if self.places(now) > 0:
                    self.link.append((request.missed, request))
                else:
                    self.outside = request, now

    def places(self, now):
        """timing-model.md: A slot freed in one cycle is free in the next."""
        return self.c.walk_queue_entries - len(self.link) - (self.freed if self.freed_at == now else 0)

    def take_requests(self, now):
        """timing-model.md: A request goes from its queue into the walk buffer, otherwise into the backlog, otherwise it stays."""
        if self.outside and self.places(now) > 0:
            request, since = self.outside
            self.outside, self.open_from = None, now + 1
            self.link.append((max(request.missed, now), request))
            self.totals["stall_backlog_cycles"] += now - since
        self.refill_buffer(now)
        while self.link and self.link[0][0] <= now and (len(self.buffer) < self.c.buffer_entries or
                                                        len(self.backlog) < self.c.backlog_entries):
            self.freed = self.freed + 1 if self.freed_at == now else 1
            self.freed_at = now
            self.totals["walk_requests"] += 1
            self.backlog.append(self.link.pop(0)[1])
            self.refill_buffer(now)

    def refill_buffer(self, now):
        """timing-model.md: Outside the full walk buffer until an entry is free."""
        while self.backlog and len(self.buffer) < self.c.buffer_entries:
            request = self.backlog.pop(0)
            request.charge("backlog", now)
            request.buffered = now
            self.buffer.append(request)
            self.count_cam(1, 1)

    def answer(self, request, page, now, cause):
        self.totals["responses"] += 1
        request.charge(cause, now)
        request.charge("response", now + self.c.response_cycles)
        request.page, request.done = page, now + self.c.response_cycles

    def count(self, name, value):
        self.totals[name + "_values"] += 1
        self.totals[name + "_sum"] += value

    # -- coalescing ---------------------------------------------------------------------------------------------------------
    def coalesces(self, level):
        """neighbourhood-coalescing.md: off: none; leaf: reads at L1; full: reads of every level."""
        return self.c.coalesce == "full" or self.c.coalesce == "leaf" and level == 1

    def neighbours(self, one, other, level):
        """neighbourhood-coalescing.md: same VM, equal VA >> 15 (L1), 24, 33, 42, 51 (L5): entries in one line."""
        return one.vm == other.vm and one.va >> (shift_of(level) + 3) == other.va >> (shift_of(level) + 3)

    def is_held(self, request):
        """CL. Rule 2: set while some walker reads, at its present level, the line with this request's entry."""
        return any(walker.request and self.coalesces(walker.level) and self.neighbours(walker.request, request, walker.level)
                   for walker in self.walkers)

    def count_cam(self, reads, writes):
        if self.c.coalesce != "off":                   # energy.md: with off there is no CAM
            self.totals["cam_reads"] += reads
            self.totals["cam_writes"] += writes

    def set_row(self, walker, request, level, node, searches):
        """Changes the walker's row of the PWST. energy.md: a write of the row, and of each entry whose CL this sets or clears."""
        before = [self.is_held(other) for other in self.buffer]
        walker.request, walker.level, walker.node = request, level, node
        after = [self.is_held(other) for other in self.buffer]
        self.count_cam(searches, 1 + sum(one != other for one, other in zip(before, after)))

    def deliver(self, reader, level, node, now):
        """Rule 1: A read at level k returns: every waiting neighbour at k takes its own entry from the line. A leaf completes it at once; a
        table entry sets PL := k, PA := the next node; an absent entry is a fault of that request alone. Completed requests leave oldest
        first."""
        if self.c.coalesce != "off":                   # counts the reading walk itself
            self.totals["walks_per_read_values"] += 1
            self.totals["walks_per_read_sum"] += 1
        self.count_cam(1, 0)                           # one search of the buffer per completed read
        if not self.coalesces(level):
            return
        for request in [other for other in self.buffer if self.neighbours(reader, other, level)]:
            # A request with PL at k or below takes nothing from a read at level k and keeps its PA.
            if request.pl is not None and request.pl <= level:
                continue
            kind, value = self.entry(request.va, level, node)
            if kind == "table":
                self.totals["partial_coalesced"] += 1
                self.count_cam(0, 1)
                request.pl, request.pa = level, value
            else:
                self.buffer.remove(request)
                self.totals["walks_per_read_sum"] += 1
                self.count("buffer_latency", now - request.buffered)
                self.totals["walks_coalesced" if kind == "page" else "coalesced_faults"] += 1
                self.finish(request, kind, value, now)

    # -- the page table -----------------------------------------------------------------------------------------------------
    def entry(self, va, level, node):
        """page-table.md, Entry and Walk. Returns what the entry at this level means: ("table", node), ("page", page) or ("fault", None)."""
        word = self.c.words.get(self.address(va, level, node), 0)
        frame = word & 0x000ffffffffff000              # [51:12]
        large = word >> 7 & 1                          # PS, ignored at L1
        if not word & 1 or large and level > 3:
            return "fault", None
        if level > 1 and not large:
            return "table", frame
        # [11]: 64 KiB mark (software), at L1 only
        shift = 16 if level == 1 and word >> 11 & 1 else shift_of(level)
        perm = "r" + ("w" if word >> 1 & 1 else "-") + ("-" if word >> 63 else "x")
        return "page", (frame >> shift << shift, shift, perm)

    def address(self, va, level, node):
        """page-table.md: node + 8 x index of the level."""
        return node + 8 * (va >> shift_of(level) & 511)

    # -- walkers ------------------------------------------------------------------------------------------------------------
    def start_walks(self, now):
        """timing-model.md: A walk starts in the cycle in which a request and a walker are both there; the lowest idle walker takes it."""
        for walker in self.walkers:
            if walker.request is None:
                self.take_requests(now)
                request = self.pick()
                if request is None:
                    return
                self.start_walk(walker, request, now)
        self.take_requests(now)

    def pick(self):
        """walk-scheduling.md. Entries with CL set are never candidates; ties go to the oldest (min() keeps the first of equals)."""
        free = [request for request in self.buffer if not self.is_held(request)]
        if not free:
            return None
        if self.c.schedule == "sjf" and self.c.pwc_ideal != "true":  # fewest predicted reads: the level of the first read
            return min(free, key=lambda request: self.first_read(request)[0])
        if self.c.schedule == "batch":  # an entry of the wave instruction taken last, else the oldest
            return min(free, key=lambda request: request.instruction != self.last_instruction)
        if self.c.schedule == "rr_cu":  # the oldest of the next compute unit, cyclically after the last one taken from
            return min(free, key=lambda request: (request.cu <= self.last_cu, request.cu))
        return free[0]

    def walk_cache(self, request):
        """page-walk-cache.md: virtual: the prefix va >> 21 (PMD, L2), >> 30, >> 39, >> 48, and the VM; the deepest hit wins."""
        for level in sorted(self.pwc):
            node = self.pwc[level].find(request.va >> shift_of(level), (request.va >> shift_of(level), request.vm))
            if node is not None:
                return level, node
        return None

    def first_read(self, request):
        """walk-scheduling.md, Where a walk starts: at the deepest of three points: one level below PL, in the node PA; the hit of the
        page-walk cache; the root. At a tie its own PA wins."""
        if self.c.pwc_ideal == "true":
            return self.last_read(request)
        starts = [(self.c.levels, self.c.roots[request.vm])]
        cached = self.walk_cache(request)
        if cached:
            starts.insert(0, (cached[0] - 1, cached[1]))
        if request.pl is not None:
            starts.insert(0, (request.pl - 1, request.pa))
        return min(starts, key=lambda start: start[0])

    def last_read(self, request):
        """page-walk-cache.md, pwc_ideal: every walk starts at its last read, or at an absent entry or large page on the way."""
        level, node = self.c.levels, self.c.roots[request.vm]
        while True:
            kind, value = self.entry(request.va, level, node)
            if kind != "table":
                return level, node
            level, node = level - 1, value

    def start_walk(self, walker, request, now):
        """Rule 3: Its buffer entry is freed as the walk starts."""
        self.buffer.remove(request)
        self.last_instruction, self.last_cu = request.instruction, request.cu
        self.totals["walks_started"] += 1
        self.set_row(walker, request, *self.first_read(request), searches=1)
        # page-walk-cache.md: Only the entry that won becomes most recently used
        ideal = self.c.pwc_ideal == "true"
        cached = self.walk_cache(request) if not ideal else (walker.level + 1, None) if walker.level < self.c.levels else None
        if cached and not ideal:
            self.pwc[cached[0]].touch(request.va >> shift_of(cached[0]), (request.va >> shift_of(cached[0]), request.vm))
        self.totals["pwc_lookups"] += 1
        self.totals["pwc_hits_l%d" % cached[0] if cached else "pwc_misses"] += 1
        # counts walks that start at PL/PA, deeper than the page-walk cache
        self.totals["partial_starts"] += request.pl is not None and not (cached and cached[0] <= request.pl)
        self.count("buffer_latency", now - request.buffered)
        walker.started = now
        # [walk_unit] pwc_cycles: page-walk cache lookup, before the first read
        request.charge("walk_cache", now + self.c.pwc_cycles)
        self.read(walker, now + self.c.pwc_cycles)

    def read(self, walker, now):
        """timing-model.md: a page-table read: to memory, the memory itself, back. A block sees messages between two edges at the later
        one."""
        c, line = self.c, self.address(walker.request.va, walker.level, walker.node) >> 6
        self.totals["pte_reads_l%d" % walker.level] += 1
        self.count_neighbours(walker)
        if self.cached(walker.level):
            now += c.pte_cache_cycles                  # its lookup, before each read
            walker.request.charge("walk_cache", now)
            if self.lines.find(line, line):
                self.lines.touch(line, line)
                self.totals["pte_cache_hits"] += 1
                self.hits.append((now, walker))        # a hit saves the memory access of one read
                return
        # page-walk-cache.md: a read joins another of its line; with pwc_merge any directory read does, with a PTE-line cache or without
        if c.pte_cache_merge == "true" and self.cached(walker.level) or c.pwc_merge == "true" and walker.level != 1:
            if line in self.joined:
                self.totals["pte_reads_merged"] += 1
                self.joined[line].append((now, walker))
                return
            self.joined[line] = []
        self.totals["pte_reads"] += 1
        # page-walk-cache.md, in_turn: it leaves when that line has arrived
        if c.line_reads == "in_turn" and any(self.line_of(other) == line for _, _, other in self.reads):
            self.turn.append((line, now, walker))
        else:
            self.leave(walker, now)

    def line_of(self, walker):
        return self.address(walker.request.va, walker.level, walker.node) >> 6

    def leave(self, walker, now):
        c = self.c
        there = now + max(c.read_cycles, 1)            # at least a cycle to memory
        back = (there + c.reply_cycles) * c.clock_ps + c.memory_ps
        self.reads.append((-(-back // c.clock_ps), there, walker))

    def cached(self, level):
        """page-walk-cache.md: inner: lines of the last level are read past the cache"""
        return self.c.pte_cache_bytes and (self.c.pte_cache_holds == "all" or level != 1)

    def count_neighbours(self, walker):
        """[M18] Figures 5 and 6: accesses that a concurrent one to the neighbourhood could have spared. The first access of a neighbourhood
        marks every other request that waits or walks there; a marked request's own access counts. Requests for the very same entry are
        excluded: page-walk caches and the L2 TLB serve those."""
        mine, level = walker.request, walker.level
        which = "leaf" if level == 1 else "upper"
        self.totals[which + "_accesses"] += 1
        if level in mine.spared:
            self.totals[which + "_neighbour_accesses"] += 1
            return
        walking = [other.request for other in self.walkers if other.request and other is not walker and other.level > level]
        for other in self.buffer + walking:
            if self.neighbours(mine, other, level) and mine.va >> shift_of(level) != other.va >> shift_of(level):
                other.spared.add(level)

    def take_lines(self, now):
        """Takes lines from memory first, in the order in which their reads reached memory, then those from the PTE-line cache; with
        match_cycles in the order of arrival."""
        for read in sorted((read for read in self.reads if read[0] == now), key=lambda read: read[1]):
            self.reads.remove(read)
            if self.c.match_cycles:
                self.hits.append((now, read[2]))
            self.arrived(read[2], now)
            if not self.c.match_cycles:
                self.take_line(read[2], now)
        while hit := self.next_hit(now):               # without cycles other hits may follow at once
            self.hits.remove(hit)
            self.matched_at = now + self.c.match_cycles # page-walk-cache.md: takes a line every n cycles
            self.take_line(hit[1], now)

    def next_hit(self, now):
        """Returns the line that the state machine takes now: the first to arrive."""
        came = [hit for hit in self.hits if hit[0] <= now and self.matched_at <= now]
        return min(came, key=lambda hit: hit[0]) if came else None

    def arrived(self, walker, now):
        """page-walk-cache.md: The fill of the PTE-line cache, joined reads and the next in turn do not wait."""
        line = self.line_of(walker)
        if self.cached(walker.level):
            self.lines.fill(line, line, True)
        waiting = next((one for one in self.turn if one[0] == line), None)
        if waiting:
            self.turn.remove(waiting)
            self.leave(waiting[2], max(now, waiting[1]))
        # page-walk-cache.md: It has the line with the other, but not before its own lookups end
        for looked_up, other in self.joined.pop(line, []):
            self.hits.append((max(now, looked_up), other))

    def take_line(self, walker, now):
        request, level, node = walker.request, walker.level, walker.node
        request.charge("walk_l%d" % level, now)
        # neighbourhood-coalescing.md: On a completed read: deliver, then advance or end.
        self.deliver(request, level, node, now)
        kind, value = self.entry(request.va, level, node)
        if kind == "table":
            # page-walk-cache.md: an entry that points to a table is filled, by the walker that read it
            self.pwc[level].fill(request.va >> shift_of(level), (request.va >> shift_of(level), request.vm), value)
            self.set_row(walker, request, level - 1, value, searches=1)
            self.read(walker, now)                     # the next read leaves in the same cycle
        else:
            # timing-model.md: The last read of a walk frees its walker, answers, and fills both IOMMU TLBs in one cycle
            self.totals["walks_finished" if kind == "page" else "walks_faulted"] += 1
            self.set_row(walker, None, None, None, searches=0)
            self.totals["walker_busy_ps"] += (now - walker.started) * self.c.clock_ps
            self.count("service_latency", now - walker.started)
            self.finish(request, kind, value, now)
        self.refill_buffer(now)

    def finish(self, request, kind, page, now):
        """timing-model.md: A fault travels like a translation, fills nothing. A coalesced request is answered in the cycle in which the
        line arrived."""
        if kind == "page":
            self.tlb1.fill(request.va, request.vm, page)
            self.tlb2.fill(request.va, request.vm, page)
        self.count("walk_latency", now - request.missed)
        self.count("backlog_latency", request.buffered - request.missed)
        self.answer(request, page, now, "buffer")


def simulate(path):
    """Returns the result, as lines."""
    unit = Iommu(Case(path))
    unit.run()
    lines = []
    for request in unit.requests:
        result = "fault" if request.page is None else "page 0x%x %d %s" % request.page
        causes = "".join(" %s=%d" % (cause, cycles) for cause, cycles in request.causes.items() if cycles)
        lines.append("request %d cycle %d %s :%s" % (request.number, request.done, result, causes))
    return lines + ["total %s %d" % item for item in unit.totals.items()]


if __name__ == "__main__":
    print("\n".join(simulate(sys.argv[1])))
