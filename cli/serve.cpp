// SPDX-License-Identifier: Apache-2.0
// The command `serve`: the what-if page, until Ctrl-C.
#include <utility>

#include "common.hpp"
#include "railwright/core/error.hpp"

#ifdef RAILWRIGHT_HAS_HTTPLIB
#include "serve_until_signal.hpp"
#endif

namespace railwright::cli {

namespace {

#ifdef RAILWRIGHT_HAS_HTTPLIB
int run_serve(const Options& options, Streams& streams) {
  const int port = whole_number(options, "--port", 0, 65535);
  core::Catalogue catalogue = open_catalogue(options);
  const core::Node start = what_if_start(options, catalogue);
  return serve_until_signal(start, std::move(catalogue), port, options.flag("--open"), streams);
}
#else
int run_serve(const Options&, Streams&) {
  throw core::ConfigError({{{"serve"},
                            "",
                            "this program was built without a web server",
                            "build it again with cpp-httplib: Debian's libcpp-httplib-dev"}});
}
#endif

}  // namespace

Verb serve_verb() {
  return {
      .name = "serve",
      .help = "A page for what-if questions, on this machine alone, until Ctrl-C",
      .options = {{.name = "scenario",
                   .kind = OptionKind::kPositional,
                   .value = "FILE",
                   .help = "The scenario to start from; Llama 2 70B on six XE9680 if left out"},
                  {.name = "--set",
                   .kind = OptionKind::kList,
                   .value = "PATH=VALUE",
                   .help = "Change one key of the scenario, such as cluster.nodes=4; repeatable"},
                  allow_include_option(),
                  {.name = "--port",
                   .kind = OptionKind::kValue,
                   .value = "N",
                   .help = "Port on 127.0.0.1 (0 picks a free one)",
                   .fallback = "0"},
                  {.name = "--open", .help = "Open it in the browser, from a terminal"},
                  catalogue_option()},
      .run = run_serve};
}

}  // namespace railwright::cli
