// SPDX-License-Identifier: Apache-2.0
// Bandwidth sharing among simultaneous flows: weighted max-min fairness by progressive filling.
// [@bertsekas1992data]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace railwright::core {

using LinkId = std::int32_t;
using FlowId = std::int32_t;

/// What one unit of a flow puts on a link: 1 for a byte that crosses once, 2 where two ranks of a
/// collective share the link, 1/read_rate on a disk of capacity 1 shared by reads and writes.
struct LinkUse {
  LinkId link = 0;
  double coefficient = 1.0;
};

/// A transfer: `size` units (bytes, or steps) at one rate over all its links at once. It stands for
/// `multiplicity` equal flows that move `size` each. Its rate never exceeds `ceiling`.
/// Fairness compares rate / weight: a flow counted in steps, not bytes, takes 1 / bytes-per-step so
/// that its share of a link equals that of a flow of bytes.
struct Flow {
  std::span<const LinkUse> route{};
  std::int64_t size = 0;
  double ceiling = std::numeric_limits<double>::infinity();
  std::int32_t multiplicity = 1;
  double weight = 1.0;
};

/// Max-min fair rates for the flows that are under way.
///
/// For every link l: sum over flows f of multiplicity_f * coefficient_fl * rate_f <= capacity_l,
/// and no flow's rate can rise without lowering that of a flow that is no faster. A flow on an
/// unlimited route with no ceiling ends at once. Links of capacity 0 stall their flows. Only the
/// links and flows connected to a change are solved again; links of infinite capacity connect
/// nothing. Ties are broken by id: same calls, same results.
class FlowNetwork {
 public:
  /// Capacity in units per second; infinity for a link that never binds.
  LinkId add_link(double capacity);
  /// Takes effect at the next solve().
  void set_capacity(LinkId link, double capacity);
  [[nodiscard]] double capacity(LinkId link) const { return links_[index(link)].capacity; }
  [[nodiscard]] std::size_t num_links() const { return links_.size(); }

  /// Adds a flow whose rate is 0 until solve().
  FlowId add(const Flow& flow);
  /// Removes a flow that ended or was cancelled.
  void remove(FlowId flow);
  [[nodiscard]] std::size_t num_flows() const { return num_flows_; }

  /// Brings all rates up to date with what changed since the last solve.
  void solve();
  /// Whether something changed since the last solve.
  [[nodiscard]] bool is_stale() const { return !seed_links_.empty() || !seed_flows_.empty(); }

  [[nodiscard]] double rate(FlowId flow) const { return flows_[index(flow)].rate; }
  /// Units per second now crossing the link.
  [[nodiscard]] double load(LinkId link) const;
  /// Flows whose rate the last solve() changed.
  [[nodiscard]] std::span<const FlowId> changed() const { return changed_; }
  /// How often a flow was visited by the solver since construction: a measure of work.
  [[nodiscard]] std::int64_t num_touches() const { return num_touches_; }

  /// One link of a flow's route.
  struct Hop {
    LinkId link = 0;
    std::int32_t position = 0;  ///< of the flow among the link's members
    double use = 0.0;           ///< load on the link per unit of rate: multiplicity * coefficient
  };
  /// One flow of a link.
  struct Member {
    FlowId flow = 0;
    std::int32_t hop = 0;    ///< index into the pool of hops
    double level_use = 0.0;  ///< load on the link per unit of level: use * weight
  };
  [[nodiscard]] std::span<const Hop> hops(FlowId flow) const {
    const FlowState& f = flows_[index(flow)];
    return {hops_.data() + f.first_hop, static_cast<std::size_t>(f.num_hops)};
  }
  [[nodiscard]] std::span<const Member> members(LinkId link) const { return members_[index(link)]; }
  /// Load a member puts on its link per unit of rate.
  [[nodiscard]] double use(const Member& member) const { return hops_[index(member.hop)].use; }

 private:
  struct LinkState {
    double capacity = 0.0;
    double used = 0.0;        // by flows already fixed in this solve
    double open_use = 0.0;    // of flows not yet fixed: load per unit of level
    double summed_use = 0.0;  // open_use when it was last summed afresh
    std::int64_t stamp = 0;   // the pass that reached the link
    std::int32_t num_open = 0;
    bool is_seed = false;
  };
  struct FlowState {
    double rate = 0.0;
    double ceiling = 0.0;
    double weight = 1.0;
    std::int64_t stamp = 0;  // the pass that reached the flow; negated once its rate is fixed
    std::int32_t first_hop = 0;
    std::int32_t num_hops = 0;
    bool is_alive = false;
    bool is_seed = false;
  };
  /// A link that may saturate, or (complemented) a flow that may meet its ceiling, at `level`.
  struct Candidate {
    double level = 0.0;
    std::int32_t id = 0;
  };

  static std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }
  static int size_class(std::size_t num_hops);

  std::int32_t take_hops(std::size_t num_hops);
  void seed(LinkId link);
  void reach(FlowId flow);
  void reach_all_connected();
  void fill();
  void fill_single();
  void fix(FlowId flow, double level, double rate);
  void set_rate(FlowId flow, double rate);
  void sum_open_use(LinkId link);

  std::vector<LinkState> links_;
  std::vector<std::vector<Member>> members_;
  std::vector<FlowState> flows_;
  std::vector<FlowId> free_flows_;
  std::vector<Hop> hops_;
  std::array<std::vector<std::int32_t>, 32> free_hops_;
  std::size_t num_flows_ = 0;

  std::vector<LinkId> seed_links_;
  std::vector<FlowId> seed_flows_;
  std::vector<LinkId> region_links_;
  std::vector<FlowId> region_flows_;
  std::vector<Candidate> candidates_;
  std::vector<FlowId> changed_;
  std::int64_t pass_ = 0;
  std::int64_t num_touches_ = 0;
};

}  // namespace railwright::core
