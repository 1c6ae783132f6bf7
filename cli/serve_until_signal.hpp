// SPDX-License-Identifier: Apache-2.0
// The life of the what-if page: from the scenario it starts with to Ctrl-C.
#pragma once

#include <string>

#include "common.hpp"

namespace railwright::cli {

/// Returns the scenario that the command line names, or the page's own, as one tree without
/// includes.
core::Node what_if_start(const Options& options, const core::Catalogue& catalogue);

struct ServeOptions {
  int port = 0;       ///< 0: any free one
  bool open = false;  ///< in the browser, from a terminal
  std::string at;     ///< page and state behind the address: "#example=..." or "goal#..."
};

/// Prints the address at once and serves until SIGINT or SIGTERM, then returns kOk.
int serve_until_signal(const core::Node& scenario, core::Catalogue catalogue,
                       const ServeOptions& options, Streams& streams);

}  // namespace railwright::cli
