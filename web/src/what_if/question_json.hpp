// SPDX-License-Identifier: Apache-2.0
// Parts of the questions that pages ask, read from JSON. All throw QuestionError.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railwright::web {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& what);
const Json& value(const Json& question, const char* key);
std::string text(const Json& question, const char* key);
/// Reads a list of settings, as for `--set`.
std::vector<std::string> texts(const Json& question, const char* key);
/// Refuses what is no object, or has a key that is not `known`.
void check_keys(const Json& json, std::span<const std::string_view> known, const char* what);
std::string page_of(const Json& question);
std::int64_t turn_of(const Json& question);

}  // namespace railwright::web
