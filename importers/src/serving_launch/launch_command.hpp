// SPDX-License-Identifier: Apache-2.0
// Finds the command that starts an engine among the commands of a script.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace railwright::importers {

/// Blanks the commands with options that `starts` is not true of, such as a client's or pip's.
/// Assignments, conditions and lists of options stay, and so do the numbers of lines.
std::string without_other_commands(std::string_view script,
                                   const std::function<bool(std::string_view)>& starts);

}  // namespace railwright::importers
