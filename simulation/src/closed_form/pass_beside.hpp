// SPDX-License-Identifier: Apache-2.0
// Passes that overlap with collectives.
#pragma once

#include <array>

#include "contention.hpp"
#include "stage_work.hpp"

namespace railwright::simulation {

/// Time left of a collective, in isolation.
struct Remaining {
  core::Duration latency;
  core::Duration bytes;

  [[nodiscard]] core::Duration total() const { return latency + bytes; }
  [[nodiscard]] bool is_done() const {
    return latency <= core::Duration{} && bytes <= core::Duration{};
  }
};
using Backgrounds = std::array<Remaining, kNumBackgrounds>;

/// Clock of passes that overlap with collectives.
class PassClock {
 public:
  PassClock(const Contention& contention,
            const std::array<double, kNumLayerCalls>& latency_of_calls, double overlap_slowdown)
      : contention_(contention),
        latency_of_calls_(latency_of_calls),
        overlap_slowdown_(overlap_slowdown) {}

  Backgrounds beside;

  /// Runs a pass through `layers` identical places, `shape` in total.
  void pass(const PassShape& shape, double layers);
  /// Waits until the collective is done; the other one continues meanwhile.
  void wait_for(Background background);

  [[nodiscard]] core::Duration now() const { return now_; }
  /// Extra time of calls over their time in isolation.
  [[nodiscard]] const std::array<core::Duration, kNumLayerCalls>& delays() const { return delays_; }
  /// Extra time of computation over its time in isolation.
  [[nodiscard]] core::Duration slowed() const { return slowed_; }

 private:
  [[nodiscard]] bool is_idle() const { return beside[0].is_done() && beside[1].is_done(); }
  /// Spends `time`, which takes `slowdown` times as long while a collective is under way.
  void spend(core::Duration time, double slowdown);
  void compute(core::Duration time) { spend(time, overlap_slowdown_); }
  void wait(core::Duration time) { spend(time, 1.0); }
  core::Duration call(std::size_t call, core::Duration alone);
  void go_on(core::Duration time, const Shares& shares);
  [[nodiscard]] core::Duration next_change(const Shares& shares) const;

  const Contention& contention_;
  const std::array<double, kNumLayerCalls>& latency_of_calls_;
  double overlap_slowdown_;
  core::Duration now_;
  core::Duration slowed_;
  std::array<core::Duration, kNumLayerCalls> delays_{};
};

}  // namespace railwright::simulation
