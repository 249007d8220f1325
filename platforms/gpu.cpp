/* SPDX-License-Identifier: MIT */
/* platforms/gpu.cpp - wiring of what machines with a GPU share. */
#include "platforms/gpu.hpp"

#include "model/icache_translations.hpp"
#include "model/lds_translations.hpp"
#include "model/os_script.hpp"
#include "model/perfect_tlb.hpp"
#include "model/victim_tlb.hpp"
#include "model/walk_unit.hpp"
#include "platforms/invalidator.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

gpu_top::gpu_top(const sc_core::sc_module_name &name, const gpu_machine_params &p, memory_world &world,
                 const program_list &all, walk_ports walks)
    : wiring(name, clock_domain(p.gpu.clock_ps)),
      dispatcher(make<class dispatcher>("dispatcher", clock(), p.dispatcher, all)),
      l2d(make<data_cache>("l2d", clock(), p.l2d, world.store,
                           p.gpu.cus + walks.l2d + p.icache.caches(p.gpu.cus))),
      outside_(all.memory()), contents_(world.store)
{
    if (!outside_)
        dram.push_back(&make<class dram>("dram", p.dram, world.store, 1 + walks.dram));
    else if (all.image() != nullptr)
        throw std::runtime_error(
            "an image of memory is the machine's own memory, and this is somebody else's");
    for (unsigned i = 0; i < p.gpu.cus; ++i)
        make_unit(i, p, world);
    if (p.icache.present())
        make_icaches(p, world, all, p.gpu.cus + walks.l2d);
    if (all.several())
        tell_spaces_apart(all.size());
    if (p.driven())
        make_driver(p, world, all);
    else
        l2d.down.bind(memory(0));
    dispatcher.check_fit();
}

memory_socket &gpu_top::memory(unsigned way)
{
    return outside_ ? outside_->socket(way) : *dram[0]->up[way];
}

/* Page tables are read where they lie: memory of somebody else's gets them before time zero. */
void gpu_top::start_of_simulation()
{
    if (!outside_)
        return;
    const uint64_t end = contents_.dense_pa() + contents_.dense_words() * 8;
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_WRITE_COMMAND);
    p.set_data_length(line_bytes);
    p.set_streaming_width(line_bytes);
    std::array<unsigned char, line_bytes> line{};
    p.set_data_ptr(line.data());
    for (uint64_t pa = contents_.dense_pa(); pa < end; pa += line_bytes) {
        contents_.read(pa, line.data(), line_bytes);
        p.set_address(pa);
        if (l2d.down->transport_dbg(p) != line_bytes) /* a link to host memory hands it on */
            throw std::runtime_error("main memory, which is somebody else's, takes no page table at " +
                                     std::to_string(pa) + " by debug access; it ends at " +
                                     std::to_string(end));
    }
}

gpu_top::~gpu_top() = default;

void gpu_top::tell_spaces_apart(size_t spaces)
{
    for (class coalescer *c : coalescer)
        c->tell_spaces_apart(spaces);
    for (tlb *t : l1_tlb)
        t->tell_spaces_apart(spaces);
}

void gpu_top::make_unit(unsigned i, const gpu_machine_params &p, memory_world &world)
{
    const stage_name l1_stage = {"l1", "L1 TLB"};
    cu.push_back(&make<compute_unit>(numbered("cu", i), clock(), p.cu, i, p.gpu.cus, dispatcher,
                                     compute_unit_ports{p.lds.present(), p.icache.present()}));
    coalescer.push_back(&make<class coalescer>(numbered("coalescer", i), clock(), p.coalescer));
    l1d.push_back(&make<data_cache>(numbered("l1d", i), clock(), p.l1d, world.store, 1u));
    dispatcher.attach_unit(*cu[i]);
    if (world.placement != nullptr)
        cu[i]->place(*world.placement);
    coalescer[i]->belongs_to(*cu[i]);
    cu[i]->mem.bind(coalescer[i]->up);
    if (p.lds.present()) {
        lds.push_back(&make<class lds>(numbered("lds", i), clock(), p.lds));
        lds[i]->belongs_to(*cu[i]);
        cu[i]->local->bind(lds[i]->up);
    }
    coalescer[i]->mem.bind(*l1d[i]->up[0]);
    l1d[i]->down.bind(*l2d.up[i]);
    if (p.perfect()) { /* the ideal ladder's upper rungs: nothing below is ever asked */
        perfect_l1.push_back(&make<perfect_tlb>(numbered("perfect_l1", i), clock(), world.spaces, l1_stage,
                                                p.l1_tlb.queue_entries, p.rung() == ideal::perfect_l1));
        perfect_l1[i]->belongs_to(*cu[i]);
        coalescer[i]->xlat.bind(perfect_l1[i]->up);
        return;
    }
    l1_tlb.push_back(&make<tlb>(numbered("l1_tlb", i), clock(), p.l1_tlb, l1_stage, 1u));
    l1_tlb[i]->belongs_to(*cu[i]);
    coalescer[i]->xlat.bind(*l1_tlb[i]->up[0]);
    if (!p.prefetch.present())
        return;
    prefetch.push_back(&make<tlb_prefetch>(numbered("prefetch", i), clock(), p.prefetch));
    prefetch[i]->belongs_to(*cu[i]);
    l1_tlb[i]->down.bind(*prefetch[i]->up[0]);
}

void gpu_top::make_icaches(const gpu_machine_params &p, memory_world &world, const program_list &all,
                           unsigned first_port)
{
    uint64_t end = p.icache.code_pa;
    for (size_t i = 0; i < all.size(); ++i) {
        const code_layout code(all[i], end, p.cu.line_instructions, line_bytes);
        dispatcher.place_code(i, code.of_launch);
        end = code.end;
    }
    if (end > std::min(p.address_space.table_pa, p.address_space.data_pa))
        throw std::runtime_error("icache.code_pa: the kernels' code, " +
                                 std::to_string(end - p.icache.code_pa) +
                                 " bytes, reaches into address_space.table_pa or address_space.data_pa");
    for (unsigned n = 0; n < p.icache.caches(p.gpu.cus); ++n) {
        icache.push_back(&make<class icache>(numbered("icache", n), clock(), p.icache, world.store,
                                             p.icache.requesters(n, p.gpu.cus)));
        icache[n]->down.bind(*l2d.up[first_port + n]);
    }
    for (unsigned i = 0; i < p.gpu.cus; ++i)
        cu[i]->code->bind(*icache[i / p.icache.shared_by]->up[i % p.icache.shared_by]);
}

/* L2D and copies reach device memory and the host's through the link. */
void gpu_top::make_driver(const gpu_machine_params &p, memory_world &world, const program_list &all)
{
    driver.push_back(&make<class driver>("driver", clock(), p.driver, p.address_space, world.spaces,
                                         ranges_of(all[0]), p.host_link.host_pa));
    host_link.push_back(
        &make<class host_link>("host_link", clock(), p.host_link, p.copy_engine.present() ? 2u : 1u));
    l2d.down.bind(*host_link[0]->up[host_link::cache]);
    host_link[0]->down.bind(memory(0));
    host_link[0]->asks(
        [d = driver[0]](uint64_t pa, bool host, bool late) { return d->line_used(pa, host, late); });
    make_flushable();
    if (!p.copy_engine.present())
        return;
    copy_engine.push_back(&make<class copy_engine>("copy_engine", clock(), p.copy_engine));
    copy_engine[0]->mem.bind(*host_link[0]->up[host_link::copies]);
}

void gpu_top::make_flushable()
{
    std::vector<data_cache *> caches = l1d;
    caches.push_back(&l2d);
    for (data_cache *c : caches)
        c->will_be_flushed();
    driver[0]->looks_into_caches_with([caches](const pa_range &range) {
        uint32_t lines = 0;
        for (const data_cache *c : caches)
            lines += c->lines_of(range);
        return lines;
    });
}

/* The L2D when all L1Ds have none of the lines any more. */
void gpu_top::flush_caches(const std::vector<pa_range> &ranges, std::function<void(tick)> done)
{
    l1ds_to_flush_ = l1d.size();
    for (data_cache *c : l1d)
        c->flush(ranges, [this, ranges, done](tick) {
            if (--l1ds_to_flush_ == 0)
                l2d.flush(ranges, done);
        });
}

void gpu_top::make_pager(const gpu_machine_params &p, memory_world &world,
                         const std::vector<walk_unit *> &units, memory_socket &to)
{
    const auto n = static_cast<unsigned>(units.size());
    page_plan &plan = driver.empty() ? static_cast<page_plan &>(world.spaces) : *driver[0];
    pager.push_back(&make<class pager>("pager", clock(), p.pager, plan, n));
    if (!driver.empty())
        driver[0]->fetches_with([this](const page_span &of) {
            pager[0]->change(page_change::fetch, of, [](tick, const change_result &) {});
        });
    if (!copy_engine.empty())
        pager[0]->copies_with([this](const std::vector<page_copy> &what, std::function<void(tick)> done) {
            copy_engine[0]->copy(what, std::move(done));
        });
    if (!driver.empty() && p.driver.flush)
        pager[0]->flushes_with([this](const std::vector<pa_range> &ranges, std::function<void(tick)> done) {
            flush_caches(ranges, std::move(done));
        });
    for (unsigned i = 0; i < n; ++i) {
        units[i]->faults().bind(*pager[0]->up[i]);
        pager[0]->registers_with(
            [unit = units[i]](uint16_t vmid, const ww_table &table) { unit->set_table(vmid, table); });
        pager[0]->on_write([unit = units[i]](uint64_t line_pa) { return unit->table_written(line_pa); });
    }
    pager[0]->mem.bind(to);
    if (outside_)
        pager[0]->writes_to_others();
    pager[0]->invalidates_with([this](const invalidation &what, acknowledged_fn acknowledged) {
        invalidator_->start(what, std::move(acknowledged));
    });
}

void gpu_top::make_invalidator(const std::vector<walk_unit *> &units)
{
    invalidator_ = std::make_unique<invalidator>(std::vector<block *>(units.begin(), units.end()),
                                                 [this] { return blocks(); });
    dispatcher.flushes_with([this](std::function<void(tick)> acknowledged) {
        invalidator_->start({ww_inval_all(), true, {}},
                            [done = std::move(acknowledged)](tick at, const drop_counts &) { done(at); });
    });
}

/* What is wrong with an event is better known before the run. */
static void check_event(const os_event &e, const memory_world &world, bool pager, bool driver)
{
    const bool changes = e.what == os_event::action::change, exchanges = e.what == os_event::action::exchange;
    const bool of_all = !changes && !exchanges && e.scope.all_vms;
    const uint16_t vmid = changes || exchanges ? e.of.vmid : e.scope.vmid;
    if ((changes || exchanges) && !pager)
        throw std::runtime_error(e.where + ": tables are changed by a pager, and this machine has none: "
                                           "address_space.map = all_paged, first_touch or half has one");
    const bool fetches = changes && e.change == page_change::fetch;
    if (fetches && !driver)
        throw std::runtime_error(e.where + ": pages are fetched by a driver, and this machine has none: "
                                           "driver.oversubscription has one");
    if (fetches &&
        e.of.va >> WW_HASHED_REGION_SHIFT != (e.of.va + (e.of.bytes - 1)) >> WW_HASHED_REGION_SHIFT)
        throw std::runtime_error(e.where + ": pages are fetched from one aligned 2 MiB at a time");
    if ((changes || exchanges) && driver && !fetches)
        throw std::runtime_error(e.where + ": pages are the driver's; fetch is what it may be asked for");
    for (const uint16_t vm : {vmid, exchanges ? e.other : vmid})
        if (!of_all && vm >= world.spaces.count())
            throw std::runtime_error(e.where + ": VM-ID " + std::to_string(vm) + ", and there " +
                                     (world.spaces.count() == 1
                                          ? "is 0 only"
                                          : "are 0 to " + std::to_string(world.spaces.count() - 1)));
    if (exchanges && !world.spaces.alike(vmid, e.other))
        throw std::runtime_error(e.where + ": VM-IDs " + std::to_string(vmid) + " and " +
                                 std::to_string(e.other) +
                                 " run programs of their own: the one's pages are not the other's");
    uint64_t first = 0;
    if (changes && !world.spaces.page_of(vmid, e.of.va, &first))
        throw std::runtime_error(e.where + ": no page of VM-ID " + std::to_string(vmid) +
                                 " holds this address; 'walkway trace info' has the buffers");
}

void gpu_top::make_os(const memory_world &world, const program_list &all)
{
    if (all.events().empty())
        return;
    for (const os_event &e : all.events())
        check_event(e, world, !pager.empty(), !driver.empty());
    os.push_back(&make<os_script>("os", clock(), all.events(), dispatcher, pager.empty() ? nullptr : pager[0],
                                  [this](const invalidation &what, acknowledged_fn acknowledged) {
                                      invalidator_->start(what, std::move(acknowledged));
                                  }));
    dispatcher.tell(*os[0], {0, static_cast<unsigned>(cu.size())});
}

std::vector<os_event_result> events_of(const gpu_top &top)
{
    return top.os.empty() ? std::vector<os_event_result>() : top.os[0]->results();
}

void gpu_top::list_units()
{
    list("gpu", "the GPU as a whole", "compute units and dispatcher", dispatcher, cu);
    groups_.back().activations = "activations_cu";
    list("lds", "the compute units' controllers of local memory, added up", "LDS controllers", lds);
    list("icache", "the instruction caches, added up", "instruction caches", icache);
    list("coalescer", "the coalescers, added up", "coalescers", coalescer);
    list("l1_tlb", "the compute units' TLBs, added up", "L1 TLBs", l1_tlb, perfect_l1);
    list("prefetch", "the prefetchers below L1 TLBs, added up", "prefetchers", prefetch);
    list("lds_tx", "translations in local memory, added up", "translations in local memory", lds_tx);
    list("icache_tx", "translations in instruction caches, added up", "translations in instruction caches",
         icache_tx);
    list("victim", "the victim TLBs, added up", "victim TLBs", victim);
}

void gpu_top::list_memory(const address_spaces &spaces)
{
    list("os", "the operating system that --events describes", "the operating system", os);
    list("pager", "who maps pages while the program runs", "the pager", pager);
    list("driver", "which pages lie in device memory, and which in host memory", "the driver", driver);
    list("copy_engine", "moves pages between device and host memory", "the copy engine", copy_engine);
    list("l1d", "the compute units' data caches, added up", "L1 data caches", l1d);
    list("l2d", "the shared data cache", "the L2 data cache", l2d);
    list("host_link", "the way to host memory", "the link to host memory", host_link);
    list("dram", "main memory", "main memory", dram);
    show_account();
    facts_ = {{"pages", "pages", "pages mapped before time zero", spaces.pages_at_start()},
              {"table_nodes", "nodes", "page-table nodes, 4 KiB each", spaces.table_nodes()}};
}

void gpu_top::laws_of_units()
{
    equal("cu: memory instructions = coalescer instructions", {"gpu.memory"}, {"coalescer.instructions"});
    if (!lds.empty())
        equal("cu: local instructions = LDS accesses", {"gpu.local"}, {"lds.accesses"});
    if (!icache.empty())
        equal("cu: fetches = instruction cache fetches", {"gpu.fetches"}, {"icache.fetches"});
    equal("l1_tlb: lookups = translations", {"l1_tlb.lookups"}, {"coalescer.translations"});
    equal("l1d: lines of the coalescers, less those of faulted pages", {"l1d.reads", "l1d.writes"},
          {"coalescer.lines"}, "coalescer.faults*");
}

std::vector<stat_term> gpu_top::asked_by(const std::string &stage) const
{
    std::vector<stat_term> all = {stage + ".misses"};
    if (!prefetch.empty() && stage != "memory_tlb") /* where nobody joins a prefetch none is retried */
        all.emplace_back(stage + ".retried");
    if (stage == "prefetch")
        all.emplace_back("prefetch.prefetches");
    return all;
}

void gpu_top::law_of_misses(const std::string &above, const std::string &below, const char *looked_up)
{
    equal(above + ": misses = " + below + " " + looked_up, asked_by(above), {below + "." + looked_up});
}

void gpu_top::laws_of_walks(const std::string &walks, bool through_l2d, bool reads,
                            const std::string &table_reads)
{
    /* What the translations were charged is what the walk units measured by themselves: walkers at work,
     * requests in the buffer, requests outside it. */
    const tick period = clock().period();
    const auto of = [&walks](const char *statistic) { return walks + "." + statistic; };
    /* The time of all translations, and of prefetches. */
    const auto spent = [this, period](std::initializer_list<const char *> rows) {
        std::vector<stat_term> terms;
        for (const std::string row : rows) {
            terms.emplace_back("account." + row, period);
            if (!prefetch.empty())
                terms.emplace_back("prefetch.account." + row, period);
        }
        return terms;
    };
    equal(walks + ": steps of walks = walkers' busy time (ps)", spent({"walk_*"}), {of("walker_busy_ps")});
    equal(walks + ": buffer + held of the account = walk buffer's occupancy over time (ps)",
          spent({"buffer", "held"}), {{of("buffer_occupancy"), period}});
    equal(walks + ": backlog of the account = time outside the walk buffer (ps)", spent({"backlog"}),
          {{of("backlog_latency"), period}});

    if (!pager.empty()) {
        equal(walks + ": faults handed on = faults that the pager took", {of("faults_sent")},
              {"pager.faults"});
        equal(walks + ": faults of the account = time after absent entries (ps)",
              spent({"fault_queue", "fault_service"}), {{of("fault_latency"), period}});
    }

    /* What a level reads from below is what the level below was asked for; walkers read memory at once or
     * through the shared cache, or not at all. */
    std::vector<stat_term> into_l2d = {"l1d.read_misses", "l1d.write_fetches"};
    std::vector<stat_term> into_dram = {"l2d.read_misses", "l2d.write_fetches"};
    std::string l2d_reads = "l2d: reads = L1D read misses + lines L1Ds fetch for writes";
    if (reads)
        (through_l2d ? into_l2d : into_dram).emplace_back(of("pte_reads"));
    if (through_l2d)
        l2d_reads += " + page-table reads";
    if (!table_reads.empty()) {
        into_l2d.emplace_back(table_reads);
        l2d_reads += " + lines of the table of translations";
    }
    if (!icache.empty()) {
        into_l2d.emplace_back("icache.misses");
        l2d_reads += " + instruction fetches that miss";
    }
    equal(l2d_reads, {"l2d.reads"}, into_l2d);
    std::string dram_reads =
        "dram: reads + refused reads = L2D read misses + lines the L2D fetches for writes";
    if (!through_l2d)
        dram_reads += " + page-table reads";
    std::vector<stat_term> from_memory = {"dram.reads", "dram.refused_reads"};
    if (!host_link.empty()) {
        from_memory.insert(from_memory.end(), {"host_link.host_reads", "host_link.copied_in"});
        dram_reads = "host_link: reads of host memory, copies into device memory + " + dram_reads;
    }
    if (!copy_engine.empty()) {
        into_dram.emplace_back("copy_engine.reads");
        dram_reads += " + lines copied";
    }
    if (!dram.empty())
        equal(dram_reads, from_memory, into_dram);
}

} // namespace walkway
