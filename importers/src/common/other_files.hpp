// SPDX-License-Identifier: Apache-2.0
// Recognizes files that are no part of a scenario, and says where they belong.
#pragma once

#include <optional>
#include <string_view>

namespace railwright::importers {

/// A file that no reader takes: what it is, and what to do with it.
struct OtherFile {
  std::string_view mark;  ///< text that only such files have
  std::string_view what;
  std::string_view hint;
};

/// Returns what a text is of those that are known; nothing for others.
std::optional<OtherFile> other_file(std::string_view text);

}  // namespace railwright::importers
