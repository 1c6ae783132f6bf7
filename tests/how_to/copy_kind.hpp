// SPDX-License-Identifier: Apache-2.0
// A kind of scenario of its own, added as the how-to says: bytes that are copied by streams.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::simulation {

struct Copy {
  core::DataSize size;
  core::Bandwidth rate;
  int streams = 1;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("size", &Copy::size, "Bytes to copy.", core::between(1, 1e18)),
        field("rate", &Copy::rate, "Of a stream.", core::between(1, 1e15)),
        field("streams", &Copy::streams, "At a time.", core::between(1, 1000), core::optional));
  }
};

struct CopyScenario {
  std::string name;
  Copy copy;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(field("name", &CopyScenario::name, "In a few words."),
                            field("copy", &CopyScenario::copy, "What is copied."));
  }
};

struct CopyResult {
  std::string name;
  std::vector<std::string> infeasible;
  core::Duration time;
  core::Bandwidth rate;
};

struct CopyKind {
  using Scenario = CopyScenario;
  using Result = CopyResult;

  static constexpr KindFacts kFacts{
      .key = "copy",
      .says = "a copy of files",
      .goals = {{{"shortest_copy", "shortest copy", "time_s", NumberFormat::kTime, true},
                 {"highest_rate", "highest rate", "rate_bytes_per_s", NumberFormat::kBytesPerSecond,
                  false}}},
      .has_fabric = false};

  static Scenario read(const core::Node& tree, const core::Catalogue& catalogue) {
    core::Reader reader(&catalogue);
    Scenario scenario;
    reader.read(tree, "", scenario);
    reader.throw_if_any();
    return scenario;
  }
  static core::Node complete(const core::Node& tree, const core::Catalogue& catalogue) {
    return core::to_node(read(tree, catalogue));
  }
  static Result simulate(const Scenario& scenario, const SimulateOptions&) {
    constexpr int kMaxStreams = 8;
    const Copy& copy = scenario.copy;
    Result result{.name = scenario.name, .infeasible = {}, .time = {}, .rate = {}};
    if (copy.streams > kMaxStreams) result.infeasible.emplace_back("8 streams are the most");
    result.rate = copy.rate * static_cast<double>(copy.streams);
    result.time = copy.size / result.rate;
    return result;
  }
  static Numbers<Result> numbers() {
    return {{.path = "time_s",
             .word = "copied in",
             .format = NumberFormat::kTime,
             .column = "time_s",
             .read = [](const Result& of) { return of.time; }},
            {.path = "rate_bytes_per_s",
             .word = "rate",
             .format = NumberFormat::kBytesPerSecond,
             .column = "rate_bytes_per_s",
             .read = [](const Result& of) { return of.rate; }}};
  }
};

}  // namespace railwright::simulation
