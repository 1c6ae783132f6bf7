// SPDX-License-Identifier: Apache-2.0
// What the buckets of a rank's parameters move, in closed form.
#pragma once

#include "step_terms.hpp"

namespace railwright::simulation {

/// How parameters are cut into buckets.
struct BucketRules {
  bool by_layer = false;
  bool gathers_held = false;
  double gradient_bytes = 0.0;
  double parameter_bytes = 0.0;
  double bucket = 0.0;      ///< bytes
  double parameters = 0.0;  ///< of a full bucket
};

/// The one bucket of a layer, of parameters that are trained and parameters that are gathered.
SyncBytes bucket_of_layer(const BucketRules& rules, double trained, double gathered);
/// Buckets of one size, and what is left for the last one.
SyncBytes buckets_of_stage(const BucketRules& rules, double trained);
/// `count` layers alike, behind those that `sum` has.
void add_layer_bucket(const SyncBytes& bucket, double count, SyncBytes& sum);

}  // namespace railwright::simulation
