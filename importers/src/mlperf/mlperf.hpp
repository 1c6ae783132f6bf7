// SPDX-License-Identifier: Apache-2.0
// Imports a config_*.sh of MLPerf Training: variables of a run of NeMo. [@mlperf_configs]
#pragma once

#include <string>
#include <string_view>

#include "../common/shell_words.hpp"
#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_mlperf(std::string_view head);
Imported import_mlperf(std::string_view text, const std::string& file, const core::Node& known);

inline constexpr Importer kMlperf{
    .name = "mlperf", .recognizes = is_mlperf, .read = import_mlperf, .choose = with_variables};

}  // namespace railwright::importers
