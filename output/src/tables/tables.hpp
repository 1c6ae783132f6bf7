// SPDX-License-Identifier: Apache-2.0
// The kinds of tables for rows of a sweep.
#pragma once

#include <memory>
#include <string>

#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::output {

std::unique_ptr<planner::SweepTable> open_sqlite_table(const std::string& path,
                                                       const planner::SweepQuestion& question);

enum class TextFormat : std::uint8_t { kCsv, kJsonLines };
std::unique_ptr<planner::SweepTable> open_text_table(const std::string& path, TextFormat format,
                                                     const planner::SweepQuestion& question);

}  // namespace railwright::output
