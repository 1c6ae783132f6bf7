// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/step_structure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "railwright/models/collective/pair.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/rank_groups.hpp"
#include "step_transfers.hpp"

namespace railwright::simulation {

namespace {

using models::CollectiveFlow;
using Route = std::vector<core::LinkUse>;

bool is_same(const Route& one, const Route& other) {
  return std::ranges::equal(one, other, [](const core::LinkUse& a, const core::LinkUse& b) {
    return a.link == b.link && a.coefficient == b.coefficient;
  });
}

/// Some number between 1 and 2 for each kind of links, so that sums of different ones differ.
double weight_of(std::int32_t kind) {
  constexpr double kGoldenRatio = 0.6180339887498949;
  const double turns = kGoldenRatio * (1.0 + kind);
  return 1.0 + (turns - static_cast<double>(static_cast<std::int64_t>(turns)));
}

/// A number for each link by what it connects: the rates of an adapter and of a switch may be the
/// same by chance, and one of them change.
std::vector<std::uint64_t> kinds_by_ends(const core::Fabric& fabric) {
  const auto role = [&](core::VertexId vertex) {
    return static_cast<std::uint64_t>(fabric.vertices()[static_cast<std::size_t>(vertex)].role);
  };
  constexpr std::uint64_t kMaxRoles = 64;
  std::vector<std::uint64_t> kinds;
  kinds.reserve(fabric.links().size());
  for (const core::Link& link : fabric.links()) {
    kinds.push_back((static_cast<std::uint64_t>(link.tier) * kMaxRoles + role(link.from)) *
                        kMaxRoles +
                    role(link.to));
  }
  return kinds;
}

/// Latency, ceiling, and bytes by kind of link. One group stands for those with the same.
using Signature = std::tuple<double, double, std::int64_t>;

Signature signature_of(const CollectiveFlow& flow, const std::vector<std::int32_t>& link_kind) {
  constexpr double kDigits = 1e9;
  double sum = 0.0;
  for (const core::LinkUse& use : flow.route) {
    sum += use.coefficient * weight_of(link_kind[static_cast<std::size_t>(use.link)]);
  }
  return {flow.latency.base(), flow.ceiling, std::llround(kDigits * sum)};
}

}  // namespace

/// A transfer between stages: of tensor-parallel ranks that do the same, one, with their route.
struct KnownSend {
  std::vector<int> tensors;
  Route route;
};

/// A call of a sync: of groups that do the same, one, with its route.
struct KnownCall {
  SyncCall call;  ///< with these groups alone
  std::vector<Route> routes;
};

struct KnownSync {
  std::vector<KnownCall> calls;
  double bucket_bytes = 0.0;
};

/// Links of a class that have the same latency: on the way of a call, one is as good as another.
class LinkKinds {
 public:
  LinkKinds() = default;
  LinkKinds(const core::Fabric& fabric, const std::vector<std::int32_t>& link_class) {
    kind_.assign(link_class.size(), FoldedCosts::kUnused);
    std::vector<std::vector<std::int32_t>> kinds_of_class;
    for (std::size_t link = 0; link < link_class.size(); ++link) {
      if (link_class[link] == FoldedCosts::kUnused) continue;
      const auto of = static_cast<std::size_t>(link_class[link]);
      if (of >= kinds_of_class.size()) kinds_of_class.resize(of + 1);
      std::vector<std::int32_t>& kinds = kinds_of_class[of];
      const auto known = std::ranges::find_if(kinds, [&](std::int32_t kind) {
        const auto first = static_cast<std::size_t>(first_[static_cast<std::size_t>(kind)]);
        return fabric.links()[first].latency == fabric.links()[link].latency;
      });
      if (known == kinds.end()) {
        kinds.push_back(static_cast<std::int32_t>(first_.size()));
        first_.push_back(static_cast<core::LinkId>(link));
        first_of_class_.push_back(first_[static_cast<std::size_t>(kinds.front())]);
        kind_[link] = kinds.back();
      } else {
        kind_[link] = *known;
      }
    }
  }

  [[nodiscard]] const std::vector<std::int32_t>& of_links() const { return kind_; }

  /// Whether links of a kind have the same rate and latency on this fabric too, and those of a
  /// class the same rate.
  [[nodiscard]] bool hold_on(const core::Fabric& fabric) const {
    const auto link_at = [&](core::LinkId id) -> const core::Link& {
      return fabric.links()[static_cast<std::size_t>(id)];
    };
    for (std::size_t kind = 0; kind < first_.size(); ++kind) {
      if (link_at(first_[kind]).bandwidth != link_at(first_of_class_[kind]).bandwidth) return false;
    }
    for (std::size_t link = 0; link < kind_.size(); ++link) {
      if (kind_[link] == FoldedCosts::kUnused) continue;
      const core::Link& one = fabric.links()[link];
      const core::Link& first = link_at(first_[static_cast<std::size_t>(kind_[link])]);
      if (one.bandwidth != first.bandwidth || one.latency != first.latency) return false;
    }
    return true;
  }

 private:
  std::vector<std::int32_t> kind_;
  std::vector<core::LinkId> first_;           ///< of each kind
  std::vector<core::LinkId> first_of_class_;  ///< of the class of each kind
};

struct KnownTransfers {
  const core::Fabric* fabric;
  models::CollectiveTuning tuning;  ///< under which `communicators` were learnt
  Communicators communicators;      ///< of representatives
  FoldedCosts folded;
  std::vector<core::LinkId> first_of_class;  ///< links
  LinkKinds kinds;
  std::vector<int> representatives;  ///< one replica of each class
  bool stands_for_all = false;  ///< latencies of a class follow from those of its representative
  std::array<GroupCalls, kNumLayerCalls> calls;          ///< of representatives, on all links
  std::map<std::tuple<int, int, int>, KnownSend> sends;  ///< by class of replicas, from and to
  std::map<SyncKey, KnownSync> syncs;

  /// `costs` are those of `every`, which knows their syncs; links of a class are of one kind.
  KnownTransfers(const CheckedScenario& checked, const core::Fabric& fabric, const StepCosts& costs,
                 const EveryReplica& every, const FoldedCosts& by_kinds);

  [[nodiscard]] bool members_are_alike(const StepCosts& costs) const;
  void add_sends(const StepCosts& costs);
  [[nodiscard]] KnownSend known_send(const StepCosts& costs, const StageSend& send);
  void add_sync(const SyncKey& key, double bucket_bytes, const EveryReplica& every);
  void learn_communicators(const models::Layout& layout);
};

KnownTransfers::KnownTransfers(const CheckedScenario& checked, const core::Fabric& of,
                               const StepCosts& costs, const EveryReplica& every,
                               const FoldedCosts& by_kinds)
    : fabric(&of),
      tuning(checked.scenario.software.collectives),
      communicators(of, every.copies()),
      folded(by_kinds) {
  first_of_class = first_links(folded.link_class, folded.costs.capacity.size());
  representatives.assign(static_cast<std::size_t>(folded.costs.num_replicas), -1);
  for (std::size_t replica = 0; replica < folded.replica_class.size(); ++replica) {
    int& one = representatives[static_cast<std::size_t>(folded.replica_class[replica])];
    if (one < 0) one = static_cast<int>(replica);
  }
  kinds = LinkKinds(of, folded.link_class);
  stands_for_all = kinds.hold_on(of) && members_are_alike(costs);
  if (!stands_for_all) return;
  learn_communicators(checked.layout);
  calls = layer_calls(checked.scenario, checked.layout, communicators, representatives);
  add_sends(costs);
  for (int stage = 0; stage < costs.layout.pp; ++stage) {
    for (const ParameterSync& sync : costs.stages[static_cast<std::size_t>(stage)].syncs) {
      if (sync.bucket_bytes == 0.0) continue;
      add_sync({stage, sync.of_experts}, sync.bucket_bytes, every);
    }
  }
}

/// Replicas of a class load the classes of links alike in each kind of transfer.
bool KnownTransfers::members_are_alike(const StepCosts& costs) const {
  const auto n = static_cast<std::size_t>(costs.num_replicas);
  const auto are_alike = [&](const std::vector<CollectiveFlow>& flows) {
    for (std::size_t group = 0; group < flows.size(); ++group) {
      const std::size_t replica = group % n;
      const auto one = static_cast<std::size_t>(
          representatives[static_cast<std::size_t>(folded.replica_class[replica])]);
      if (one == replica) continue;
      if (signature_of(flows[group], kinds.of_links()) !=
          signature_of(flows[group - replica + one], kinds.of_links())) {
        return false;
      }
    }
    return true;
  };
  return are_alike(costs.send_forward) && are_alike(costs.send_backward) &&
         std::ranges::all_of(costs.calls,
                             [&](const GroupCalls& one) { return are_alike(one.flows); });
}

/// Learns the communicators of calls within passes.
void KnownTransfers::learn_communicators(const models::Layout& layout) {
  const auto learn = [&](const std::vector<int>& members) { communicators.learn(members, tuning); };
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (const int replica : representatives) {
      if (layout.tp > 1) learn(tensor_group(layout, replica, stage));
      for (int tensor = 0; tensor < layout.tp; ++tensor) {
        if (layout.ep > 1) {
          learn(models::expert_group(layout, layout.rank_in_stage(tensor, replica), stage));
        }
        if (layout.cp > 1) learn(context_group(layout, tensor, replica, stage));
      }
    }
  }
}

void KnownTransfers::add_sync(const SyncKey& key, double bucket_bytes, const EveryReplica& every) {
  KnownSync known{.calls = {}, .bucket_bytes = bucket_bytes};
  for (const auto& [call, flows] : every.made_sync(key)) {
    KnownCall kept{.call = {.op = call.op,
                            .gathers_parameters = call.gathers_parameters,
                            .share = call.share,
                            .groups = {}},
                   .routes = {}};
    std::set<Signature> met;
    for (std::size_t group = 0; group < flows.size(); ++group) {
      const CollectiveFlow& flow = flows[group];
      if (!met.insert(signature_of(flow, kinds.of_links())).second) continue;
      communicators.learn(call.groups[group], tuning);
      kept.routes.push_back(flow.route);
      kept.call.groups.push_back(call.groups[group]);
    }
    known.calls.push_back(std::move(kept));
  }
  syncs.emplace(key, std::move(known));
}

KnownSend KnownTransfers::known_send(const StepCosts& costs, const StageSend& send) {
  KnownSend known;
  std::vector<CollectiveFlow> flows;
  std::set<Signature> met;
  for (int tensor = 0; tensor < costs.layout.tp; ++tensor) {
    const std::vector<int> ends = ends_of(costs.layout, send, tensor);
    CollectiveFlow flow = models::pair_flow(*fabric, ends.front(), ends.back(), tuning,
                                            static_cast<double>(costs.send_bytes));
    if (!met.insert(signature_of(flow, kinds.of_links())).second) continue;
    communicators.learn(ends, tuning);
    known.tensors.push_back(tensor);
    flows.push_back(std::move(flow));
  }
  known.route = models::merge(flows).route;
  return known;
}

void KnownTransfers::add_sends(const StepCosts& costs) {
  const int num_stages = costs.layout.pp;
  if (costs.send_forward.empty()) return;
  for (std::size_t one = 0; one < representatives.size(); ++one) {
    for (int stage = 0; stage < num_stages; ++stage) {
      const std::size_t group = costs.group(stage, representatives[one]);
      const auto add = [&](const CollectiveFlow& flow, int to) {
        if (flow.route.empty()) return;  // no chunk goes on there
        sends[{static_cast<int>(one), stage, to}] =
            known_send(costs, {representatives[one], stage, to});
      };
      add(costs.send_forward[group], (stage + 1) % num_stages);
      add(costs.send_backward[group], (stage + num_stages - 1) % num_stages);
    }
  }
}

namespace {

/// One replica of each class, with the routes of the structure.
class OneOfEachClass final : public StepTransfers {
 public:
  /// `communicators` are those of the fabric.
  OneOfEachClass(const KnownTransfers& known, const CheckedScenario& checked,
                 const Communicators& communicators)
      : known_(known),
        checked_(checked),
        communicators_(communicators),
        fabric_(communicators.fabric()) {}

  /// Whether a route is another one than that of the structure: then nothing of this holds.
  [[nodiscard]] bool has_moved() const { return has_moved_; }

  [[nodiscard]] int num_replicas() const override { return known_.folded.costs.num_replicas; }
  [[nodiscard]] std::vector<double> speeds() const override { return known_.folded.costs.speeds; }

  [[nodiscard]] std::vector<double> capacity() const override {
    std::vector<double> of_classes;
    for (const core::LinkId link : known_.first_of_class) {
      of_classes.push_back(
          link_capacity(checked_.scenario, fabric_.links()[static_cast<std::size_t>(link)]));
    }
    return of_classes;
  }

  [[nodiscard]] std::array<GroupCalls, kNumLayerCalls> calls() const override {
    auto calls =
        layer_calls(checked_.scenario, checked_.layout, communicators_, known_.representatives);
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      const GroupCalls& folded = known_.folded.costs.calls[call];
      calls[call].circles = folded.circles;
      for (std::size_t group = 0; group < calls[call].flows.size(); ++group) {
        replace(calls[call].flows[group], known_.calls[call].flows[group].route,
                folded.flows[group].route);
      }
    }
    return calls;
  }

  [[nodiscard]] CollectiveFlow send(const StageSend& send, double bytes) const override {
    StageSend of_representative = send;
    of_representative.replica = known_.representatives[static_cast<std::size_t>(send.replica)];
    const KnownSend& known = known_.sends.at({send.replica, send.from, send.to});
    CollectiveFlow flow =
        send_flow(checked_, communicators_, of_representative, bytes, known.tensors);
    const StepCosts& folded = known_.folded.costs;
    const bool is_forward = send.to == (send.from + 1) % folded.layout.pp;
    const std::size_t group = folded.group(send.from, send.replica);
    replace(flow, known.route,
            (is_forward ? folded.send_forward : folded.send_backward)[group].route);
    return flow;
  }

  [[nodiscard]] ParameterSync sync(const SyncKey& key, double bucket_bytes) const override {
    const KnownSync& known = known_.syncs.at(key);
    if (known.bucket_bytes != bucket_bytes) has_moved_ = true;
    std::vector<SyncCall> calls;
    std::vector<CollectiveFlow> flows;
    for (const KnownCall& one : known.calls) {
      std::vector<CollectiveFlow> of_groups;
      for (std::size_t group = 0; group < one.routes.size(); ++group) {
        const models::Communicator own =
            communicators_.of(one.call.groups[group], checked_.scenario.software.collectives);
        of_groups.push_back(sync_flow(own, one.call, bucket_bytes));
        replace(of_groups.back(), one.routes[group], {});
      }
      calls.push_back(one.call);
      flows.push_back(models::merge(of_groups));
    }
    ParameterSync sync = joined(calls, flows);
    for (const ParameterSync& folded :
         known_.folded.costs.stages[static_cast<std::size_t>(key.stage)].syncs) {
      if (folded.of_experts != key.of_experts) continue;
      sync.gradient_sync.route = folded.gradient_sync.route;
      sync.parameter_gather.route = folded.parameter_gather.route;
    }
    return sync;
  }

 private:
  /// Gives a flow the route of its class, if its own is the one that was known.
  void replace(CollectiveFlow& flow, const Route& known, Route of_class) const {
    if (!is_same(flow.route, known)) has_moved_ = true;
    flow.route = std::move(of_class);
  }

  const KnownTransfers& known_;
  const CheckedScenario& checked_;
  const Communicators& communicators_;
  const core::Fabric& fabric_;
  mutable bool has_moved_ = false;
};

/// Whether a fabric is another one wired again, with the same routes: bandwidths enter adaptive
/// ones alone.
bool has_routes_of(const core::Fabric& fabric, const core::Fabric& shape) {
  return fabric.is_wired_again() && fabric.vertices().data() == shape.vertices().data() &&
         fabric.routing().routing != core::Routing::kAdaptive;
}

}  // namespace

StepStructure::StepStructure(const CheckedScenario& checked, const core::Fabric& fabric)
    : StepStructure(std::move(structured_step(checked, fabric).structure)) {}
StepStructure::StepStructure(std::unique_ptr<const KnownTransfers> known)
    : known_(std::move(known)) {}
StepStructure::StepStructure(StepStructure&&) noexcept = default;
StepStructure& StepStructure::operator=(StepStructure&&) noexcept = default;
StepStructure::~StepStructure() = default;

StepCosts StepStructure::costs(const CheckedScenario& checked, const core::Fabric& fabric) const {
  const bool is_own = &fabric == known_->fabric;
  if (known_->stands_for_all && (is_own || known_->kinds.hold_on(fabric))) {
    const Communicators others = has_routes_of(fabric, *known_->fabric)
                                     ? Communicators(fabric, known_->communicators)
                                     : Communicators(fabric);
    const OneOfEachClass transfers(*known_, checked, is_own ? known_->communicators : others);
    StepCosts costs = costs_with(checked, transfers);
    if (!transfers.has_moved()) return costs;
  }
  return fold(step_costs(checked, fabric)).costs;
}

StructuredStep structured_step(const CheckedScenario& checked, const core::Fabric& fabric) {
  const EveryReplica every(checked, fabric, EveryReplica::Syncs::kKept);
  StepCosts costs = costs_with(checked, every);
  FoldedCosts folded = fold(costs, kinds_by_ends(fabric));
  auto known = std::make_unique<const KnownTransfers>(checked, fabric, costs, every, folded);
  return {.costs = std::move(costs),
          .folded = std::move(folded),
          .structure = StepStructure(std::move(known))};
}

}  // namespace railwright::simulation
