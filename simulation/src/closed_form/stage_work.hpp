// SPDX-License-Identifier: Apache-2.0
// What a stage does for one micro-batch when nothing else is on the links.
#pragma once

#include <array>

#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// A pass in its parts: computation by itself, then calls and what computes beside them.
struct PassShape {
  core::Duration alone;
  std::array<core::Duration, kNumLayerCalls> calls{};  ///< by themselves
  std::array<core::Duration, kNumLayerCalls> beside{};

  [[nodiscard]] core::Duration total() const;
  void add(const PassShape& other, double count);
};

/// What a stage does for one micro-batch, all its chunks together (under DualPipe, for one in each
/// of them).
struct StageWork {
  models::ComputeCost compute;
  std::array<core::Duration, kNumLayerCalls> calls{};  ///< that the stage waits for
  core::Duration forward;                              ///< part of the total
  core::Duration backward;
  core::Duration weight;  ///< gradients, where these are a pass of their own

  PassShape forward_shape;
  PassShape backward_shape;  ///< with weight gradients

  [[nodiscard]] core::Duration total() const { return forward + backward + weight; }
};

/// Every replica waits for the slowest one of a stage at the latest when gradients are exchanged.
double slowest_speed(const StepCosts& costs, int stage);

/// Times of passes of one stage.
class PassTimes {
 public:
  PassTimes(const StepCosts& costs, int stage);
  PassTimes(double slowness, const std::array<core::Duration, kNumLayerCalls>& one_call)
      : slowness_(slowness), one_call_(one_call) {}

  /// What the stage waits for its calls of one kind: those behind the computation they go along
  /// with.
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

/// Adds a pass forward and a pass backward through `count` places that are alike.
void add_passes(const PassTimes& times, const LayerPass& forward, const LayerPass& backward,
                double count, StageWork& work);

StageWork stage_work(const StepCosts& costs, int stage);

}  // namespace railwright::simulation
