/* SPDX-License-Identifier: MIT */
/* platforms/gpu.cpp - makes a machine's blocks and binds them. */
#include "platforms/gpu.hpp"

#include "model/os_script.hpp"
#include "model/perfect_tlb.hpp"
#include "platforms/invalidator.hpp"
#include "platforms/kernel_split.hpp"
#include "platforms/level_blocks.hpp"
#include "platforms/place_split.hpp"

#include <algorithm>
#include <stdexcept>

namespace walkway
{

gpu_top::path_ports gpu_top::ports_of(const gpu_machine_params &p)
{
    path_ports ports;
    const std::vector<level *> there = p.path.present();
    for (const level *l : there) {
        if (p.perfect() && !l->ends_path())
            continue;
        const unsigned readers =
            static_cast<unsigned>(l->groups().of(p.gpu.cus).size()) + (l->ends_path() && p.faults() ? 1 : 0);
        ports.l2d += readers * l->wants().l2d_ports;
        ports.memory += readers * l->wants().memory_ways;
    }
    return ports;
}

gpu_top::gpu_top(const sc_core::sc_module_name &name, const gpu_machine_params &p, memory_world &world,
                 const program_list &all)
    : wiring(name, clock_domain(p.gpu.clock_ps)),
      dispatcher(make<class dispatcher>("dispatcher", clock(), p.dispatcher, all)),
      l2d(make<data_cache>("l2d", clock(), p.l2d, world.store,
                           p.gpu.cus + ports_of(p).l2d + p.icache.caches(p.gpu.cus))),
      outside_(all.memory()), contents_(world.store),
      why_not_in_the_middle_(p.why_not_in_the_middle()), next_{p.gpu.cus, 1}
{
    if (!outside_)
        dram.push_back(&make<class dram>("dram", p.dram, world.store, 1 + ports_of(p).memory));
    else if (all.image() != nullptr)
        throw std::runtime_error(
            "an image of memory is the machine's own memory, and this machine's is foreign");
    for (unsigned i = 0; i < p.gpu.cus; ++i)
        make_unit(i, p, world);
    if (p.icache.present())
        make_icaches(p, world, all);
    if (p.driven())
        make_driver(p, world, all);
    else
        l2d.down.bind(memory(0));
    dispatcher.check_fit();
    make_path(p, world, all.several() ? all.size() : 0);
    make_invalidator();
    make_os(world, all);
    list_blocks(p, world.spaces);
    laws_of_units(p);
    laws_of_misses(p);
    laws_of_walks(p);
    laws_of_memory(p);
}

memory_socket &gpu_top::memory(unsigned way)
{
    return outside_ ? outside_->socket(way) : *dram[0]->up[way];
}

void gpu_top::start_of_simulation()
{
    if (outside_)
        hand_tables_out();
    if (from_ != nullptr)
        fill_now(*from_);
}

/* Writes the page tables to a foreign memory before time zero, because walks read them there. */
void gpu_top::hand_tables_out()
{
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
        if (l2d.down->transport_dbg(p) != line_bytes) /* a link to host memory forwards it */
            throw std::runtime_error("the foreign main memory takes no page table at " + std::to_string(pa) +
                                     " by debug access; it ends at " + std::to_string(end));
    }
}

gpu_top::~gpu_top() = default;

void gpu_top::make_unit(unsigned i, const gpu_machine_params &p, memory_world &world)
{
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
}

void gpu_top::make_icaches(const gpu_machine_params &p, memory_world &world, const program_list &all)
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
    const unsigned first_port = p.gpu.cus + ports_of(p).l2d;
    for (unsigned n = 0; n < p.icache.caches(p.gpu.cus); ++n) {
        icache.push_back(&make<class icache>(numbered("icache", n), clock(), p.icache, world.store,
                                             p.icache.requesters(n, p.gpu.cus)));
        icache[n]->down.bind(*l2d.up[first_port + n]);
    }
    for (unsigned i = 0; i < p.gpu.cus; ++i)
        cu[i]->code->bind(*icache[i / p.icache.shared_by]->up[i % p.icache.shared_by]);
}

/* Makes the levels, those next to the coalescers first. Of the L2D's and memory's ports, those of the walk
 * units and the pager precede those of tables of translations. */
void gpu_top::make_path(const gpu_machine_params &p, memory_world &world, size_t programs)
{
    std::vector<asking> above;
    for (unsigned i = 0; i < p.gpu.cus; ++i) {
        above.push_back({&coalescer[i]->xlat, {i}});
        if (programs != 0)
            coalescer[i]->tell_spaces_apart(programs);
    }
    const level &last = p.path.last();
    const auto readers = static_cast<unsigned>(last.groups().of(p.gpu.cus).size()) + (p.faults() ? 1 : 0);
    const path_ports first = next_;
    next_.l2d += readers * last.wants().l2d_ports;
    next_.memory += readers * last.wants().memory_ways;
    next_table_ = p.address_space.data_pa + p.address_space_of_run().memory_bytes;
    for (const level *l : p.path.present()) {
        if (l->ends_path())
            next_ = first;
        if (p.perfect() && path.empty())
            make_perfect(*l, p, world, above);
        if (!p.perfect() || l->ends_path())
            make_level(*l, p, world, programs, above);
    }
    for (block *b : path.back().blocks)
        walk_units.push_back(&dynamic_cast<walk_unit &>(*b));
    if (p.faults())
        make_pager(p, world);
}

/* Makes the TLBs of the ideal ladder's upper rungs, which send no request below. */
void gpu_top::make_perfect(const level &first, const gpu_machine_params &p, const memory_world &world,
                           std::vector<asking> &above)
{
    const bool alone = first.ends_path(); /* the walk units then have the level's own name */
    const stage_name stage =
        alone ? stage_name{"perfect", "perfect TLB"} : stage_name{first.short_name(), first.title()};
    path.push_back({alone ? "perfect" : first.section(), {}});
    unsigned n = 0;
    for (const unit_groups::units &units : first.groups().of(p.gpu.cus)) {
        auto &made =
            make<perfect_tlb>(numbered(("perfect_" + first.short_name()).c_str(), n++), clock(), world.spaces,
                              stage, first.queue_entries(), p.rung() == ideal::perfect_l1 ? 1u : 0u,
                              static_cast<unsigned>(units.size()));
        if (units.size() == 1)
            made.belongs_to(*cu[units[0]]);
        for (unsigned k = 0; k < units.size(); ++k)
            above[units[k]].down->bind(*made.up[k]);
        path.back().blocks.push_back(&made);
    }
    above.clear();
}

/* Binds each requester above to the instance of its compute units. */
void gpu_top::make_level(const level &l, const gpu_machine_params &p, const memory_world &world,
                         size_t programs, std::vector<asking> &above)
{
    path.push_back({l.section(), {}});
    std::vector<asking> here;
    const bool one = l.groups().one_of(p.gpu.cus);
    unsigned nth = 0;
    for (const unit_groups::units &units : l.groups().of(p.gpu.cus)) {
        std::vector<out_port<xlat_protocol> *> requesters;
        for (const asking &a : above)
            if (std::binary_search(units.begin(), units.end(), a.units.front()))
                requesters.push_back(a.down);
        const level_instance made = make_blocks(l, {*this,
                                                    world,
                                                    l.instance_name(nth, p.gpu.cus),
                                                    {l.short_name(), l.title()},
                                                    nth,
                                                    units,
                                                    static_cast<unsigned>(requesters.size()),
                                                    next_table_,
                                                    programs,
                                                    l.section() != l.kind()});
        made.served->serve_by(l.order());
        if (units.size() == 1 && !one)
            made.made->belongs_to(*cu[units[0]]);
        for (size_t k = 0; k < requesters.size(); ++k)
            requesters[k]->bind(*made.up[k]);
        next_table_ += p.carved_bytes(l.wants().table_bytes);
        bind_memory(l, made);
        path.back().blocks.push_back(made.made);
        here.push_back({made.down, units});
        ++nth;
    }
    above = std::move(here);
}

void gpu_top::bind_memory(const level &l, const level_instance &made)
{
    if (l.wants().l2d_ports != 0)
        made.mem->bind(*l2d.up[next_.l2d++]);
    else if (l.wants().memory_ways != 0)
        made.mem->bind(memory(next_.memory++));
}

/* The L2D and copies access device and host memory through the link. */
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

/* Flushes the L2D after all L1Ds have flushed the lines. */
void gpu_top::flush_caches(const std::vector<pa_range> &ranges, std::function<void(tick)> done)
{
    l1ds_to_flush_ = l1d.size();
    for (data_cache *c : l1d)
        c->flush(ranges, [this, ranges, done](tick) {
            if (--l1ds_to_flush_ == 0)
                l2d.flush(ranges, done);
        });
}

void gpu_top::make_pager(const gpu_machine_params &p, memory_world &world)
{
    const std::vector<walk_unit *> &units = walk_units;
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
    pager[0]->mem.bind(p.path.last().wants().l2d_ports != 0 ? *l2d.up[next_.l2d++] : memory(next_.memory++));
    if (outside_)
        pager[0]->writes_to_others();
    pager[0]->invalidates_with([this](const invalidation &what, acknowledged_fn acknowledged) {
        invalidator_->start(what, std::move(acknowledged));
    });
}

void gpu_top::make_invalidator()
{
    invalidator_ = std::make_unique<invalidator>(std::vector<block *>(walk_units.begin(), walk_units.end()),
                                                 [this] { return blocks(); });
    dispatcher.flushes_with([this](std::function<void(tick)> acknowledged) {
        invalidator_->start({ww_inval_all(), true, {}},
                            [done = std::move(acknowledged)](tick at, const drop_counts &) { done(at); });
    });
}

/* Refuses an illegal event before the run starts. */
static void check_event(const os_event &e, const clock_domain &clock, const memory_world &world, bool pager,
                        bool driver)
{
    constexpr tick time_ends = tick{1} << 63; /* clocks count the cycles of earlier times only */
    const uint64_t last_cycle = (time_ends - 1) / clock.period();
    const bool changes = e.what == os_event::action::change, exchanges = e.what == os_event::action::exchange;
    const bool of_all = !changes && !exchanges && e.scope.all_vms;
    const uint16_t vmid = changes || exchanges ? e.of.vmid : e.scope.vmid;
    if (e.at == os_event::moment::cycle && e.number > last_cycle)
        throw std::runtime_error(e.where + ": cycle " + std::to_string(e.number) + " is above " +
                                 std::to_string(last_cycle) + ", the last one before 2^63 ps");
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
        check_event(e, clock(), world, !pager.empty(), !driver.empty());
    os.push_back(&make<os_script>("os", clock(), all.events(), dispatcher, pager.empty() ? nullptr : pager[0],
                                  [this](const invalidation &what, acknowledged_fn acknowledged) {
                                      invalidator_->start(what, std::move(acknowledged));
                                  }));
    dispatcher.tell(*os[0], {0, static_cast<unsigned>(cu.size())});
}

static gpu_machine_params for_programs(gpu_machine_params p, const program_list &all)
{
    p.set_programs(all.size());
    p.address_space.image = all.image();
    if (all.size() == 1)
        p.set_buffers(wkt_reader_info(all[0])->buffers);
    return p;
}

static machine::parts parts_of(const gpu_machine_params &of_one, const program_list &all)
{
    const gpu_machine_params p = for_programs(of_one, all);
    /* Before the machine takes memory, because counting bits makes stores of its own. */
    std::vector<hardware_array> arrays;
    if (p.rung() == ideal::off)
        arrays = structures_of(p).arrays();
    auto world = std::make_shared<memory_world>(p.address_space_of_run(), all, p.memory_end());
    auto top = std::make_unique<gpu_top>("top", p.resolved(world->spaces.pages()), *world, all);
    if (p.rung() == ideal::off)
        top->has_arrays(arrays);
    return {std::move(world), std::move(top)};
}

gpu_machine::gpu_machine(const gpu_machine_params &p, const program_list &all)
    : machine(parts_of(p, all)), programs_(all.size()), trace_(all.size() == 0 ? nullptr : all[0])
{
}

gpu_machine::~gpu_machine() = default;

std::vector<os_event_result> gpu_machine::events() const
{
    const gpu_top &top = static_cast<const gpu_top &>(machine::top());
    return top.os.empty() ? std::vector<os_event_result>() : top.os[0]->results();
}

namespace
{

class gpu_config final : public gpu_params_as<platform_config>
{
public:
    using gpu_params_as::gpu_params_as;
    uint64_t memory_bytes(const program_list &all) const override
    {
        const gpu_machine_params p = for_programs(params, all);
        return p.memory_bytes(ranges_of_all(all, p.address_space.spaces));
    }
    std::unique_ptr<platform> build(const program_list &all) const override
    {
        return std::make_unique<gpu_machine>(params, all);
    }
};

} // namespace

std::unique_ptr<platform_config> make_platform_config(const std::string &path)
{
    return std::make_unique<gpu_config>(path);
}

} // namespace walkway
