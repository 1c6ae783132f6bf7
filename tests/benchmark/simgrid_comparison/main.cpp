// SPDX-License-Identifier: Apache-2.0
// One table of one run: the flow workloads through railwright and through SimGrid.
// Usage: simgrid_comparison [WORKLOAD...], e.g. "a2a 64"; all of them without arguments.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "../engine_run.hpp"
#include "child.hpp"
#include "simgrid_run.hpp"

namespace {

using namespace railwright::workloads;

constexpr double kTolerance = 1e-6;  // of simulated time, relative

/// The median by time of up to five runs, as many as fit in two seconds or so.
template <class Run>
auto median_run(Run run) {
  std::vector<decltype(in_child(run))> runs;
  double total_s = 0.0;
  while (runs.empty() || (runs.size() < 5 && total_s < 2.0)) {
    runs.push_back(in_child(run));
    total_s += runs.back().result.seconds;
  }
  std::ranges::sort(runs, {}, [](const auto& measured) { return measured.result.seconds; });
  return runs[(runs.size() - 1) / 2];
}

bool agree(double a, double b) { return std::abs(a - b) <= kTolerance * std::max(a, b); }

void print_head() {
  fmt::print(
      "| workload | flows | simulated s | SimGrid lazy s | SimGrid full s | railwright s | ratio |"
      " SimGrid MiB | railwright MiB | ns/touch | touches/flow |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
}

/// One row; whether both agree on the simulated time.
bool compare(const Named& named) {
  const Workload workload = named.make();
  const auto ours = median_run([&] { return run_engine(workload); });
  const auto lazy = median_run([&] { return run_simgrid(workload, SimGridMode::kLazy); });
  const auto full = median_run([&] { return run_simgrid(workload, SimGridMode::kFull); });
  const auto& best = lazy.result.seconds < full.result.seconds ? lazy : full;
  const EngineRun& run = ours.result;
  fmt::print(
      "| {} | {} | {:.9f} | {:.4f} | {:.4f} | {:.6f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} "
      "|\n",
      named.name, workload.num_flows(), run.simulated_s, lazy.result.seconds, full.result.seconds,
      run.seconds, best.result.seconds / run.seconds, best.peak_mib, ours.peak_mib,
      run.seconds * 1e9 / static_cast<double>(run.num_touches),
      static_cast<double>(run.num_touches) / static_cast<double>(workload.num_flows()));
  std::fflush(stdout);
  bool is_right = true;
  for (const double other : {lazy.result.simulated_s, full.result.simulated_s, named.simulated_s}) {
    if (agree(other, run.simulated_s)) continue;
    fmt::print(stderr, "{}: {} s here, {} s there\n", named.name, run.simulated_s, other);
    is_right = false;
  }
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> wanted(argv + 1, argv + argc);
  bool is_right = true;
  print_head();
  for (const Named& named : named_workloads()) {
    if (!wanted.empty() && std::ranges::count(wanted, named.name) == 0) continue;
    is_right = compare(named) && is_right;
  }
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
