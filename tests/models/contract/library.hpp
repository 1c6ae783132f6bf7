// SPDX-License-Identifier: Apache-2.0
// A collective library on accelerators that it has numbers of.
#pragma once

#include <string>

#include "../../support/scenario.hpp"

namespace railwright::test {

inline Settings on_its_devices(const std::string& library) {
  const std::string generation = library == "rccl" ? "cdna3" : "hopper";
  return {"software.collectives=" + library,
          "cluster.node.accelerator.generation={value: " + generation + ", source: test}"};
}

}  // namespace railwright::test
