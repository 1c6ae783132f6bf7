// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "common.hpp"
#include "railwright/output/tables/sweep_table.hpp"

namespace railwright::cli {

namespace {

int run_merge(const Options& options, Streams& streams) {
  const std::string out = options.text("out");
  const output::MergeSummary summary = output::merge_sweep_tables(out, options.list("pieces"));
  if (wants_json(options)) {
    streams.out << output::to_json(summary, out);
  } else {
    put_text(streams, output::to_text(summary, out));
  }
  if (summary.missing.empty()) return kOk;
  streams.err << fmt::format(
      "{}: {} of {} points are missing; the sweep's own command with --out {} makes them\n", out,
      summary.num_missing(), summary.points, out);
  return kBadInput;
}

}  // namespace

Verb merge_verb() {
  return {.name = "merge",
          .help = "The SQLite tables of a sweep's shards in one",
          .options = {{.name = "out",
                       .kind = OptionKind::kPositional,
                       .value = "OUT",
                       .help = "The merged table",
                       .required = true},
                      {.name = "pieces",
                       .kind = OptionKind::kPositionals,
                       .value = "PIECE...",
                       .help = "Tables of shards",
                       .required = true},
                      format_option()},
          .run = run_merge};
}

}  // namespace railwright::cli
