// SPDX-License-Identifier: Apache-2.0
// `--set` and `--vary` of every line, laid over a scenario.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/variant.hpp"

using namespace railwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const core::Node kScenario =
      core::load_yaml(RAILWRIGHT_SOURCE_DIR "/examples/neutral-llama-2-7b.yaml");
  core::Node tree = kScenario;
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  for (std::string line; std::getline(lines, line);) {
    try {
      core::set_path(tree, line);
    } catch (const core::ConfigError&) {  // the next line may be better
    }
    try {
      simulation::read_variations({line});
    } catch (const core::ConfigError&) {
    }
  }
  return 0;
}
