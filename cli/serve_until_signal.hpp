// SPDX-License-Identifier: Apache-2.0
// The life of the what-if page: from the scenario it starts with to Ctrl-C.
#pragma once

#include "common.hpp"

namespace railwright::cli {

/// Returns the scenario that the command line names, or the page's own, as one tree without
/// includes.
core::Node what_if_start(const Options& options, const core::Catalogue& catalogue);

/// Prints the address at once and serves until SIGINT or SIGTERM, then returns kOk.
int serve_until_signal(const core::Node& scenario, core::Catalogue catalogue, int port, bool open,
                       Streams& streams);

}  // namespace railwright::cli
