// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/direct_all_reduce.hpp"

#include <algorithm>
#include <limits>

namespace railwright::models {

using core::Duration;

namespace {

/// Buffer in bytes at which half of `spread` applies.
constexpr double kSpread = 16384.0;

}  // namespace

Duration direct_all_reduce_time(const core::Accelerator& device,
                                const core::DirectAllReduceConstants& constants,
                                core::DataSize buffer, int num_members) {
  if (num_members < 2) return {};
  if (buffer > constants.largest) {
    return Duration::from_base(std::numeric_limits<double>::infinity());
  }
  const double bytes = buffer.base();
  const double members = num_members;
  const double bandwidth = device.scale_up_bandwidth.value.base();
  const Duration start =
      constants.start + constants.rank * members + constants.spread * (bytes / (bytes + kSpread));
  const auto one_shot =
      Duration::from_base(bytes * (members - 1.0) / (constants.share * bandwidth));
  const auto two_shot = Duration::from_base(bytes * 2.0 * (members - 1.0) / members /
                                            (constants.two_shot_share * bandwidth));
  return start + std::min(one_shot, constants.two_shot_start + two_shot);
}

}  // namespace railwright::models
