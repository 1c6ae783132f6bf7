// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/schema/schema.hpp"

#include "common.hpp"

namespace railwright::cli {

namespace {

constexpr const char* kResults = "--results";

int run_schema(const Options& options, Streams& streams) {
  if (options.flag(kResults)) {
    streams.out << output::results_schema();
  } else {
    streams.out << output::scenario_schema(open_catalogue(options));
  }
  return kOk;
}

}  // namespace

Verb schema_verb() {
  OptionSpec format = format_option();
  format.fallback = "json";
  format.choices = {"json"};
  return {.name = "schema",
          .help = "The JSON Schema of a scenario, for editors, or of results",
          .options = {{.name = kResults,
                       .help = "That of the JSON that commands print, by kind of result"},
                      format,
                      catalogue_option()},
          .run = run_schema};
}

}  // namespace railwright::cli
