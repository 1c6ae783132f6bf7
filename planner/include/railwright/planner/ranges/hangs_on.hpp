// SPDX-License-Identifier: Apache-2.0
// Names the number nobody has published that decides an answer, and how far the answer moves with
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/ranged_number.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::planner {

/// Answers that may hang on such a number.
enum class RangedAnswer : std::uint8_t {
  kStorageNodes,  ///< that `run.targets` need
  kSpares,        ///< nodes that stand in for those under repair
  kTrainingTime,
  kStepTime,
  kTokensPerAccelerator,  ///< output tokens a second of a service with full batches
};

constexpr auto enum_words(RangedAnswer) {
  using enum RangedAnswer;
  return core::words<RangedAnswer>({{"storage_nodes", kStorageNodes},
                                    {"spare_nodes", kSpares},
                                    {"training_time_s", kTrainingTime},
                                    {"step_time_s", kStepTime},
                                    {"accelerator_tokens_per_s", kTokensPerAccelerator}});
}

/// An answer with its deciding number at its low end, at its value and at its high end, in SI.
/// Infinity: there is no answer, such as where no number of nodes suffices.
struct HangsOn {
  RangedAnswer answer = RangedAnswer::kStorageNodes;
  simulation::RangedNumber number;
  double at_low = 0.0;
  double at_value = 0.0;
  double at_high = 0.0;

  [[nodiscard]] double least() const;
  [[nodiscard]] double most() const;
  /// Returns most() over least(); infinity where only one of them is 0 or infinite.
  [[nodiscard]] double ratio() const;
};

/// Least ratio of an answer's ends that is reported.
inline constexpr double kMinRangeRatio = 1.05;

/// Evaluates `answer` with each number at both of its ends, one at a time, in parallel. Returns the
/// number that moves it most; nothing if none moves it by kMinRangeRatio.
using AnswerFunction = std::function<double(const core::Node& tree)>;
std::optional<HangsOn> deciding_number(RangedAnswer answer, double at_value, const core::Node& tree,
                                       std::span<const simulation::RangedNumber> numbers,
                                       const AnswerFunction& evaluate);

/// Finds the numbers that the answers in a result hang on, those that move them most first. Costs
/// closed forms, and runs only where repairs outlast the spares. Throws ConfigError for an end of a
/// range that its key does not take.
std::vector<HangsOn> hangs_on(const core::Node& tree, const core::Catalogue& catalogue,
                              const simulation::AnyResult& result);
std::vector<HangsOn> hangs_on(const core::Node& tree, const core::Catalogue& catalogue,
                              const simulation::SimulationResult& result);

}  // namespace railwright::planner
