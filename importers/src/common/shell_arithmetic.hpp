// SPDX-License-Identifier: Apache-2.0
// The whole-number arithmetic of shells.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace railwright::importers {

/// Evaluates "NODES * 8" with + - * / % and parentheses. `value_of` gives the text of a variable,
/// nothing where it has none. Returns nothing for what it cannot evaluate.
std::optional<std::int64_t> shell_arithmetic(
    std::string_view expression,
    const std::function<std::optional<std::string>(const std::string&)>& value_of);

}  // namespace railwright::importers
