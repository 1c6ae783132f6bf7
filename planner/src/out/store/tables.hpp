// SPDX-License-Identifier: Apache-2.0
// The kinds of tables that rows of a sweep go to.
#pragma once

#include <memory>
#include <string>

#include "railwright/planner/verbs/sweep.hpp"

namespace railwright::planner {

std::unique_ptr<SweepTable> open_sqlite_table(const std::string& path,
                                              const SweepQuestion& question);

enum class TextFormat : std::uint8_t { kCsv, kJsonLines };
std::unique_ptr<SweepTable> open_text_table(const std::string& path, TextFormat format,
                                            const SweepQuestion& question);

}  // namespace railwright::planner
