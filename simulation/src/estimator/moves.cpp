// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/estimator/moves.hpp"

#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <utility>

#include "railwright/simulation/estimator/knobs.hpp"

namespace railwright::simulation {

namespace {

using models::Recompute;

/// Collects moves of one scenario.
class Moves {
 public:
  explicit Moves(const Scenario& scenario) : scenario_(scenario) {
    for_each_knob([&](const auto& knob) { knob.copy(scenario, now_); });
  }
  [[nodiscard]] std::vector<Change> take() { return std::move(all_); }

  /// Moves the knobs for which `are_meant` holds to what `numbers` returns for each one's number.
  template <class AreMeant, class NumbersOf>
  void add(const AreMeant& are_meant, const NumbersOf& numbers_of) {
    for_each_knob([&](const auto& knob) {
      if (!are_meant(knob)) return;
      for (const std::int64_t number : numbers_of(knob.number(now_))) {
        if (static_cast<double>(number) > knob.range().max) continue;
        Configuration moved;
        knob.set_number(moved, number);
        all_.push_back(knob.change_to(moved));
      }
    });
  }
  /// Turns a setting of the software on, if it is off.
  void add_overlap(const char* name, core::Sourced<bool> models::SoftwareProfile::* is_on) {
    if ((scenario_.software.*is_on).value) return;
    all_.push_back({fmt::format("software.{}=true", name),
                    [is_on](Scenario& s) { (s.software.*is_on).value = true; }});
  }
  /// Makes logits and loss of so many tokens at a time, where a micro-batch has more.
  void add_loss_chunk(int tokens) {
    const models::Training& training = scenario_.workload;
    const double own = static_cast<double>(training.micro_batch) * training.sequence_length /
                       scenario_.parallelism.cp;
    if (own <= tokens || scenario_.software.loss_chunk.value > 0) return;
    all_.push_back({fmt::format("software.loss_chunk={}", tokens),
                    [tokens](Scenario& s) { s.software.loss_chunk.value = tokens; }});
  }

 private:
  const Scenario& scenario_;
  Configuration now_;
  std::vector<Change> all_;
};

using Values = std::vector<std::int64_t>;

/// Tokens of a chunk of the loss that products still run well with: an estimate.
constexpr int kLossChunk = 8192;

/// Selects knobs of a kind.
auto of_kind(KnobKind kind) {
  return [kind](const auto& knob) { return knob.kind == kind; };
}

/// Selects the dimensions of ranks that divide a model.
bool is_dimension(KnobKind kind) {
  return kind == KnobKind::kRanks || kind == KnobKind::kExpertRanks;
}

Values twice_and_half(std::int64_t number) {
  Values numbers{2 * number};
  if (number % 2 == 0) numbers.push_back(number / 2);
  return numbers;
}

/// Returns a function that keeps, of these modes, those that recompute more or less than the own.
template <class Compare>
auto modes(std::initializer_list<Recompute> all, const Compare& compare) {
  return [all = std::vector(all), compare](std::int64_t own) {
    Values numbers;
    for (const Recompute mode : all) {
      const auto number = static_cast<std::int64_t>(mode);
      if (compare(number, own)) numbers.push_back(number);
    }
    return numbers;
  };
}

}  // namespace

std::vector<Change> moves_for_memory(const Scenario& scenario) {
  const models::SoftwareProfile& software = scenario.software;
  Moves moves(scenario);
  moves.add(of_kind(KnobKind::kMicroBatch), [](std::int64_t own) {
    Values numbers;
    for (std::int64_t batch = own / 2; batch >= 1; batch /= 2) numbers.push_back(batch);
    return numbers;
  });
  moves.add(of_kind(KnobKind::kRecompute),
            modes({Recompute::kSelective, Recompute::kFull}, std::greater<>()));
  moves.add(of_kind(KnobKind::kZeroStage), [&](std::int64_t own) {
    Values numbers;
    const int most = scenario.parallelism.pp == 1 ? 3 : 1;
    for (std::int64_t stage = own + 1; stage <= most; ++stage) numbers.push_back(stage);
    return numbers;
  });
  const bool goes_with_stages =
      software.zero_stage.value < 3 && !software.sync_every_microbatch.value;
  moves.add(
      [&](const auto& knob) {
        return is_dimension(knob.kind) && (goes_with_stages || knob.key != "parallelism.pp");
      },
      [&](std::int64_t own) {
        Values numbers;
        const int most = scenario.num_accelerators();
        for (std::int64_t ranks = 2 * own; ranks <= most; ranks *= 2) numbers.push_back(ranks);
        return numbers;
      });
  moves.add_loss_chunk(kLossChunk);
  return moves.take();
}

std::vector<Change> moves_for_speed(const Scenario& scenario) {
  using Software = models::SoftwareProfile;
  Moves moves(scenario);
  moves.add(of_kind(KnobKind::kMicroBatch), twice_and_half);
  moves.add([](const auto& knob) { return is_dimension(knob.kind); }, twice_and_half);
  moves.add(of_kind(KnobKind::kChunks), twice_and_half);
  moves.add(of_kind(KnobKind::kZeroStage), [](std::int64_t own) {
    Values numbers;
    for (std::int64_t stage = 0; stage <= 3; ++stage) {
      if (stage != own) numbers.push_back(stage);
    }
    return numbers;
  });
  moves.add(of_kind(KnobKind::kRecompute),
            modes({Recompute::kNone, Recompute::kSelective}, std::less<>()));
  moves.add_overlap("overlap_gradient_reduce", &Software::overlap_gradient_reduce);
  moves.add_overlap("overlap_parameter_gather", &Software::overlap_parameter_gather);
  moves.add_overlap("overlap_pipeline", &Software::overlap_pipeline);
  moves.add_overlap("overlap_tensor_parallel", &Software::overlap_tensor_parallel);
  // Megatron-Core pairs passes of different micro-batches: stages need chunks for that.
  const models::Parallelism& p = scenario.parallelism;
  if (p.ep > 1 && (p.pp == 1 || p.virtual_stages > 1)) {
    moves.add_overlap("overlap_expert_parallel", &Software::overlap_expert_parallel);
  }
  moves.add(of_kind(KnobKind::kSwitch),
            [](std::int64_t own) { return own == 0 ? Values{1} : Values{}; });
  return moves.take();
}

}  // namespace railwright::simulation
