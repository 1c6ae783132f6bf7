// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/casts.hpp"

#include <algorithm>

#include "cache_hits.hpp"

namespace railwright::models {

namespace {

using core::DataSize;
using core::Duration;

double elements_of(const CastShape& shape) {
  return static_cast<double>(shape.rows) * static_cast<double>(shape.columns);
}

/// Computes launch and memory time; small tensors are found in the cache again.
Duration stream_time(const core::Accelerator& device, const core::StreamConstants& constants,
                     double elements, double bytes) {
  constexpr double kElementsOfMultiprocessor = 2048.0;
  const double half_grid =
      kElementsOfMultiprocessor * static_cast<double>(device.num_multiprocessors.value);
  const double cached =
      cached_share(constants.cache.base() * constants.cache_share, bytes, constants.cache_edge);
  const double moved =
      bytes * cached_time(cached, constants.cache_speedup) +
      constants.write_back_share * std::min(bytes, constants.cache.base()) * (1.0 - cached);
  return constants.launch + constants.ramp * (elements / (elements + half_grid)) +
         DataSize::from_base(moved) / (device.memory_bandwidth.value * constants.memory_share);
}

}  // namespace

Duration amax_time(const core::Accelerator& device, const core::CastConstants& constants,
                   const CastShape& shape) {
  const double elements = elements_of(shape);
  return stream_time(device, constants.amax, elements, elements * shape.input_bytes);
}

Duration cast_time(const core::Accelerator& device, const core::CastConstants& constants,
                   const CastShape& shape) {
  const double elements = elements_of(shape);
  return stream_time(device, constants.cast, elements,
                     elements * (shape.input_bytes + shape.output_bytes));
}

}  // namespace railwright::models
