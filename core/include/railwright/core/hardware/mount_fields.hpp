// SPDX-License-Identifier: Apache-2.0
// The keys of mount.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/mount.hpp"

namespace railwright::core {

constexpr auto Mount::fields() {
  return field_list(
      field("name", &Mount::name, "Name in the catalogue.", optional),
      field("description", &Mount::description, "The mount in words.", optional),
      field("protocols", &Mount::protocols,
            "Protocols that it can run over, one of which the storage nodes must speak; any "
            "where empty.",
            optional),
      field("num_connections", &Mount::num_connections,
            "Connections of a client's mount, as nconnect sets them.", between(1, 4096), optional),
      field("read_rate", &Mount::read_rate, "What one connection reads.", positive, optional),
      field("write_rate", &Mount::write_rate, "What one connection writes.", positive, optional),
      field("client_read_rate", &Mount::client_read_rate,
            "What a client reads over any number of connections.", positive, optional),
      field("client_write_rate", &Mount::client_write_rate,
            "What a client writes over any number of connections.", positive, optional),
      field("latency", &Mount::latency, "Of a request, that of the storage node apart.",
            non_negative, optional),
      field("requests_in_flight", &Mount::requests_in_flight,
            "Requests that one sequential reader or writer has under way, by read-ahead or "
            "write-back; where absent they never bound a checkpoint, and a loader of samples has "
            "one.",
            between(1, 65536)),
      field("request", &Mount::request, "Bytes of a request of sequential reads and writes.",
            positive, optional),
      field("processor_rate", &Mount::processor_rate,
            "What one core of a client moves: protocol and copies.", positive, optional),
      field("all_nodes", &Mount::all_nodes,
            "Whether the streams of a client are dealt over all storage nodes; else its one "
            "mount leads to one of them.",
            optional));
}

}  // namespace railwright::core
