// SPDX-License-Identifier: Apache-2.0
// Work of a stage for one micro-batch when nothing else is on the links.
#pragma once

#include <array>

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Parts of a pass: computation alone, then calls and the computation that overlaps with them.
struct PassShape {
  core::Duration alone;
  std::array<core::Duration, kNumLayerCalls> calls{};  ///< time in isolation
  std::array<core::Duration, kNumLayerCalls> beside{};

  [[nodiscard]] core::Duration total() const;
  void add(const PassShape& other, double count);
};

/// Work of a stage for one micro-batch in all its chunks together (under DualPipe, for one
/// micro-batch in each chunk).
struct StageWork {
  models::ComputeCost compute;
  std::array<core::Duration, kNumLayerCalls> calls{};  ///< time that the stage waits
  core::Duration forward;                              ///< part of the total
  core::Duration backward;
  core::Duration weight;  ///< weight gradients, if they are a separate pass

  PassShape forward_shape;
  PassShape backward_shape;  ///< includes weight gradients
  PassShape weight_shape;    ///< weight gradients, if they are a separate pass

  [[nodiscard]] core::Duration total() const { return forward + backward + weight; }
};

/// Returns the speed of a stage's slowest replica, for which all replicas wait when they exchange
/// gradients, if not before.
double slowest_speed(const StepCosts& costs, int stage);

/// Times of passes of one stage.
class PassTimes {
 public:
  PassTimes(const StepCosts& costs, int stage);
  PassTimes(double slowness, const std::array<core::Duration, kNumLayerCalls>& one_call)
      : slowness_(slowness), one_call_(one_call) {}

  /// Returns the time that the stage waits for its calls of one kind: their excess over the
  /// computation that overlaps with them.
  [[nodiscard]] core::Duration waits(const LayerPass& pass, std::size_t call) const;
  [[nodiscard]] models::ComputeCost compute(const LayerPass& pass) const {
    return pass.compute * slowness_;
  }
  [[nodiscard]] core::Duration total(const LayerPass& pass) const;
  [[nodiscard]] PassShape shape(const LayerPass& pass) const;
  [[nodiscard]] double slowness() const { return slowness_; }
  [[nodiscard]] const std::array<core::Duration, kNumLayerCalls>& one_call() const {
    return one_call_;
  }

 private:
  double slowness_ = 1.0;
  std::array<core::Duration, kNumLayerCalls> one_call_;
};

/// Adds a forward and a backward pass through `count` identical places.
void add_passes(const PassTimes& times, const LayerPass& forward, const LayerPass& backward,
                double count, StageWork& work);

StageWork stage_work(const StepCosts& costs, int stage);

}  // namespace railwright::simulation
