// SPDX-License-Identifier: Apache-2.0
// The part of JSON Schema 2020-12 that the scenario's schema uses, checked plainly.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/tree.hpp"

namespace railwright::test {

/// Where `scenario` breaks `schema`, as JSON pointers; empty when it is valid. Throws
/// std::logic_error for a keyword it does not know, so that none goes unchecked.
std::vector<std::string> schema_errors(const std::string& schema, const core::Node& scenario);

}  // namespace railwright::test
