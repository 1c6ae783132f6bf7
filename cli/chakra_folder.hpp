// SPDX-License-Identifier: Apache-2.0
// The option --chakra of `simulate`.
#pragma once

#include "common.hpp"
#include "verb.hpp"

namespace railwright::cli {

OptionSpec chakra_option();
/// If --chakra is given, throws ConfigError if its folder cannot be written, or if the other
/// options or the scenario leave no step to trace.
void check_chakra(const Options& options, const core::Node& tree);
/// Writes the execution traces of a feasible scenario if --chakra is given. Returns false if Ctrl-C
/// interrupted it.
bool write_chakra(const Options& options, const core::Node& tree, const core::Catalogue& catalogue,
                  Streams& streams);

}  // namespace railwright::cli
