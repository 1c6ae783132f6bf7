// SPDX-License-Identifier: Apache-2.0
// An InfiniBand fabric as `ibnetdiscover` prints it: its devices and the cables between them.
// [@ibnetdiscover]
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "../common/findings.hpp"

namespace railwright::importers {

struct IbPort {
  std::string peer;  ///< "H-b8599f0300fc6de4"
  int peer_port = 0;
  double rate = 0.0;  ///< bytes/s
  int line = 0;
};

struct IbElement {
  std::string id;
  char kind = ' ';  ///< S (switch), H (channel adapter) or R (router)
  int num_ports = 0;
  std::string description;
  std::uint32_t device = 0;
  std::map<int, IbPort> ports;
  int line = 0;
};

struct IbWalk {
  std::map<std::string, IbElement> elements;
  std::vector<std::string> order;  ///< ids in the order of the text
};

/// Reads the devices; each cable must be listed at both of its ends. Throws ConfigError with every
/// problem.
IbWalk read_ib_walk(std::string_view text, Findings& findings);

}  // namespace railwright::importers
