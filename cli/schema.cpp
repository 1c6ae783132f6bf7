// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/schema/schema.hpp"

#include "common.hpp"

namespace railwright::cli {

namespace {

int run_schema(const Options& options, Streams& streams) {
  streams.out << output::scenario_schema(open_catalogue(options));
  return kOk;
}

}  // namespace

Verb schema_verb() {
  OptionSpec format = format_option();
  format.fallback = "json";
  format.choices = {"json"};
  return {.name = "schema",
          .help = "The JSON Schema of a scenario, for editors",
          .options = {format, catalogue_option()},
          .run = run_schema};
}

}  // namespace railwright::cli
