// SPDX-License-Identifier: Apache-2.0
// Finds the change to a service that improves it most: of one key, or of two that act together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::planner {

/// Requests of a run above which no change is tried unasked: each is simulated with all of them.
inline constexpr std::int64_t kMaxRequestsUnasked = 20'000;

/// Improvements, the most valuable first.
enum class ServiceGain {
  kNodes,         ///< fewer of them carry the load
  kAccelerators,  ///< fewer of them carry the load, on as many nodes
  kLatency,       ///< none of the printed latencies is longer, on as many accelerators
  kDuration,      ///< requests that come all at once are answered earlier
  kThroughput,    ///< tokens/s of an accelerator, where no load is wanted
};

/// Settings, as for `--set`, and what `simulate` gives with them.
struct NextServiceChange {
  std::vector<std::string> settings;
  ServiceGain gain = ServiceGain::kThroughput;
  /// Share of what the unchanged service has: fewer nodes or accelerators, less time of a whole
  /// answer or of all, more tokens/s.
  double share = 0.0;
  simulation::InferenceResult result;
};

struct ServiceChangesTried {
  int num_tried = 0;                      ///< legal changes that fit, by full batches
  int num_simulated = 0;                  ///< those of them that were simulated whole
  bool has_load = false;                  ///< nodes are counted; else tokens/s of an accelerator
  std::optional<NextServiceChange> best;  ///< nothing where none improves by kMinSaving
};

/// Tries changes that keep model, number formats, wanted load and latencies: the division, prompts
/// apart, tokens of an iteration, the largest batch, twice the NICs; then pairs of those that act
/// together. Full batches say which could need no more nodes and accelerators than `own`, the
/// result of the unchanged scenario. The most promising are simulated whole, with `inference.load`,
/// so that `best` is what `simulate` says with its settings; it never needs more nodes or, for a
/// load, more accelerators. Throws ConfigError and core::Interrupted.
ServiceChangesTried next_service_change(const core::Node& tree, const core::Catalogue& catalogue,
                                        const simulation::InferenceResult& own,
                                        const ProgressFunction& progress = {});

/// Returns the time of a whole answer: its first token and all others, as printed. Of a simulated
/// run the 99th percentiles of both.
core::Duration time_of_answer(const simulation::InferenceResult& result, int output_tokens);

}  // namespace railwright::planner
