// SPDX-License-Identifier: Apache-2.0
// A client's mount of the file system.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

/// A protocol between clients and storage.
enum class FileProtocol : std::uint8_t { kNfs, kNfsRdma, kLustre, kS3 };

constexpr auto enum_words(FileProtocol) {
  using enum FileProtocol;
  return words<FileProtocol>(
      {{"nfs", kNfs}, {"nfs_rdma", kNfsRdma}, {"lustre", kLustre}, {"s3", kS3}});
}

/// Rate limits of one client, beside those of its NICs. Without any, NICs and storage decide.
struct Mount {
  static constexpr std::string_view kKind = "mounts";

  std::string name;
  std::string description;
  Sourced<std::vector<FileProtocol>> protocols{{}, "default", false};
  Sourced<int> num_connections{1, "default", false};
  Sourced<Bandwidth> read_rate{Bandwidth::infinity(), "no limit known", false};
  Sourced<Bandwidth> write_rate{Bandwidth::infinity(), "no limit known", false};
  Sourced<Bandwidth> client_read_rate{Bandwidth::infinity(), "no limit known", false};
  Sourced<Bandwidth> client_write_rate{Bandwidth::infinity(), "no limit known", false};
  Sourced<Duration> latency{Duration{}, "default", false};
  std::optional<Sourced<int>> requests_in_flight;
  Sourced<DataSize> request{DataSize::from_base(1048576.0), "nfs(5): rsize of Linux", false};
  Sourced<Bandwidth> processor_rate{Bandwidth::infinity(), "no limit known", false};
  Sourced<bool> all_nodes{true, "default", false};

  /// Rate of all connections of a client together.
  [[nodiscard]] Bandwidth largest_read_rate() const {
    return std::min(client_read_rate.value,
                    read_rate.value * static_cast<double>(num_connections.value));
  }
  [[nodiscard]] Bandwidth largest_write_rate() const {
    return std::min(client_write_rate.value,
                    write_rate.value * static_cast<double>(num_connections.value));
  }

  static constexpr auto fields() {
    return field_list(
        field("name", &Mount::name, "Name in the catalogue.", optional),
        field("description", &Mount::description, "The mount in words.", optional),
        field("protocols", &Mount::protocols,
              "Protocols that it can run over, one of which the storage nodes must speak; any "
              "where empty.",
              optional),
        field("num_connections", &Mount::num_connections,
              "Connections of a client's mount, as nconnect sets them.", between(1, 4096),
              optional),
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
};

}  // namespace railwright::core
