// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "../words/link_words.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::output {

std::string to_text(const simulation::BenchmarkResult& result, const TextStyle& style) {
  std::string text = result.name + "\n\n";
  const auto fact = [&text](std::string_view label, const std::string& what) {
    text += fmt::format("{:<15}{}\n", label, what);
  };
  fact("collective", fmt::format("{} of {} on {} accelerators", core::to_string(result.op),
                                 core::to_text(result.size), result.num_ranks));
  for (const core::Shortfall& shortfall : result.shortfalls) fact("does not fit", shortfall.what);
  if (!result.feasible()) return text;
  fact("algorithm", fmt::format("{}, {}, {} channels", core::to_string(result.choice.algorithm),
                                core::to_string(result.choice.protocol), result.num_channels));
  fact("time", fmt::format("{}, of which latency {}", core::to_text(result.time),
                           core::to_text(result.latency)));
  fact("bus bandwidth", core::to_text(result.bus_bandwidth));
  Table table({"busiest links", "carried", "utilization"});
  for (const simulation::LinkLoad& link : result.busiest_links) {
    table.add_row({with_alike(link), core::to_text(link.bytes),
                   fmt::format("{:.1f} %", 100.0 * link.utilization)});
  }
  return text + "\n" + table.text(style);
}

}  // namespace railwright::output
