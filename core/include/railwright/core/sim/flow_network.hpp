// SPDX-License-Identifier: Apache-2.0
// Bandwidth sharing among simultaneous flows: weighted max-min fairness by progressive filling.
// [@bertsekas1992data]
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "railwright/core/sim/block_pool.hpp"
#include "railwright/core/sim/flow_state.hpp"
#include "railwright/core/sim/level_heap.hpp"
#include "railwright/core/sim/plain_vector.hpp"

namespace railwright::core {

/// Max-min fair rates for all active flows.
///
/// For every link l: sum over flows f of multiplicity_f * coefficient_fl * rate_f <= capacity_l,
/// and no flow's rate can rise without lowering that of a flow that is no faster. A flow on an
/// unlimited route with no ceiling ends at once. Links of capacity 0 stall their flows. A change
/// re-solves only the flows it can reach, by one of two methods that the network chooses (see
/// docs/models/flow_network.md). Ties are broken by id: same calls, same results.
class FlowNetwork {
 public:
  /// Capacity in units per second; infinity (or 1e300 and more) for a link that never binds.
  LinkId add_link(double capacity);
  /// Takes effect at the next solve().
  void set_capacity(LinkId link, double capacity);
  [[nodiscard]] double capacity(LinkId link) const { return capacities_[index(link)]; }
  [[nodiscard]] std::size_t num_links() const { return links_.size(); }

  /// Throws SimulationError unless the flow could be added.
  void check(const Flow& flow) const;
  /// Adds a flow whose rate is 0 until solve().
  FlowId add(const Flow& flow) {
    check(flow);
    return add_checked(flow, 0.0);
  }
  /// Adds a flow that passed check() and has had this rate until now.
  FlowId add_checked(const Flow& flow, double rate);
  /// Takes a flow that ended or was cancelled after `moved` units off its links. Cheapest for the
  /// most recently added flow.
  void leave_links(FlowId flow, double moved);
  /// Does the same in far fewer steps, for use when all flows of the network leave at once.
  void leave_empty_links(FlowId flow, double moved);
  /// Must be called after all flows left through leave_empty_links().
  void forget_left();
  /// Removes a flow, first taking it off its links if it is still on them.
  void remove(FlowId flow, double moved = 0.0);
  [[nodiscard]] std::size_t num_flows() const { return num_flows_; }

  /// Updates all rates for the changes since the last solve.
  void solve();
  /// Whether something changed since the last solve.
  [[nodiscard]] bool is_stale() const { return !dirty_links_.empty() || !new_flows_.empty(); }

  [[nodiscard]] double rate(FlowId flow) const { return flows_[index(flow)].rate; }
  /// Units per second now crossing the link.
  [[nodiscard]] double load(LinkId link) const;
  /// Units that flows carried over the link before they were removed.
  [[nodiscard]] double carried_by_removed(LinkId link) const { return links_[index(link)].carried; }
  /// Flows whose rate the last solve() changed.
  [[nodiscard]] std::span<const FlowId> changed() const {
    return {changed_.data(), changed_.size()};
  }
  /// Number of times the solver set a flow's rate, as a measure of work.
  [[nodiscard]] std::int64_t num_touches() const { return num_touches_; }

  [[nodiscard]] std::span<const Hop> hops(FlowId flow) const {
    const FlowState& f = flows_[index(flow)];
    return hops_.span(f.first_hop, f.num_hops);
  }
  [[nodiscard]] std::span<const FlowId> members(LinkId link) const {
    const LinkState& l = links_[index(link)];
    return members_.span(l.first_member, l.num_members);
  }
  /// Load that members(link)[i] puts on the link per unit of rate.
  [[nodiscard]] double use_of_member(LinkId link, std::size_t i) const {
    const FlowId flow = members(link)[i];
    const FlowState& f = flows_[index(flow)];
    return f.use >= 0.0 ? f.use : uses_[index(hop_of(f, link, static_cast<std::int32_t>(i)))];
  }

 private:
  static std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }

  // flow_network.cpp: adding and removing flows and links.
  FlowId take_flow();
  [[nodiscard]] double use(const FlowState& flow, std::int32_t hop) const {
    return flow.use >= 0.0 ? flow.use : uses_[index(hop)];
  }
  void join_links(FlowId id, const Flow& flow);
  /// The hop at which the flow is the link's member at `position`.
  [[nodiscard]] std::int32_t hop_of(const FlowState& flow, LinkId link,
                                    std::int32_t position) const {
    std::int32_t hop = flow.first_hop;
    while (hops_[hop].link != link || hops_[hop].position != position) ++hop;
    return hop;
  }
  void join(FlowId flow, std::int32_t hop, LinkId link, double level_use);
  void set_limit(FlowState& flow) const;
  [[nodiscard]] std::int64_t asked_of(const FlowState& flow, std::int32_t hop) const;
  void ask(const FlowState& flow);
  void ask_no_more(const FlowState& flow);
  void make_room_for_members(LinkState& link);
  void make_new(FlowId flow);
  void leave(const FlowState& flow, LinkId link, double load);
  /// Whether the link holds what its members ask for at their limits, so that it limits none.
  [[nodiscard]] bool is_slack(LinkId link) const {
    const LinkState& l = links_[index(link)];
    return l.asked <= static_cast<std::int64_t>(kRoomParts) && l.room > 0;
  }
  [[nodiscard]] std::span<const Hop> kept_hops(const FlowState& flow) const {
    return hops_.span(flow.first_hop, flow.num_kept);
  }
  void swap_hops(std::int32_t a, std::int32_t b);
  /// Counts the loads of a link that its members could fill, from now on.
  void keep(LinkId link);
  [[nodiscard]] bool is_kept_in_vain(LinkId link) const;
  void keep_no_more(LinkId link);
  void leave_checkpoints(FlowId flow);
  void set_scale(LinkId link, double capacity);

  // flow_solver.cpp: shared by both methods of filling.
  [[nodiscard]] bool is_pending(FlowId flow) const {
    return steps_[index(flow)] - first_pending_ < num_pending_steps_;
  }
  void take_new_flows();
  void take_free_flows();
  [[nodiscard]] bool fills_dense() const {
    return is_dense_ || (is_crowded_ && new_flows_.size() > num_flows_ / 2);
  }
  void note_reach(std::size_t num_reached);
  void keep_asked(FlowId flow);
  void solve_free(FlowId flow);
  void make_unlimited(FlowId flow);
  [[nodiscard]] double saturation_level(LinkId link) const;
  [[nodiscard]] double open_use(LinkId link) const;
  void fix_open(LinkId link, double level);
  void fix_at_limit(FlowId flow);
  void put_level(FlowId flow, double level, LinkId bottleneck);
  void set_rate(FlowId flow, double rate);

  // sparse_fill.cpp: fills only the flows that a change reaches.
  bool fill_sparse();
  bool sweep();
  void attach(FlowId flow);
  void attach_with_neighbours(FlowId flow);
  void touch(LinkId link);
  void touch_pending(FlowId flow);
  void free_own(LinkId link);
  void enqueue(LinkId link);
  void enqueue_touched();
  void settle(LinkId link, double turn);
  [[nodiscard]] double level_with_faster(LinkId link, double level) const;
  void release(FlowId flow);
  void release_own(LinkId link);
  void release_faster(LinkId link, double level);
  void drop_settled();
  [[nodiscard]] bool is_settled(LinkId link) const;
  void give_up();

  // dense_fill.cpp: refills everything above a level.
  void fill_dense();
  void drop_filled();
  void restart();
  void restart_from_nothing();
  [[nodiscard]] bool is_untouched_by(FlowId flow, const Checkpoint& checkpoint) const;
  void append_candidates();
  void keep_checkpoint();
  void drop_checkpoint();
  void renumber_steps();

  std::vector<LinkState> links_;
  std::vector<double> capacities_;
  std::vector<double> scales_;  // load units per capacity unit, by link: a power of two
  std::vector<double> keys_;    // key of each link's entry in candidates_
  std::vector<LinkFill> fill_;  // the part of LinkState that filling writes
  PlainVector<FlowState> flows_;
  PlainVector<std::uint32_t> steps_;  // step at which each flow got its level; see is_pending()
  BlockPool<Hop> hops_;
  PlainVector<double> uses_;  // by hop, if the uses of a flow's hops differ
  BlockPool<FlowId> members_;
  FlowId free_flow_ = -1;  // first free id; the others follow by first_hop
  std::size_t num_flows_ = 0;
  std::size_t num_ceilings_ = 0;

  PlainVector<FlowId> new_flows_;  // have no load on any link yet
  std::vector<LinkId> dirty_links_;
  std::vector<LinkId> touched_;
  PlainVector<FlowId> changed_;
  LevelHeap candidates_;
  // A flow whose step is in this range is pending: it has no level yet.
  std::uint32_t first_pending_ = kReleased;
  std::uint32_t num_pending_steps_ = 1;
  std::uint32_t step_ = 1;
  std::size_t num_released_ = 0;
  std::size_t num_to_place_ = 0;  // pending flows of a sparse fill
  bool is_crowded_ = false;       // new flows share their links with many flows
  double reached_ = 0.0;          // level of the last link filled in this solve

  int patience_ = 0;  // filled links to pop before candidates_ is purged of others
  bool is_dense_ = false;
  double usual_reach_ = 0.0;  // share of the flows that a solve changes, on a running average
  std::vector<Checkpoint> checkpoints_;
  std::vector<std::vector<LinkFill>> spare_fills_;
  std::int64_t num_touches_ = 0;
};

}  // namespace railwright::core
