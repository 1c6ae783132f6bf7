// SPDX-License-Identifier: Apache-2.0
// A scenario is read or refused, with the built-in catalogue.
#include "railwright/simulation/scenario/scenario.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

using namespace railwright;

namespace {

const core::Catalogue& catalogue() {
  static const core::Catalogue built_in({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return built_in;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const core::Node tree =
        core::parse_yaml({reinterpret_cast<const char*>(data), size}, "fuzz.yaml");
    simulation::read_scenario(tree, catalogue());
  } catch (const core::Error&) {
    return 0;
  }
  return 0;
}
