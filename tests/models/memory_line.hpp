// SPDX-License-Identifier: Apache-2.0
// The lines of a memory account by their names.
#pragma once

#include <string_view>

#include "railwright/models/memory/memory.hpp"

namespace railwright::test {

/// Bytes of the line of that name, 0 where there is none.
inline double line(const models::MemoryUse& use, std::string_view name) {
  for (const models::MemoryLine& found : use.lines) {
    if (found.name == name) return found.size.base();
  }
  return 0.0;
}

}  // namespace railwright::test
