// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/step/fold.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace railwright::simulation {

namespace {

using models::CollectiveFlow;

/// splitmix64's finalizer: every bit of the result depends on every bit of `x`.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}
/// Hashes an ordered pair; a plain xor would not distinguish (a, b) from (b, a).
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return mixed(3 * mixed(a) + b); }
std::uint64_t mixed(std::uint64_t a, double b) { return mixed(a, std::bit_cast<std::uint64_t>(b)); }

constexpr unsigned kPrimeBits = 61;
constexpr std::uint64_t kPrime = (std::uint64_t{1} << kPrimeBits) - 1;

/// Returns sum + a * b modulo the prime. This is linear, so equal sums of coefficients give equal
/// colours in any order, and no bit of a coefficient that is a power of two is lost.
std::uint64_t plus_product(std::uint64_t sum, std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide whole = Wide{a} * Wide{b} + sum;
  // 2^61 is 1 modulo the prime, so the digits of that base add up; a division takes far longer.
  const auto digit = [&](unsigned i) {
    return static_cast<std::uint64_t>(whole >> (i * kPrimeBits)) & kPrime;
  };
  std::uint64_t rest = digit(0) + digit(1) + digit(2);
  while (rest >= kPrime) rest -= kPrime;
  return rest;
}

/// Returns sum + a modulo the prime; both are below it.
std::uint64_t plus(std::uint64_t sum, std::uint64_t a) {
  const std::uint64_t whole = sum + a;
  return whole >= kPrime ? whole - kPrime : whole;
}

/// Returns a coefficient in units of 2^-40: sums of integers do not depend on their order, and
/// equal coefficients stay equal despite the rounding of doubles.
std::uint64_t whole_parts(double coefficient) {
  return static_cast<std::uint64_t>(std::max(1LL, std::llround(coefficient * 0x1p40)));
}

/// Numbers colours from 0 in the order in which they are first met. Open addressing: millions of
/// colours are looked up.
class Numbering {
 public:
  std::int32_t number(std::uint64_t colour) {
    if (2 * size_ >= entries_.size()) grow();
    Entry& entry = find(colour);
    if (entry.number < 0) entry = {.colour = colour, .number = static_cast<std::int32_t>(size_++)};
    return entry.number;
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  struct Entry {
    std::uint64_t colour = 0;
    std::int32_t number = -1;
  };

  /// Returns the colour's place, or the empty one where it belongs.
  Entry& find(std::uint64_t colour) {
    const std::size_t last = entries_.size() - 1;
    std::size_t at = colour & last;  // of a mixed number, so that few meet
    while (entries_[at].number >= 0 && entries_[at].colour != colour) at = (at + 1) & last;
    return entries_[at];
  }
  void grow() {
    const std::vector<Entry> before =
        std::exchange(entries_, std::vector<Entry>(4 * entries_.size()));
    for (const Entry& entry : before) {
      if (entry.number >= 0) find(entry.colour) = entry;
    }
  }

  std::vector<Entry> entries_ = std::vector<Entry>(64);  // a power of two
  std::size_t size_ = 0;
};

/// One kind of transfer of one stage: a flow for each replica.
struct Slot {
  std::span<const CollectiveFlow> flows;
};

std::vector<Slot> replica_slots(const StepCosts& costs) {
  const auto n = static_cast<std::size_t>(costs.num_replicas);
  std::vector<Slot> slots;
  const auto add = [&](const std::vector<CollectiveFlow>& flows) {
    for (std::size_t first = 0; first < flows.size(); first += n) {
      slots.push_back({std::span(flows).subspan(first, n)});
    }
  };
  for (const GroupCalls& calls : costs.calls) add(calls.flows);
  add(costs.send_forward);
  add(costs.send_backward);
  return slots;
}

/// The uses of links by all transfers of replicas, one after another: each round goes over them.
class FlatUses {
 public:
  FlatUses(std::span<const Slot> slots, std::size_t num_replicas) : num_replicas_(num_replicas) {
    std::size_t num_uses = 0;
    for (const Slot& slot : slots) {
      for (const CollectiveFlow& flow : slot.flows) num_uses += flow.route.size();
    }
    uses_.reserve(num_uses);
    ends_.reserve(slots.size() * num_replicas + 1);
    ends_.push_back(0);
    Use last;
    double coefficient = 0.0;  // of the last one: most are equal
    for (const Slot& slot : slots) {
      for (const CollectiveFlow& flow : slot.flows) {
        for (const core::LinkUse& use : flow.route) {
          if (use.coefficient == 0.0) continue;
          if (use.coefficient != coefficient) last.parts = whole_parts(use.coefficient);
          coefficient = use.coefficient;
          last.link = use.link;
          uses_.push_back(last);
        }
        ends_.push_back(uses_.size());
      }
    }
  }

  struct Use {
    std::uint64_t parts = 0;
    core::LinkId link = 0;
  };
  [[nodiscard]] std::span<const Use> of(std::size_t slot, std::size_t replica) const {
    const std::size_t flow = slot * num_replicas_ + replica;
    return std::span(uses_).subspan(ends_[flow], ends_[flow + 1] - ends_[flow]);
  }

 private:
  std::size_t num_replicas_;
  std::vector<Use> uses_;
  std::vector<std::size_t> ends_;
};

class Colouring {
 public:
  Colouring(const StepCosts& costs, std::span<const std::uint64_t> link_kinds)
      : costs_(costs),
        slots_(replica_slots(costs)),
        uses_(slots_, static_cast<std::size_t>(costs.num_replicas)),
        num_links_(costs.capacity.size()) {
    link_class_.assign(num_links_, FoldedCosts::kUnused);
    own_colour_.reserve(num_links_);
    for (std::size_t link = 0; link < num_links_; ++link) {
      const std::uint64_t kind = link_kinds.empty() ? 0 : link_kinds[link];
      // Both directions of the next cable are mostly alike.
      const bool is_as_before = link >= 2 && costs.capacity[link] == costs.capacity[link - 2] &&
                                (link_kinds.empty() || kind == link_kinds[link - 2]);
      own_colour_.push_back(is_as_before ? own_colour_[link - 2]
                                         : mixed(kind, costs.capacity[link]));
    }
    colour_replicas_by_themselves();
    shared_colour_.assign(num_links_, 0);
    std::uint64_t slot = slots_.size();
    for (const StageCosts& stage : costs.stages) {
      for (const ParameterSync& sync : stage.syncs) {
        add_uses(sync.gradient_sync, mixed(slot++, std::uint64_t{0}), shared_colour_);
        add_uses(sync.parameter_gather, mixed(slot++, std::uint64_t{0}), shared_colour_);
      }
    }
  }

  /// Classes of links follow from those of replicas, so all are stable once these are.
  void refine() {
    for (std::size_t num_classes = 0; num_classes != num_replica_classes_;) {
      num_classes = num_replica_classes_;
      colour_links();
      colour_replicas();
    }
  }

  [[nodiscard]] const std::vector<std::int32_t>& replica_class() const { return replica_class_; }
  [[nodiscard]] const std::vector<std::int32_t>& link_class() const { return link_class_; }
  [[nodiscard]] std::size_t num_replica_classes() const { return num_replica_classes_; }
  [[nodiscard]] std::size_t num_link_classes() const { return num_link_classes_; }

 private:
  void colour_replicas_by_themselves() {
    Numbering numbering;
    for (std::size_t replica = 0; replica < num_replicas(); ++replica) {
      std::uint64_t colour = 0;
      for (std::size_t group = replica; group < costs_.speeds.size(); group += num_replicas()) {
        colour = mixed(colour, costs_.speeds[group]);
      }
      for (const Slot& slot : slots_) {
        const CollectiveFlow& flow = slot.flows[replica];
        colour = mixed(mixed(colour, flow.latency.base()), flow.ceiling);
      }
      replica_class_.push_back(numbering.number(colour));
    }
    num_replica_classes_ = numbering.size();
  }

  static void add_uses(const CollectiveFlow& flow, std::uint64_t colour,
                       std::vector<std::uint64_t>& link_colour) {
    double coefficient = 0.0;  // of the last use: most are equal
    std::uint64_t product = 0;
    for (const core::LinkUse& use : flow.route) {
      if (use.coefficient == 0.0) continue;
      if (use.coefficient != coefficient) {
        coefficient = use.coefficient;
        product = plus_product(0, whole_parts(coefficient), colour);
      }
      std::uint64_t& sum = link_colour[static_cast<std::size_t>(use.link)];
      sum = plus(sum, product);
    }
  }

  void colour_links() {
    link_colour_ = shared_colour_;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      for (std::size_t replica = 0; replica < num_replicas(); ++replica) {
        const auto own = static_cast<std::uint64_t>(replica_class_[replica]);
        const std::uint64_t colour = mixed(slot, own + 1);
        std::uint64_t parts = 0;  // of the last use: most are equal
        std::uint64_t product = 0;
        for (const FlatUses::Use& use : uses_.of(slot, replica)) {
          if (use.parts != parts) product = plus_product(0, use.parts, colour);
          parts = use.parts;
          std::uint64_t& sum = link_colour_[static_cast<std::size_t>(use.link)];
          sum = plus(sum, product);
        }
      }
    }
    Numbering numbering;
    for (std::size_t link = 0; link < num_links_; ++link) {
      if (link_colour_[link] == 0) continue;
      // Replicas of different classes stay so, and with them the links that they load.
      link_class_[link] = numbering.number(mixed(link_colour_[link], own_colour_[link]));
    }
    num_link_classes_ = numbering.size();
  }

  /// Returns, for each replica by call and stage, a hash of the colours in its circle, each once.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> colour_circles() const {
    std::vector<std::vector<std::uint64_t>> of_replica(num_replicas());
    for (const GroupCalls& calls : costs_.calls) {
      std::map<std::int32_t, std::set<std::int32_t>> met;
      for (std::size_t group = 0; group < calls.circles.size(); ++group) {
        met[calls.circles[group]].insert(replica_class_[group % num_replicas()]);
      }
      for (std::size_t group = 0; group < calls.circles.size(); ++group) {
        std::uint64_t sum = 0;
        for (const std::int32_t own : met.at(calls.circles[group])) {
          sum += mixed(static_cast<std::uint64_t>(own));
        }
        of_replica[group % num_replicas()].push_back(sum);
      }
    }
    return of_replica;
  }

  void colour_replicas() {
    const auto circles = colour_circles();
    Numbering numbering;
    std::vector<std::size_t> met(num_link_classes_, 0);
    std::size_t turn = 0;
    for (std::size_t replica = 0; replica < num_replicas(); ++replica) {
      auto colour = static_cast<std::uint64_t>(replica_class_[replica]);
      for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        ++turn;
        std::uint64_t links = 0;
        for (const FlatUses::Use& use : uses_.of(slot, replica)) {
          const auto link_class =
              static_cast<std::size_t>(link_class_[static_cast<std::size_t>(use.link)]);
          if (std::exchange(met[link_class], turn) != turn) links += mixed(link_class);
        }
        colour = mixed(colour, links);
      }
      for (const std::uint64_t circle : circles[replica]) colour = mixed(colour, circle);
      replica_class_[replica] = numbering.number(colour);
    }
    num_replica_classes_ = numbering.size();
  }

  [[nodiscard]] std::size_t num_replicas() const {
    return static_cast<std::size_t>(costs_.num_replicas);
  }

  const StepCosts& costs_;
  std::vector<Slot> slots_;
  FlatUses uses_;
  std::size_t num_links_;
  std::vector<std::int32_t> replica_class_;
  std::vector<std::int32_t> link_class_;
  std::vector<std::uint64_t> own_colour_;     ///< of links, by capacity and kind
  std::vector<std::uint64_t> shared_colour_;  ///< link colours from the transfers of whole stages
  std::vector<std::uint64_t> link_colour_;
  std::size_t num_replica_classes_ = 0;
  std::size_t num_link_classes_ = 0;
};

/// Returns the costs without transfers and what else is by replica or link.
StepCosts without_transfers(const StepCosts& costs) {
  // All members are named, so that a new one does not compile before it is listed.
  const auto& [layout, num_replicas, stages, calls, speeds, send_forward, send_backward, send_bytes,
               has_replicas, gathers_parameters, gathers_every_pass, reduces_every_microbatch,
               is_forward_alone, overlap_gradient_reduce, overlap_parameter_gather,
               overlap_pipeline, overlap_slowdown, capacity, overhead] = costs;
  StepCosts without{.layout = layout,
                    .num_replicas = num_replicas,
                    .stages = {},
                    .calls = {},
                    .speeds = {},
                    .send_forward = {},
                    .send_backward = {},
                    .send_bytes = send_bytes,
                    .has_replicas = has_replicas,
                    .gathers_parameters = gathers_parameters,
                    .gathers_every_pass = gathers_every_pass,
                    .reduces_every_microbatch = reduces_every_microbatch,
                    .is_forward_alone = is_forward_alone,
                    .overlap_gradient_reduce = overlap_gradient_reduce,
                    .overlap_parameter_gather = overlap_parameter_gather,
                    .overlap_pipeline = overlap_pipeline,
                    .overlap_slowdown = overlap_slowdown,
                    .capacity = {},
                    .overhead = overhead};
  for (const StageCosts& stage : stages) {
    StageCosts& own = without.stages.emplace_back(StageCosts{.forward = stage.forward,
                                                             .backward = stage.backward,
                                                             .weight = stage.weight,
                                                             .together = stage.together,
                                                             .syncs = {},
                                                             .optimizer = stage.optimizer});
    for (const ParameterSync& sync : stage.syncs) {
      own.syncs.push_back({.buckets = sync.buckets,
                           .gradient_sync = {},
                           .parameter_gather = {},
                           .of_experts = sync.of_experts,
                           .bucket_bytes = sync.bucket_bytes});
    }
  }
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    without.calls[call].bytes = calls[call].bytes;
    without.calls[call].is_swap = calls[call].is_swap;
  }
  return without;
}

/// Builds the costs of one replica and one link of each class.
class Quotient {
 public:
  Quotient(const StepCosts& costs, const Colouring& colouring)
      : costs_(costs),
        link_class_(colouring.link_class()),
        first_link_(first_links(colouring.link_class(), colouring.num_link_classes())),
        sum_(colouring.num_link_classes(), 0.0),
        members_(colouring.num_replica_classes()) {
    for (std::size_t replica = 0; replica < colouring.replica_class().size(); ++replica) {
      members_[static_cast<std::size_t>(colouring.replica_class()[replica])].push_back(replica);
    }
  }

  StepCosts build() {
    StepCosts folded = without_transfers(costs_);
    folded.num_replicas = static_cast<int>(members_.size());
    for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
      folded.calls[call].flows = of_each_class(costs_.calls[call].flows);
      folded.calls[call].circles = circles_of_classes(costs_.calls[call].circles);
    }
    folded.speeds = speeds_of_each_class();
    folded.send_forward = of_each_class(costs_.send_forward);
    folded.send_backward = of_each_class(costs_.send_backward);
    for (std::size_t stage = 0; stage < folded.stages.size(); ++stage) {
      for (std::size_t s = 0; s < folded.stages[stage].syncs.size(); ++s) {
        const ParameterSync& sync = costs_.stages[stage].syncs[s];
        folded.stages[stage].syncs[s].gradient_sync = on_first_links(sync.gradient_sync);
        folded.stages[stage].syncs[s].parameter_gather = on_first_links(sync.parameter_gather);
      }
    }
    for (const core::LinkId link : first_link_) {
      folded.capacity.push_back(costs_.capacity[static_cast<std::size_t>(link)]);
    }
    return folded;
  }

 private:
  /// Returns the circles of classes whose members call each other. Circles that have members of the
  /// same class become one.
  [[nodiscard]] std::vector<std::int32_t> circles_of_classes(
      const std::vector<std::int32_t>& circles) const {
    const auto n = static_cast<std::size_t>(costs_.num_replicas);
    std::map<std::int32_t, std::int32_t> first_class;  // first class met in each circle
    std::vector<std::int32_t> of_class;
    for (std::size_t first = 0; first < circles.size(); first += n) {
      for (const auto& members : members_) {
        auto own = static_cast<std::int32_t>(of_class.size());
        for (const std::size_t replica : members) {
          own = std::min(own, first_class.try_emplace(circles[first + replica], own).first->second);
        }
        of_class.push_back(own);
      }
    }
    return of_class;
  }

  [[nodiscard]] std::vector<double> speeds_of_each_class() const {
    std::vector<double> folded;
    for (std::size_t first = 0; first < costs_.speeds.size();
         first += static_cast<std::size_t>(costs_.num_replicas)) {
      for (const auto& members : members_) {
        folded.push_back(costs_.speeds[first + members.front()]);
      }
    }
    return folded;
  }

  [[nodiscard]] std::vector<CollectiveFlow> of_each_class(
      const std::vector<CollectiveFlow>& flows) {
    std::vector<CollectiveFlow> folded;
    for (std::size_t first = 0; first < flows.size();
         first += static_cast<std::size_t>(costs_.num_replicas)) {
      for (const auto& members : members_) {
        for (const std::size_t replica : members) add(flows[first + replica]);
        folded.push_back(with_route(flows[first + members.front()]));
      }
    }
    return folded;
  }

  [[nodiscard]] CollectiveFlow on_first_links(const CollectiveFlow& flow) {
    add(flow);
    return with_route(flow);
  }

  /// Adds the coefficients of a flow on the first link of each class.
  void add(const CollectiveFlow& flow) {
    for (const core::LinkUse& use : flow.route) {
      const std::int32_t link_class = link_class_[static_cast<std::size_t>(use.link)];
      if (link_class < 0 || first_link_[static_cast<std::size_t>(link_class)] != use.link) continue;
      double& sum = sum_[static_cast<std::size_t>(link_class)];
      if (sum == 0.0 && use.coefficient > 0.0) touched_.push_back(link_class);
      sum += use.coefficient;
    }
  }

  /// Returns `flow` with the route that was added up since the last call.
  [[nodiscard]] CollectiveFlow with_route(const CollectiveFlow& flow) {
    CollectiveFlow folded{.route = {}, .latency = flow.latency, .ceiling = flow.ceiling};
    std::ranges::sort(touched_);
    for (const std::int32_t link_class : touched_) {
      folded.route.push_back(
          {link_class, std::exchange(sum_[static_cast<std::size_t>(link_class)], 0.0)});
    }
    touched_.clear();
    return folded;
  }

  const StepCosts& costs_;
  const std::vector<std::int32_t>& link_class_;
  std::vector<core::LinkId> first_link_;  ///< first link of each class
  std::vector<double> sum_;
  std::vector<std::int32_t> touched_;
  std::vector<std::vector<std::size_t>> members_;  ///< replicas of each class
};

}  // namespace

std::vector<core::LinkId> first_links(std::span<const std::int32_t> link_class,
                                      std::size_t num_classes) {
  std::vector<core::LinkId> first_of(num_classes, -1);
  for (std::size_t link = 0; link < link_class.size(); ++link) {
    if (link_class[link] == FoldedCosts::kUnused) continue;
    core::LinkId& first = first_of[static_cast<std::size_t>(link_class[link])];
    if (first < 0) first = static_cast<core::LinkId>(link);
  }
  return first_of;
}

FoldedCosts fold(const StepCosts& costs, std::span<const std::uint64_t> link_kinds) {
  Colouring colouring(costs, link_kinds);
  colouring.refine();
  return {.costs = Quotient(costs, colouring).build(),
          .replica_class = colouring.replica_class(),
          .link_class = colouring.link_class()};
}

}  // namespace railwright::simulation
