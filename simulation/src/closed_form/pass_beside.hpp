// SPDX-License-Identifier: Apache-2.0
// Passes with collectives beside them.
#pragma once

#include <array>

#include "contention.hpp"
#include "stage_work.hpp"

namespace railwright::simulation {

/// What is left of a collective, by itself.
struct Remaining {
  core::Duration latency;
  core::Duration bytes;

  [[nodiscard]] core::Duration total() const { return latency + bytes; }
  [[nodiscard]] bool is_done() const {
    return latency <= core::Duration{} && bytes <= core::Duration{};
  }
};
using Backgrounds = std::array<Remaining, kNumBackgrounds>;

/// A clock for passes that go on beside collectives.
class PassClock {
 public:
  PassClock(const Contention& contention,
            const std::array<double, kNumLayerCalls>& latency_of_calls, double overlap_slowdown)
      : contention_(contention),
        latency_of_calls_(latency_of_calls),
        overlap_slowdown_(overlap_slowdown) {}

  Backgrounds beside;

  /// A pass through `layers` places that are alike, of `shape` together.
  void pass(const PassShape& shape, double layers);
  /// Until the collective is done; the other one goes on.
  void wait_for(Background background);

  [[nodiscard]] core::Duration now() const { return now_; }
  /// What calls took longer than by themselves.
  [[nodiscard]] const std::array<core::Duration, kNumLayerCalls>& delays() const { return delays_; }
  /// What computation took longer than by itself.
  [[nodiscard]] core::Duration slowed() const { return slowed_; }

 private:
  [[nodiscard]] bool is_idle() const { return beside[0].is_done() && beside[1].is_done(); }
  /// Goes through a time, which collectives beside it make so many times longer.
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
