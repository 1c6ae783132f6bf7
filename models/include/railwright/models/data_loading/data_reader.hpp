// SPDX-License-Identifier: Apache-2.0
// The library that loads samples, as far as a step waits for it.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// A wait of each step for a batch that is ready, by the library that loads it: to take it from the
/// queue, to put its samples together and to copy its bytes. Storage and workers are not in it.
struct DataReader {
  static constexpr std::string_view kKind = "readers";

  std::string name;
  std::string description;
  core::Sourced<core::Duration> per_batch;
  core::Sourced<core::Duration> per_sample{core::Duration{}, "default", false};
  core::Sourced<core::Bandwidth> copy_rate{core::Bandwidth::infinity(), "no limit known", false};
  core::Sourced<double> jitter{0.0, "default", false};
  /// A factor on the whole, 1; its range is the spread between products.
  core::Sourced<double> factor{1.0, "default", false};

  static constexpr auto fields();
};

/// Computes the mean time that a step waits for a batch of `samples` with `bytes` in all:
///   factor * (per_batch + samples * per_sample + bytes / copy_rate)
core::Duration hand_over_time(const DataReader& reader, double samples, core::DataSize bytes);

}  // namespace railwright::models
