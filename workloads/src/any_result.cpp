// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/any_result.hpp"

namespace railwright::simulation {

namespace {

std::string sentence(const std::string& reason) { return reason; }
std::string sentence(const Infeasibility& reason) { return reason.what; }
std::string sentence(const core::Shortfall& reason) { return reason.what; }

/// Returns the list of what does not fit, under the name that the kind has for it.
const auto& problems_of(const BenchmarkResult& result) { return result.shortfalls; }
template <class Result>
const auto& problems_of(const Result& result) {
  return result.infeasible;
}

}  // namespace

bool is_feasible(const ResultView& result) {
  return result.visit([](const auto& one) { return one.feasible(); });
}

std::vector<std::string> reasons_of(const ResultView& result) {
  return result.visit([](const auto& one) {
    std::vector<std::string> reasons;
    for (const auto& reason : problems_of(one)) reasons.push_back(sentence(reason));
    return reasons;
  });
}

const RunResult* run_of(const ResultView& result) {
  const RunResult* run = result.visit([](const auto& one) -> const RunResult* {
    if constexpr (requires { one.run.jobs; }) {
      return &one.run;
    } else {
      return nullptr;
    }
  });
  return run == nullptr || run->jobs.empty() ? nullptr : run;
}

const std::string& name_of(const AnyResult& result) {
  return std::visit([](const auto& one) -> const std::string& { return one.name; }, result);
}

}  // namespace railwright::simulation
