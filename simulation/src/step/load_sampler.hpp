// SPDX-License-Identifier: Apache-2.0
// Samples the bytes that links carry while a step is simulated, in bounded memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "railwright/core/sim/engine.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {

/// Takes a reading at every event, because rates change only there. Beyond kMax readings it drops
/// every second one, and from then on takes half as many.
class LoadSampler {
 public:
  static constexpr std::size_t kMax = 4096;

  explicit LoadSampler(std::vector<core::LinkId> links) : links_(std::move(links)) {}

  /// Takes a reading if time has advanced since the last call.
  void read(const core::Engine<core::StepTime>& engine) {
    if (links_.empty() || (has_read_ && engine.now() == last_)) return;
    last_ = engine.now();
    has_read_ = true;
    if (num_seen_++ % every_ != 0) return;
    take(engine);
    if (at_.size() > kMax) thin();
  }

  /// Takes the last reading and hands all of them over.
  void finish(const core::Engine<core::StepTime>& engine, Execution& execution) {
    if (!links_.empty() && (at_.empty() || at_.back() != engine.now())) take(engine);
    execution.sampled_at = std::move(at_);
    execution.sampled_bytes = std::move(bytes_);
  }

 private:
  void take(const core::Engine<core::StepTime>& engine) {
    at_.push_back(engine.now());
    for (const core::LinkId link : links_) bytes_.push_back(engine.carried(link));
  }

  void thin() {
    const std::size_t width = links_.size();
    const std::size_t kept = (at_.size() + 1) / 2;
    for (std::size_t i = 1; i < kept; ++i) {
      at_[i] = at_[2 * i];
      for (std::size_t w = 0; w < width; ++w) bytes_[i * width + w] = bytes_[2 * i * width + w];
    }
    at_.resize(kept);
    bytes_.resize(kept * width);
    every_ *= 2;
  }

  std::vector<core::LinkId> links_;
  std::vector<core::StepTime> at_;
  std::vector<double> bytes_;
  core::StepTime last_;
  bool has_read_ = false;
  std::size_t num_seen_ = 0;
  std::size_t every_ = 1;
};

}  // namespace railwright::simulation
