// SPDX-License-Identifier: Apache-2.0
// Names and formats of the numbers of a result, for pages and Python.
#pragma once

#include <string>

namespace railwright::output {

/// {"numbers": [{"path", "word", "format", "unit", "color", "column"}, ...], "causes": [{"name",
/// "words", "color", "dark_color"}, ...]}, in the order of the results. `color` of a number is the
/// name of a cause. A field that a number lacks is null.
std::string numbers_json();

}  // namespace railwright::output
