// SPDX-License-Identifier: Apache-2.0
// --chakra of `simulate`.
#pragma once

#include "common.hpp"
#include "verb.hpp"

namespace railwright::cli {

OptionSpec chakra_option();
/// Where --chakra is given: throws ConfigError where no folder can be written, or of what the
/// options ask there is no step.
void check_chakra(const Options& options, const core::Node& tree);
/// Writes the execution traces of a scenario that is feasible, where they are asked for; false
/// where Ctrl-C came before they were whole.
bool write_chakra(const Options& options, const core::Node& tree, const core::Catalogue& catalogue,
                  Streams& streams);

}  // namespace railwright::cli
