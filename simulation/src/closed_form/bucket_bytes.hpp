// SPDX-License-Identifier: Apache-2.0
// Bytes that the buckets of a rank's parameters move, in closed form.
#pragma once

#include "step_terms.hpp"

namespace railwright::simulation {

/// Rules that cut parameters into buckets.
struct BucketRules {
  bool by_layer = false;
  bool gathers_held = false;
  double gradient_bytes = 0.0;
  double parameter_bytes = 0.0;
  double bucket = 0.0;      ///< size in bytes
  double parameters = 0.0;  ///< number in a full bucket
};

/// Returns the single bucket of a layer with `trained` and `gathered` parameters.
SyncBytes bucket_of_layer(const BucketRules& rules, double trained, double gathered);
/// Returns buckets of equal size, except the last one, which takes the rest.
SyncBytes buckets_of_stage(const BucketRules& rules, double trained);
/// Appends the buckets of `count` identical layers to `sum`.
void add_layer_bucket(const SyncBytes& bucket, double count, SyncBytes& sum);

}  // namespace railwright::simulation
