// SPDX-License-Identifier: Apache-2.0
// Imports an InfiniBand fabric as `ibnetdiscover` prints it. [@ibnetdiscover]
#include "ibnetdiscover.hpp"

#include "../common/looks_like.hpp"
#include "ib_fabric.hpp"
#include "ib_walk.hpp"

namespace railwright::importers {

bool is_ibnetdiscover(std::string_view head) {
  return has_line(head, "Switch\t") || contains(head, "vendid=0x");
}

Imported import_ibnetdiscover(std::string_view text, const std::string& file,
                              const core::Node& /*known*/) {
  Findings findings(file);
  add_ib_fabric(read_ib_walk(text, findings), "ibnetdiscover", findings);
  return findings.take();
}

}  // namespace railwright::importers
