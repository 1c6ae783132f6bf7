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

  static constexpr auto fields();
};

}  // namespace railwright::core
