// SPDX-License-Identifier: Apache-2.0
// What the YAML reader takes, it writes back to an equal tree.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"

using namespace railwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  core::Node tree;
  try {
    tree = core::parse_yaml(text, "fuzz.yaml");
  } catch (const core::ConfigError&) {
    return 0;
  }
  const std::string once = core::to_yaml(tree);
  if (core::to_yaml(core::parse_yaml(once, "again.yaml")) != once) std::abort();
  return 0;
}
