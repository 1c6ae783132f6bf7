// SPDX-License-Identifier: Apache-2.0
// Files of a service on storage: weights, and keys and values of prompts.
#pragma once

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Returns the time to read the cached part of a mean prompt, while so many requests a second read
/// and write theirs. Storage serves reads at one time in equal shares:
///
///     time = latency + bytes / rate of one replica / (1 - busy share of the storage nodes)
///
/// the mean of an M/G/1 queue with processor sharing [@kleinrock1976]. A load that storage cannot
/// take is infeasible, and the time is that of a read by itself.
core::Duration prefix_read_time(const CheckedInference& checked, const core::Fabric& fabric,
                                double requests_per_s);

/// Returns the requests a second that a sized service answers: those wanted, or what its users
/// send.
double answered_requests_per_s(const models::Inference& inference, const InferenceResult& result);

/// Returns the time until a replica of `size` accelerators that starts alone takes requests: its
/// start and, with storage, the read of its weights.
core::Duration replica_start_time(const CheckedInference& checked, const core::Fabric& fabric,
                                  int size);

/// Returns the cached parts of prompts in host memory, at so many requests/s of a node. They come
/// over the PCIe links of a replica's accelerators, beside all that the node's requests read or
/// add, whichever is more; the wait is that of a queue with processor sharing, as of storage.
HostCache host_cache(const CheckedInference& checked, double requests_per_s_of_node);

/// Returns the use of storage by a service whose replicas are known.
ServiceFiles service_files(const CheckedInference& checked, const core::Fabric& fabric,
                           const InferenceResult& result);

}  // namespace railwright::simulation
