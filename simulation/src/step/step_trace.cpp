// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/step_trace.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/link_loads.hpp"

namespace railwright::simulation {

namespace {

/// The simulated costs, and the replicas and links that each of theirs stands for.
struct Simulated {
  const StepCosts* costs;
  std::vector<std::int64_t> num_replicas;  ///< replicas in each class
  std::vector<core::LinkId> first_link;    ///< first link of the fabric in each link class
  std::vector<std::int64_t> num_links;     ///< links in each link class
};

Simulated all_of(const StepCosts& costs) {
  Simulated simulated{.costs = &costs, .num_replicas = {}, .first_link = {}, .num_links = {}};
  simulated.num_replicas.assign(static_cast<std::size_t>(costs.num_replicas), 1);
  simulated.first_link.resize(costs.capacity.size());
  std::iota(simulated.first_link.begin(), simulated.first_link.end(), 0);
  simulated.num_links.assign(costs.capacity.size(), 1);
  return simulated;
}

Simulated classes_of(const FoldedCosts& folded) {
  const std::size_t num_classes = folded.costs.capacity.size();
  Simulated simulated{.costs = &folded.costs,
                      .num_replicas = {},
                      .first_link = first_links(folded.link_class, num_classes),
                      .num_links = std::vector<std::int64_t>(num_classes, 0)};
  simulated.num_replicas.assign(static_cast<std::size_t>(folded.costs.num_replicas), 0);
  for (const std::int32_t c : folded.replica_class) {
    ++simulated.num_replicas[static_cast<std::size_t>(c)];
  }
  for (const std::int32_t c : folded.link_class) {
    if (c != FoldedCosts::kUnused) ++simulated.num_links[static_cast<std::size_t>(c)];
  }
  return simulated;
}

bool is_among(const std::vector<models::CollectiveFlow>& flows,
              const models::CollectiveFlow* flow) {
  return !flows.empty() && !std::less<>{}(flow, flows.data()) &&
         std::less<>{}(flow, flows.data() + flows.size());
}

class Recorder {
 public:
  Recorder(const Simulated& simulated, const core::Fabric& fabric)
      : simulated_(simulated), costs_(*simulated.costs), fabric_(fabric) {}

  StepTrace run() {
    const Program program = make_program(costs_);
    watch(execute(program, costs_.capacity));
    const Execution execution = execute(program, costs_.capacity, watched_);
    trace_.at = execution.sampled_at;
    trace_.carried = execution.sampled_bytes;
    for (int stage = 0; stage < costs_.layout.pp; ++stage) {
      for (const std::int64_t replicas : simulated_.num_replicas) {
        trace_.rank_classes.push_back({stage, replicas * costs_.layout.tp});
      }
    }
    for (const models::CollectiveFlow* flow : program.flows) add_flow(*flow);
    add_spans(program, execution);
    return std::move(trace_);
  }

 private:
  [[nodiscard]] core::Tier tier_of(core::LinkId link) const {
    const core::LinkId first = simulated_.first_link[static_cast<std::size_t>(link)];
    return fabric_.links()[static_cast<std::size_t>(first)].tier;
  }

  void watch(const Execution& execution) {
    std::array<core::LinkId, core::kNumTiers> busiest{};
    std::array<double, core::kNumTiers> most{};
    for (std::size_t link = 0; link < execution.link_bytes.size(); ++link) {
      if (simulated_.num_links[link] == 0) continue;
      const double busy = execution.link_bytes[link] / costs_.capacity[link];
      const auto tier = static_cast<std::size_t>(tier_of(static_cast<core::LinkId>(link)));
      if (busy <= most[tier]) continue;
      most[tier] = busy;
      busiest[tier] = static_cast<core::LinkId>(link);
    }
    for (std::size_t tier = 0; tier < most.size(); ++tier) {
      if (most[tier] == 0.0) continue;
      const auto link = static_cast<std::size_t>(busiest[tier]);
      watched_.push_back(busiest[tier]);
      trace_.watched.push_back({.tier = static_cast<core::Tier>(tier),
                                .name = link_name(fabric_, simulated_.first_link[link]),
                                .capacity = costs_.capacity[link]});
    }
  }

  void add_flow(const models::CollectiveFlow& flow) {
    auto& bytes = trace_.link_bytes.emplace_back();
    for (const core::LinkUse& use : flow.route) {
      const auto link = static_cast<std::size_t>(use.link);
      bytes[static_cast<std::size_t>(tier_of(use.link))] +=
          use.coefficient * static_cast<double>(simulated_.num_links[link]);
    }
  }

  /// Returns the index in link_bytes of the part that a group brings to a call of its circle.
  std::int32_t part_of(const Op& op, std::int32_t group) {
    const auto call = op.kind == OpKind::kExpertParallel ? LayerCall::kExpert : LayerCall::kContext;
    const auto next = static_cast<std::int32_t>(trace_.link_bytes.size());
    const auto [part, is_new] = parts_.try_emplace({call, group}, next);
    if (is_new) {
      add_flow(costs_.calls[static_cast<std::size_t>(call)].flows[static_cast<std::size_t>(group)]);
    }
    return part->second;
  }

  [[nodiscard]] Stream stream_of(const Program& program, const Op& op, bool is_in_line) const {
    switch (op.kind) {
      case OpKind::kPipelineTransfer:
        return is_among(costs_.send_forward, program.flows[static_cast<std::size_t>(op.flow)])
                   ? Stream::kSendForward
                   : Stream::kSendBackward;
      case OpKind::kGradientReduce:
        return Stream::kGradients;
      case OpKind::kParameterGather:
        return Stream::kParameters;
      case OpKind::kBarrier:
        return Stream::kNorm;
      case OpKind::kTensorParallel:
      case OpKind::kExpertParallel:
      case OpKind::kContextParallel:
        return is_in_line ? Stream::kCompute : Stream::kBeside;
      case OpKind::kCompute:
      case OpKind::kOptimizer:
      case OpKind::kJoin:
        break;
    }
    return Stream::kCompute;
  }

  void add_spans(const Program& program, const Execution& execution) {
    std::vector<bool> is_in_line(program.ops.size(), false);
    for (const auto& stream : program.streams) {
      for (const OpId id : stream) is_in_line[id] = true;
    }
    for (OpId id = 0; id < program.ops.size(); ++id) {
      const Op& op = program.ops[id];
      if (op.kind == OpKind::kJoin) continue;
      for (const std::int32_t group : program.groups_of(op)) {
        trace_.spans.push_back(
            {.kind = op.kind,
             .mark = program.marks[id],
             .stream = stream_of(program, op, is_in_line[id]),
             .rank_class = group,
             .flow = op.circle < 0 ? op.flow : part_of(op, group),
             .start = execution.start[id],
             .end = execution.end[id],
             .delay = op.delay,
             .bytes = op.bytes,
             .compute = op.compute < 0
                            ? models::ComputeCost{}
                            : program.compute_costs[static_cast<std::size_t>(op.compute)]});
      }
    }
    std::ranges::stable_sort(trace_.spans, {}, [](const Span& span) {
      return std::tuple(span.rank_class, span.stream, span.start, span.end);
    });
  }

  const Simulated& simulated_;
  const StepCosts& costs_;
  const core::Fabric& fabric_;
  std::vector<core::LinkId> watched_;
  std::map<std::pair<LayerCall, std::int32_t>, std::int32_t> parts_;  ///< index in link_bytes
  StepTrace trace_;
};

}  // namespace

StepTrace trace_step(const StepCosts& costs, const core::Fabric& fabric, Symmetry symmetry) {
  if (symmetry == Symmetry::kUnfolded) {
    const Simulated simulated = all_of(costs);
    return Recorder(simulated, fabric).run();
  }
  const FoldedCosts folded = fold(costs);
  const Simulated simulated = classes_of(folded);
  return Recorder(simulated, fabric).run();
}

}  // namespace railwright::simulation
