// SPDX-License-Identifier: Apache-2.0
// Finds of prompts in the places of a prefix cache, and the wait for them.
#pragma once

#include <cstdint>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Replicas and nodes that a prefix cache lies on, storage left out.
struct PrefixHolders {
  std::int64_t replicas = 1;
  std::int64_t nodes = 1;
  double tokens_of_replica = 0.0;  ///< room beside the requests under way
  double requests_per_s = 0.0;     ///< that all of them answer
};

/// Returns one replica that finds on its accelerators all that a cache can find: the most that any
/// service finds, and it waits for nothing.
PrefixHolders holders_of_all(const CheckedInference& checked);

/// Returns what a sized service's nodes hold. Replicas that hand their caches over keep none.
PrefixHolders holders_of(const CheckedInference& checked, const InferenceResult& result);

/// Returns what a cache of so many tokens finds at a load: linear between the sizes that are known,
/// the last rate beyond them. With `r` times the load at which these were counted a size finds what
/// one `r` times smaller found.
double found_in(const models::PrefixCache& cache, double tokens, double requests_per_s);

/// Returns the use of each place. Each drops what was not used for longest, and holds what those
/// before it hold: it finds more only where all of its kind hold more. A place of a replica or of a
/// node finds `1 / K` of that, unless requests are `routed`: of its `K` equals the same one must
/// have had the last request.
PrefixCacheUse prefix_cache_use(const CheckedInference& checked, const PrefixHolders& holders);

/// Sets what prompts of the scenario find and how long they wait for it: for each place of a node
///     bytes / rate of a replica / (1 - busy share)
/// and for storage prefix_read_time().
void wait_for_prefixes(const PrefixHolders& holders, const core::Fabric& fabric,
                       PrefixCacheUse& use, CheckedInference& checked);

}  // namespace railwright::simulation
