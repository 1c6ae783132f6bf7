// SPDX-License-Identifier: Apache-2.0
// What has to be bought for a fabric.
#pragma once

#include <string>
#include <vector>

namespace railwright::core {

struct Part {
  std::string kind;  ///< "server", "switch", "nic", "cable", "storage_node"
  std::string name;  ///< catalogue name
  int count = 0;
};

/// Why a design does not fit, e.g. "24 nodes x 8 NICs need 192 host ports; 2 x 64 ports leave 64".
struct Shortfall {
  std::string what;
  double needed = 0.0;
  double available = 0.0;
};

struct PartsList {
  std::vector<Part> parts;
  int ports_used = 0;
  int ports_free = 0;
  std::vector<Shortfall> shortfalls;  ///< empty when the design can be built
};

}  // namespace railwright::core
