// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/step.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "binding_links.hpp"
#include "load_sampler.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/sim/engine.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "unfolded.hpp"

namespace railwright::simulation {

namespace {

using core::StepTime;

/// Marks the event that ends an operation's delay and starts its transfer.
constexpr core::EventId kStartTransfer = core::EventId{1} << 31U;

/// Ticks in which a stage's gradients or parameters were under way.
class BackgroundTime {
 public:
  void begin(std::int64_t now) {
    if (num_++ == 0) since_ = now;
  }
  void end(std::int64_t now) {
    if (--num_ == 0) total_ += now - since_;
  }
  [[nodiscard]] bool is_under_way() const { return num_ > 0; }
  [[nodiscard]] std::int64_t until(std::int64_t now) const {
    return total_ + (num_ > 0 ? now - since_ : 0);
  }

 private:
  int num_ = 0;
  std::int64_t since_ = 0;
  std::int64_t total_ = 0;
};

bool is_background(OpKind kind) {
  return kind == OpKind::kGradientReduce || kind == OpKind::kParameterGather;
}

class Executor {
 public:
  Executor(const Program& program, const std::vector<double>& capacity,
           const std::vector<core::LinkId>& watched)
      : program_(program),
        waiting_(program.num_predecessors),
        background_(program.partner_of_stage.size()),
        background_before_(program.stage_of_group.size()),
        sampler_(watched) {
    for (const double c : capacity) engine_.network().add_link(c);
    if (watched.empty()) routes_ = binding_routes(program.flows, capacity);
    const std::size_t num_ops = program.ops.size();
    if (num_ops >= kStartTransfer) throw core::SimulationError("the step has too many operations");
    execution_.start.resize(num_ops);
    execution_.end.resize(num_ops);
    execution_.waited_for.assign(num_ops, Execution::kNobody);
  }

  Execution run() {
    sampler_.read(engine_);
    for (OpId op = 0; op < program_.ops.size(); ++op) {
      if (waiting_[op] == 0) start(op);
    }
    core::EventId event = 0;
    while (engine_.next(event)) {
      sampler_.read(engine_);
      if ((event & kStartTransfer) != 0) {
        start_transfer(event & ~kStartTransfer);
      } else {
        finish(event);
      }
    }
    if (num_finished_ != program_.ops.size()) {
      throw core::SimulationError("operations of the step wait for one another");
    }
    add_link_bytes();
    sampler_.finish(engine_, execution_);
    return std::move(execution_);
  }

 private:
  void start(OpId id) {
    const Op& op = program_.ops[id];
    const std::int64_t now = engine_.now().count;
    execution_.start[id] = engine_.now();
    if (is_background(op.kind)) {
      for_each_stage(op, [now](BackgroundTime& stage) { stage.begin(now); });
    } else if (op.kind == OpKind::kCompute) {
      background_before_[group_of(op)] = background_of(op).until(now);
    }
    if (op.delay.count > 0 || op.flow < 0) {
      engine_.schedule(engine_.now() + op.delay, op.flow < 0 ? id : (id | kStartTransfer));
    } else {
      start_transfer(id);
    }
  }

  void start_transfer(OpId id) {
    const Op& op = program_.ops[id];
    const auto& flow = *program_.flows[static_cast<std::size_t>(op.flow)];
    const std::span<const core::LinkUse> route =
        routes_.empty() ? flow.route : routes_[static_cast<std::size_t>(op.flow)];
    engine_.start({.route = route, .size = op.bytes, .ceiling = flow.ceiling}, id);
  }

  /// Every transfer is done, so links have carried what their flows moved.
  void add_link_bytes() {
    std::vector<std::int64_t> moved(program_.flows.size());
    for (const Op& op : program_.ops) {
      if (op.flow >= 0) moved[static_cast<std::size_t>(op.flow)] += op.bytes;
    }
    execution_.link_bytes.assign(engine_.network().num_links(), 0.0);
    for (std::size_t flow = 0; flow < moved.size(); ++flow) {
      for (const core::LinkUse& use : program_.flows[flow]->route) {
        execution_.link_bytes[static_cast<std::size_t>(use.link)] +=
            use.coefficient * static_cast<double>(moved[flow]);
      }
    }
  }

  [[nodiscard]] static std::size_t group_of(const Op& op) {
    return static_cast<std::size_t>(op.group);
  }
  [[nodiscard]] std::size_t stage_of(const Op& op) const {
    return static_cast<std::size_t>(program_.stage_of_group[group_of(op)]);
  }
  [[nodiscard]] const BackgroundTime& background_of(const Op& op) const {
    return background_[stage_of(op)];
  }

  /// Visits the stages that take part in a collective of gradients or parameters.
  template <class Visit>
  void for_each_stage(const Op& op, Visit visit) {
    const std::size_t stage = stage_of(op);
    const auto partner = static_cast<std::size_t>(program_.partner_of_stage[stage]);
    visit(background_[stage]);
    if (partner != stage) visit(background_[partner]);
  }

  /// Returns the ticks that a computation still needs after its planned time, because it was slower
  /// while a collective of its stage was under way.
  [[nodiscard]] std::int64_t ticks_left(OpId id) const {
    const Op& op = program_.ops[id];
    const std::int64_t now = engine_.now().count;
    const BackgroundTime& background = background_of(op);
    const auto beside =
        static_cast<double>(background.until(now) - background_before_[group_of(op)]);
    const double slowdown = program_.overlap_slowdown;
    const double done =
        static_cast<double>(now - execution_.start[id].count) - beside * (1.0 - 1.0 / slowdown);
    const double left = static_cast<double>(op.delay.count) - done;
    return left < 1.0
               ? 0
               : std::llround(std::ceil(left * (background.is_under_way() ? slowdown : 1.0)));
  }

  void finish(OpId id) {
    const Op& op = program_.ops[id];
    if (op.kind == OpKind::kCompute) {
      if (const std::int64_t left = ticks_left(id); left > 0) {
        engine_.schedule(engine_.now() + StepTime{left}, id);
        return;
      }
    } else if (is_background(op.kind)) {
      for_each_stage(op, [this](BackgroundTime& stage) { stage.end(engine_.now().count); });
    }
    ++num_finished_;
    execution_.end[id] = engine_.now();
    execution_.last = id;
    for (const OpId next : program_.successors_of(id)) {
      if (--waiting_[next] == 0) {
        execution_.waited_for[next] = id;
        start(next);
      }
    }
  }

  const Program& program_;
  core::Engine<StepTime> engine_;
  std::vector<std::vector<core::LinkUse>> routes_;  ///< of flows; empty if links are watched
  std::vector<std::uint32_t> waiting_;
  std::size_t num_finished_ = 0;
  std::vector<BackgroundTime> background_;       ///< indexed by stage
  std::vector<std::int64_t> background_before_;  ///< until the current computation began, by group
  LoadSampler sampler_;
  Execution execution_;
};

std::optional<Cause> cause_of_call(OpKind kind) {
  if (kind == OpKind::kTensorParallel) return Cause::kTensorParallel;
  if (kind == OpKind::kExpertParallel) return Cause::kExpertParallel;
  if (kind == OpKind::kContextParallel) return Cause::kContextParallel;
  return {};
}

Cause cause_of_wait(OpKind kind) {
  switch (kind) {
    case OpKind::kPipelineTransfer:
      return Cause::kPipelineTransfer;
    case OpKind::kGradientReduce:
      return Cause::kGradientReduce;
    case OpKind::kParameterGather:
      return Cause::kParameterGather;
    case OpKind::kOptimizer:
      return Cause::kOptimizer;
    case OpKind::kTensorParallel:
    case OpKind::kExpertParallel:
    case OpKind::kContextParallel:
    case OpKind::kCompute:
    case OpKind::kBarrier:
    case OpKind::kJoin:
      break;
  }
  return Cause::kPipelineBubble;
}

/// Charges the time of one group's stream to causes.
class Accountant {
 public:
  Accountant(const Program& program, const Execution& execution)
      : program_(program), execution_(execution) {}

  Breakdown run() {
    StepTime done{};
    for (const OpId op : program_.streams[home_group()]) {
      charge_wait(execution_.waited_for[op], done, execution_.start[op]);
      charge_own(op);
      done = execution_.end[op];
    }
    charge_wait(execution_.last, done, execution_.end[execution_.last]);
    return breakdown_;
  }

 private:
  [[nodiscard]] std::size_t home_group() const {
    return static_cast<std::size_t>(program_.ops[execution_.last].group);
  }

  void charge_own(OpId id) {
    const Op& op = program_.ops[id];
    const core::Duration spent = (execution_.end[id] - execution_.start[id]).duration();
    if (op.kind == OpKind::kOptimizer) {
      breakdown_[Cause::kOptimizer] += spent;
    } else if (const auto call = cause_of_call(op.kind)) {
      breakdown_[*call] += spent;
    } else if (op.kind == OpKind::kCompute && spent > core::Duration{}) {
      const auto& cost = program_.compute_costs[static_cast<std::size_t>(op.compute)];
      const core::Duration alone = std::min(op.delay.duration(), spent);
      const double scale = alone / cost.total();
      breakdown_[Cause::kOverlapSlowdown] += spent - alone;
      breakdown_[Cause::kMatrixProducts] += cost.matrix * scale;
      breakdown_[Cause::kAttention] += cost.attention * scale;
      breakdown_[Cause::kElementwise] += cost.elementwise * scale;
      breakdown_[Cause::kKernelGaps] += cost.gaps * scale;
    }
  }

  /// Walks back from `until` over the operations waited for, down to `from`.
  void charge_wait(OpId op, StepTime from, StepTime until) {
    while (until > from && op != Execution::kNobody) {
      const StepTime begin = std::max(from, std::min(until, execution_.start[op]));
      breakdown_[cause_of(program_.ops[op])] += (until - begin).duration();
      until = begin;
      op = execution_.waited_for[op];
    }
  }

  /// Returns the cause of a wait for `op`. Another stage's calls count like its computation.
  [[nodiscard]] Cause cause_of(const Op& op) const {
    const auto groups = program_.groups_of(op);
    const bool is_own =
        std::ranges::find(groups, program_.ops[execution_.last].group) != groups.end();
    if (const auto call = cause_of_call(op.kind); call && is_own) return *call;
    return cause_of_wait(op.kind);
  }

  const Program& program_;
  const Execution& execution_;
  Breakdown breakdown_;
};

StepResult simulate_all(const StepCosts& costs) {
  const Program program = make_program(costs);
  Execution execution = execute(program, costs.capacity);
  Breakdown breakdown = break_down(program, execution);
  breakdown[Cause::kOverhead] += costs.overhead;
  return {.step_time = execution.end[execution.last].duration() + costs.overhead,
          .breakdown = breakdown,
          .link_bytes = std::move(execution.link_bytes),
          .num_replica_classes = costs.num_replicas};
}

}  // namespace

core::Duration Breakdown::total() const {
  core::Duration sum;
  for (const core::Duration t : time) sum += t;
  return sum;
}

std::array<Cause, kCauses.size()> causes_by_time(const Breakdown& breakdown) {
  std::array<Cause, kCauses.size()> causes{};
  for (std::size_t i = 0; i < causes.size(); ++i) causes[i] = static_cast<Cause>(i);
  std::ranges::stable_sort(causes, std::greater{},
                           [&](Cause cause) { return breakdown[cause].base(); });
  return causes;
}

Execution execute(const Program& program, const std::vector<double>& capacity,
                  const std::vector<core::LinkId>& watched) {
  return Executor(program, capacity, watched).run();
}

Breakdown break_down(const Program& program, const Execution& execution) {
  return Accountant(program, execution).run();
}

std::vector<double> unfolded(const std::vector<double>& by_class,
                             const std::vector<std::int32_t>& link_class) {
  std::vector<double> by_link(link_class.size(), 0.0);
  for (std::size_t link = 0; link < link_class.size(); ++link) {
    if (link_class[link] == FoldedCosts::kUnused) continue;
    by_link[link] = by_class[static_cast<std::size_t>(link_class[link])];
  }
  return by_link;
}

StepResult simulate_step(const StepCosts& costs, Symmetry symmetry) {
  if (symmetry == Symmetry::kUnfolded) return simulate_all(costs);
  return simulate_step(fold(costs));
}

StepResult simulate_step(const FoldedCosts& folded) {
  StepResult result = simulate_all(folded.costs);
  result.link_bytes = unfolded(result.link_bytes, folded.link_class);
  return result;
}

}  // namespace railwright::simulation
