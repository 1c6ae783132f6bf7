// SPDX-License-Identifier: Apache-2.0
// The table of numbers of a queue.
#include <string>
#include <string_view>
#include <utility>

#include "railwright/models/power/node_power.hpp"
#include "railwright/workloads/queue/queue.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;

/// Makes a number of a queue's result, which is a column of its own name too.
template <class Value>
Number<QueueResult> of_queue(const std::string& path, std::string_view beside, Format format,
                             Value value_of, bool is_whole = false) {
  return {.path = path,
          .format = format,
          .column = path,
          .is_whole = is_whole,
          .beside = {beside},
          .read = [value_of](const QueueResult& of) { return NumberValue(value_of(of)); }};
}

Numbers<QueueResult> queue_size_numbers() {
  using Q = QueueResult;
  return {
      of_queue(
          "num_jobs", "jobs", Format::kCount, [](const Q& queue) { return queue.num_jobs; }, true),
      of_queue(
          "num_accelerators", "accelerators", Format::kCount,
          [](const Q& queue) { return queue.num_accelerators; }, true)};
}

Numbers<QueueResult> history_numbers() {
  using Q = QueueResult;
  return {of_queue("duration_s", "all done in", Format::kTime,
                   [](const Q& queue) { return queue.duration; }),
          of_queue("occupied_fraction", "accelerators occupied", Format::kShare,
                   [](const Q& queue) { return queue.occupied_fraction; }),
          of_queue("useful_fraction", "without what failures and spreading cost", Format::kShare,
                   [](const Q& queue) { return queue.useful_fraction; }),
          of_queue("down_fraction", "nodes down", Format::kShare,
                   [](const Q& queue) { return queue.down_fraction; }),
          of_queue(
              "num_interruptions", "interruptions", Format::kCount,
              [](const Q& queue) { return queue.num_interruptions; }, true),
          of_queue(
              "most_waiting", "most waiting", Format::kCount,
              [](const Q& queue) { return queue.most_waiting; }, true),
          of_queue("spread_fraction", "jobs spread over leaves", Format::kShare,
                   [](const Q& queue) { return queue.spread_fraction; }),
          of_queue("wait_mean_s", "mean wait", Format::kTime,
                   [](const Q& queue) { return queue.wait.mean; }),
          of_queue("wait_p50_s", "wait, p50", Format::kTime,
                   [](const Q& queue) { return queue.wait.p50; }),
          of_queue("wait_p90_s", "wait, p90", Format::kTime,
                   [](const Q& queue) { return queue.wait.p90; }),
          of_queue("wait_p99_s", "wait, p99", Format::kTime,
                   [](const Q& queue) { return queue.wait.p99; }),
          of_queue("mean_power_w", "mean power of the nodes", Format::kPower,
                   [](const Q& queue) { return queue.mean_power; }),
          of_queue("peak_power_w", "peak power of the nodes", Format::kPower,
                   [](const Q& queue) { return queue.peak_power; }),
          of_queue("energy_j", "energy of the nodes", Format::kEnergy,
                   [](const Q& queue) { return queue.energy; }),
          of_queue("carbon_kg", "CO2 of the nodes", Format::kMass, [](const Q& queue) {
            const double intensity = queue.carbon_intensity;
            return intensity > 0.0 ? NumberValue(models::carbon_kg(queue.energy, intensity))
                                   : NumberValue();
          })};
}

constexpr PartOf<QueueResult, QueueResult> kWholeQueue{
    [](const QueueResult& result) { return &result; }};
constexpr PartOf<QueueResult, QueueResult> kQueueRun{
    [](const QueueResult& result) { return result.has_run() ? &result : nullptr; }};

}  // namespace

const Numbers<QueueResult>& queue_numbers() {
  static const NumberGroup<QueueResult> kGroups[] = {{kWholeQueue, queue_size_numbers},
                                                     {kQueueRun, history_numbers}};
  static const Numbers<QueueResult> kNumbers = table_of<QueueResult>(kGroups);
  return kNumbers;
}

std::vector<ResultColumn> job_columns(const QueueResult& result) {
  std::vector<ResultColumn> columns;
  if (!result.has_run()) return columns;
  const auto add = [&](std::string_view name, auto value_of) {
    std::vector<double> values;
    values.reserve(result.histories.size());
    for (const JobHistory& past : result.histories) values.push_back(value_of(past));
    columns.push_back({name, std::move(values)});
  };
  add("submit_s", [](const JobHistory& past) { return past.job.submit; });
  add("accelerators", [](const JobHistory& past) { return past.job.accelerators; });
  add("duration_s", [](const JobHistory& past) { return past.job.duration; });
  add("limit_s", [](const JobHistory& past) { return past.job.limit; });
  add("start_s", [](const JobHistory& past) { return past.start; });
  add("end_s", [](const JobHistory& past) { return past.end; });
  add("ran_s", [](const JobHistory& past) { return past.ran; });
  add("num_interruptions", [](const JobHistory& past) { return past.num_interruptions; });
  add("num_leaves", [](const JobHistory& past) { return past.num_leaves; });
  return columns;
}

std::vector<Output> outputs(const QueueResult& result) { return outputs(queue_numbers(), result); }

}  // namespace railwright::simulation
