// SPDX-License-Identifier: Apache-2.0
#include "buckets.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/models/software/profile.hpp"

namespace railwright::simulation {

namespace {

/// Cuts the stage's parameters, met from the last layer to the first, into buckets of equal size.
std::vector<Bucket> buckets_of_one_size(const std::vector<double>& parameters,
                                        const models::SoftwareProfile& software,
                                        core::DataSize size) {
  const double gradient_bytes = software.gradient_reduce_bytes.value;
  const double parameter_bytes = software.parameter_gather_bytes.value;
  const double bucket_parameters = size.base() / gradient_bytes;
  std::vector<Bucket> buckets;
  double filled = 0.0;
  int last_layer = static_cast<int>(parameters.size()) - 1;
  const auto close = [&](int layer) {
    buckets.push_back({.gradient_bytes = std::llround(filled * gradient_bytes),
                       .parameter_bytes = std::llround(filled * parameter_bytes),
                       .first_layer = layer,
                       .last_layer = last_layer});
    filled = 0.0;
    last_layer = layer;
  };
  for (int layer = static_cast<int>(parameters.size()) - 1; layer >= 0; --layer) {
    double left = parameters[static_cast<std::size_t>(layer)];
    if (filled == 0.0) last_layer = layer;
    while (filled + left >= bucket_parameters) {
      left -= bucket_parameters - filled;
      filled = bucket_parameters;
      close(layer);
    }
    filled += left;
  }
  if (filled > 0.5) close(0);
  return buckets;
}

/// Makes one bucket per layer, cut into calls of at most the bucket size.
std::vector<Bucket> buckets_by_layer(const std::vector<double>& trained,
                                     const std::vector<double>& gathered,
                                     const models::SoftwareProfile& software, core::DataSize size) {
  std::vector<Bucket> buckets;
  for (int layer = static_cast<int>(trained.size()) - 1; layer >= 0; --layer) {
    const auto place = static_cast<std::size_t>(layer);
    if (trained[place] == 0.0 && gathered[place] == 0.0) continue;
    const double gradient_bytes = trained[place] * software.gradient_reduce_bytes.value;
    const double parameter_bytes = gathered[place] * software.parameter_gather_bytes.value;
    const double calls = std::ceil(std::max(gradient_bytes, parameter_bytes) / size.base());
    buckets.push_back({.gradient_bytes = std::llround(gradient_bytes),
                       .parameter_bytes = std::llround(parameter_bytes),
                       .first_layer = layer,
                       .last_layer = layer,
                       .num_calls = static_cast<int>(std::max(1.0, calls))});
  }
  return buckets;
}

}  // namespace

bool cuts_by_layer(const models::SoftwareProfile& software, int pp) {
  return software.zero_stage.value == 3 ||
         software.reduces_every_microbatch(software.zero_stage.value, pp);
}

std::vector<Bucket> make_buckets(const std::vector<double>& trained,
                                 const std::vector<double>& held,
                                 const models::SoftwareProfile& software, int pp,
                                 core::DataSize size) {
  if (!cuts_by_layer(software, pp)) return buckets_of_one_size(trained, software, size);
  return buckets_by_layer(trained, software.zero_stage.value == 3 ? held : trained, software, size);
}

}  // namespace railwright::simulation
