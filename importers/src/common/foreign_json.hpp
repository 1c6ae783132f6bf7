// SPDX-License-Identifier: Apache-2.0
// JSON of other programs beyond the strict reader's size: results and traces.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "findings.hpp"

namespace railwright::importers {

/// Parses JSON. Python's NaN and Infinity become the words "nan" and "inf". Refuses a key that is
/// there twice, and nesting beyond 64. `first_line` is the line of the file at which the text
/// begins. Throws ConfigError.
nlohmann::json parse_large_json(std::string_view text, const std::string& file, int first_line = 1);

/// Follows a path with dots and places in lists; null where it is absent or null.
const nlohmann::json* json_at(const nlohmann::json& root, std::string_view path);

/// Returns the text at a path; nothing where it is absent or no text.
std::optional<std::string> json_text(const nlohmann::json& root, std::string_view path);

/// Returns the number at a path; nothing where it is absent. Reports a problem for what is no
/// number, or outside of `least` to `most`.
std::optional<double> json_number(const nlohmann::json& root, std::string_view path, double least,
                                  double most, Findings& findings);

}  // namespace railwright::importers
