// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "../words/link_words.hpp"
#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

std::string busy_text(const simulation::LinkLoad& link) {
  return fmt::format("{}, busy {}", with_alike(link), percent(link.utilization));
}

/// The library goes by its own model of a call, which is not always the fastest way.
std::string faster_text(const simulation::NamedAlgorithm& faster, core::Duration time) {
  return fmt::format("--set benchmark.library.all_reduce_algorithm={}: {} ({})",
                     core::to_string(faster.choice.algorithm), core::to_text(faster.time),
                     signed_percent(faster.time / time - 1.0));
}

}  // namespace

std::string verdict(const simulation::BenchmarkResult& result, const TextStyle& style) {
  const std::string what =
      fmt::format("{} of {} on {}", core::to_string(result.op), core::to_text(result.size),
                  plural(result.num_ranks, "accelerator"));
  if (!result.feasible()) {
    std::vector<std::string> reasons;
    for (const core::Shortfall& shortfall : result.shortfalls) reasons.push_back(shortfall.what);
    return unfit_head(result.name, reasons, style) + fact("collective", what);
  }
  std::string text = title(result.name, 1, style) + fits_text(what, style);
  text += fact("time", fmt::format("{}, of which latency {}",
                                   strong(core::to_text(result.time), style, "1;32"),
                                   core::to_text(result.latency)));
  text += fact("80 % interval", "none: the spread between sites is not known of a collective");
  text += fact("bus bandwidth", core::to_text(result.bus_bandwidth));
  text += fact("algorithm", fmt::format("{}, {}, {}", core::to_string(result.choice.algorithm),
                                        core::to_string(result.choice.protocol),
                                        plural(result.num_channels, "channel")));
  if (!result.busiest_links.empty()) text += fact("limit", busy_text(result.busiest_links.front()));
  if (const simulation::NamedAlgorithm* faster = result.faster()) {
    text += fact("try next", faster_text(*faster, result.time));
  }
  return text;
}

std::string to_text(const simulation::BenchmarkResult& result, const TextStyle& style) {
  if (!result.feasible()) return {};
  std::string text;
  if (!result.named.empty()) {
    Table algorithms({"algorithm", "protocol", "time"});
    for (const simulation::NamedAlgorithm& one : result.named) {
      algorithms.add_row({std::string(core::to_string(one.choice.algorithm)),
                          std::string(core::to_string(one.choice.protocol)),
                          core::to_text(one.time)});
    }
    text += algorithms.text(style) + "\n";
  }
  Table table({"busiest links", "carried", "utilization"});
  for (const simulation::LinkLoad& link : result.busiest_links) {
    table.add_row({with_alike(link), core::to_text(link.bytes), percent(link.utilization)});
  }
  return text + table.text(style);
}

}  // namespace railwright::output
