// SPDX-License-Identifier: Apache-2.0
// The keys of prefix_cache.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/inference/prefix_cache.hpp"
#include "railwright/models/offload/tier_fields.hpp"

namespace railwright::models {

constexpr auto PrefixCache::fields() {
  using core::between;
  using core::field;
  using core::optional;
  return core::field_list(
      field("sizes", &PrefixCache::sizes,
            "Sizes of a cache of earlier prompts in tokens, the smallest first; `import` counts "
            "them in a trace of requests with the blocks of their prompts.",
            between(1, 1e15)),
      field("hit_rates", &PrefixCache::hit_rates,
            "Share of the prompts' tokens that a cache of each of these sizes finds.",
            between(0, 1)),
      field("requests_per_s", &PrefixCache::requests_per_s,
            "Requests a second of the trace. A load twice as high is taken for twice as many "
            "users, who need twice the size; where absent sizes are those at the wanted load.",
            core::positive),
      field("routed", &PrefixCache::routed,
            "Whether a request goes to the replica that has its prefix; else it finds there what "
            "chance sends to the same one.",
            optional),
      field("tiers", &PrefixCache::tiers,
            "Places of a node that hold keys and values which the accelerators have no room for, "
            "the nearest first: host memory, drives. `capacity` is what the cache may take.",
            optional),
      field("on_storage", &PrefixCache::on_storage,
            "Whether cluster.storage holds them behind these, for all replicas: all of its usable "
            "capacity.",
            optional));
}

}  // namespace railwright::models
