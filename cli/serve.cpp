// SPDX-License-Identifier: Apache-2.0
// The command `serve`: the what-if page, until Ctrl-C.
#include <string>
#include <string_view>
#include <utility>

#include "common.hpp"
#include "railwright/core/error.hpp"

#ifdef RAILWRIGHT_HAS_HTTPLIB
#include "serve_until_signal.hpp"
#endif

namespace railwright::cli {

namespace {

#ifdef RAILWRIGHT_HAS_HTTPLIB
/// Returns what --at says, as it stands in an address.
std::string place_of(const Options& options) {
  static constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._+%&=";
  const std::string at = options.text("--at");
  if (at.empty() || at == "goal") return at;
  const std::size_t hash = at.find('#');
  const std::string page = at.substr(0, hash);
  const bool is_known = page.empty() || page == "goal";
  if (hash != at.npos && is_known && at.find_first_not_of(kPlain, hash + 1) == at.npos) return at;
  throw core::ConfigError(
      {{{"--at"}, "", "is no state of the page", "the Share button of the page gives one"}});
}

int run_serve(const Options& options, Streams& streams) {
  const ServeOptions how{.port = whole_number(options, "--port", 0, 65535),
                         .open = options.flag("--open"),
                         .at = place_of(options)};
  core::Catalogue catalogue = open_catalogue(options);
  const core::Node start = what_if_start(options, catalogue);
  return serve_until_signal(start, std::move(catalogue), how, streams);
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
                  {.name = "--at",
                   .kind = OptionKind::kValue,
                   .value = "STATE",
                   .help = "Start where somebody's page stands, as its Share button gives it"},
                  {.name = "--open", .help = "Open it in the browser, from a terminal"},
                  catalogue_option()},
      .run = run_serve};
}

}  // namespace railwright::cli
