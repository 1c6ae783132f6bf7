// SPDX-License-Identifier: Apache-2.0
// Takes the script out of a task of SkyPilot or dstack. [@skypilot_task] [@dstack_configuration]
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace railwright::importers {

/// Returns the commands of a task with its variables, and the nodes and accelerators that both set
/// for them, its lines at their numbers. Nothing for other texts.
std::optional<std::string> task_script(std::string_view text);

}  // namespace railwright::importers
