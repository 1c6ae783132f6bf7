// SPDX-License-Identifier: Apache-2.0
// Imports requests to a service, a line each. [@azure_llm_trace]
#pragma once

#include <string>
#include <string_view>

#include "railwright/importers/import.hpp"

namespace railwright::importers {

bool is_request_trace(std::string_view head);
Imported import_request_trace(std::string_view text, const std::string& file,
                              const core::Node& known);

inline constexpr Importer kRequestTrace{
    .name = "request-trace", .recognizes = is_request_trace, .read = import_request_trace};

}  // namespace railwright::importers
