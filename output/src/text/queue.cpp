// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;

std::string load_text(const simulation::QueueResult& result) {
  return fmt::format("{} on {} in {}", plural(result.num_jobs, "job"),
                     plural(result.num_accelerators, "accelerator"), to_text(result.duration));
}

/// Says whose waits are longest, if anybody waits.
std::string limit_text(const simulation::QueueResult& result) {
  const simulation::SizeClass* longest = nullptr;
  for (const simulation::SizeClass& one : result.sizes) {
    if (longest == nullptr || one.wait.mean > longest->wait.mean) longest = &one;
  }
  if (longest == nullptr || longest->wait.mean.base() <= 0.0) return "nothing: no job waits";
  return fmt::format("jobs of {}: {} in the mean, p99 {}", longest->name,
                     to_text(longest->wait.mean), to_text(longest->wait.p99));
}

}  // namespace

std::string verdict(const simulation::QueueResult& result, const TextStyle& style) {
  std::string text = result.feasible()
                         ? title(result.name, 1, style) + fits_text(load_text(result), style)
                         : unfit_head(result.name, result.infeasible, style);
  if (!result.has_run()) return text + fact("jobs", grouped(result.num_jobs));
  text += fact("wait", fmt::format("{} in the mean, p50 {}, p90 {}, p99 {}",
                                   strong(to_text(result.wait.mean), style, "1;32"),
                                   to_text(result.wait.p50), to_text(result.wait.p90),
                                   to_text(result.wait.p99)));
  text += fact("80 % interval", "none: one draw of jobs and failures");
  text += fact("accelerators",
               fmt::format("busy {} of the time, {} points of it lost to failures and spreading",
                           percent(result.occupied_fraction),
                           fixed(100.0 * (result.occupied_fraction - result.useful_fraction), 1)));
  text += fact("longest waits", limit_text(result));
  text += fact("failures", fmt::format("{}, {} of the nodes' time in repair",
                                       plural(result.num_interruptions, "interruption"),
                                       percent(result.down_fraction)));
  text += fact("placement", fmt::format("{} of the jobs of several nodes on more leaves than they "
                                        "need",
                                        percent(result.spread_fraction)));
  text += fact("power", fmt::format("{} in the mean, {} at the peak, of the nodes",
                                    to_text(result.mean_power), to_text(result.peak_power)));
  return text;
}

namespace {

constexpr std::size_t kMaxListed = 20;  ///< jobs; more are a matter of a file

/// Lists the jobs if they are few.
std::string jobs_text(const simulation::QueueResult& result, const TextStyle& style) {
  if (result.histories.size() > kMaxListed) {
    return fact("each job", "--jobs FILE writes its start and end");
  }
  Table table({"job", "accelerators", "submitted", "waits", "starts", "ends", "on its nodes",
               "interruptions"});
  const auto time = [](double seconds) { return to_text(core::Duration::from_base(seconds)); };
  for (std::size_t i = 0; i < result.histories.size(); ++i) {
    const simulation::JobHistory& past = result.histories[i];
    table.add_row({grouped(static_cast<std::int64_t>(i + 1)), grouped(past.job.accelerators),
                   time(past.job.submit), time(past.start - past.job.submit), time(past.start),
                   time(past.end), time(past.ran), grouped(past.num_interruptions)});
  }
  return table.text(style);
}

}  // namespace

std::string to_text(const simulation::QueueResult& result, const TextStyle& style) {
  if (!result.has_run()) return {};
  Table table({"jobs of", "number", "accelerator time", "mean wait", "p50", "p90", "p99"});
  for (const simulation::SizeClass& one : result.sizes) {
    table.add_row({one.name, grouped(one.num_jobs), percent(one.share_of_time),
                   to_text(one.wait.mean), to_text(one.wait.p50), to_text(one.wait.p90),
                   to_text(one.wait.p99)});
  }
  return table.text(style) + fact("most waiting", plural(result.most_waiting, "job")) + '\n' +
         jobs_text(result, style);
}

}  // namespace railwright::output
