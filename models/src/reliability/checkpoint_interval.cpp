// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/reliability/checkpoint_interval.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::models {

core::Duration young_interval(core::Duration write, core::Duration mtti) {
  return core::Duration::from_base(std::sqrt(2.0 * write.base() * mtti.base()));
}

core::Duration daly_interval(core::Duration write, core::Duration mtti) {
  const double ratio = write / mtti;
  if (ratio >= 2.0) return mtti;
  return young_interval(write, mtti) * (1.0 + std::sqrt(ratio / 2.0) / 3.0 + ratio / 18.0) - write;
}

core::Duration expected_time(core::Duration work, core::Duration interval, core::Duration restart,
                             core::Duration mtti) {
  if (work.base() <= 0.0 || !std::isfinite(mtti.base())) return work;
  const double num_whole = std::floor(work / interval);
  const core::Duration rest = std::max(core::Duration{}, work - interval * num_whole);
  double of_mtti = std::expm1(rest / mtti);
  if (num_whole > 0.0) of_mtti += num_whole * std::expm1(interval / mtti);
  return mtti * (std::exp(restart / mtti) * of_mtti);
}

}  // namespace railwright::models
