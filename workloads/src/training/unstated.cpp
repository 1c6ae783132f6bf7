// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/unstated.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::simulation {

namespace {

/// A setting that changes a step by more is seen at once, and counts no further: an estimate.
constexpr double kMaxUnstatedFactor = 2.0;

}  // namespace

double UnstatedSetting::effect() const {
  double most = 0.0;
  for (const OtherValue& other : others) most = std::max(most, std::abs(std::log(other.factor)));
  return most;
}

std::span<const UnstatedSetting> those_that_matter(const std::vector<UnstatedSetting>& settings) {
  const auto first_small = std::ranges::find_if(
      settings, [](const UnstatedSetting& one) { return one.effect() < kMinUnstatedEffect; });
  return std::span(settings.begin(), first_small);
}

UnstatedSpread spread_of(std::span<const UnstatedSetting> settings) {
  const double most = std::log(kMaxUnstatedFactor);
  double faster = 0.0;
  double slower = 0.0;
  for (const UnstatedSetting& one : settings) {
    for (const OtherValue& other : one.others) {
      const double effect = std::clamp(std::log(other.factor), -most, most);
      (effect < 0.0 ? faster : slower) += other.share * effect * effect;
    }
  }
  return {.faster = std::sqrt(faster), .slower = std::sqrt(slower)};
}

}  // namespace railwright::simulation
