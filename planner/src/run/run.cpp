// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/run/run.hpp"

#include <algorithm>
#include <map>

#include "railwright/core/sim/engine.hpp"
#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/storage/storage.hpp"

namespace railwright::planner {

namespace {

using core::RunTime;

/// Bytes a writer serializes before it writes them; files are cut into at most kMaxPieces.
constexpr std::int64_t kPieceBytes = 256'000'000;
constexpr std::int64_t kMaxPieces = 1000;

struct Writer {
  std::vector<core::LinkUse> route;
  std::int64_t left = 0;
  std::int64_t piece = 0;
  std::int64_t piece_limit = 0;
  RunTime write_start;
};

/// Sum of the writers' rates over time, from the start, end and size of each write.
class WriteLoad {
 public:
  void add(RunTime start, RunTime end, std::int64_t bytes) {
    if (end <= start) return;
    const double rate = static_cast<double>(bytes) / (end - start).duration().base();
    change_[start] += rate;
    change_[end] -= rate;
  }
  [[nodiscard]] core::Bandwidth peak() const {
    double rate = 0.0;
    double peak = 0.0;
    for (const auto& [when, change] : change_) {
      rate += change;
      peak = std::max(peak, rate);
    }
    return core::Bandwidth::from_base(peak);
  }

 private:
  std::map<RunTime, double> change_;
};

class CheckpointSimulation {
 public:
  CheckpointSimulation(const CheckedScenario& checked, const core::Fabric& fabric)
      : format_(checked.scenario.software.checkpoint) {
    for (const core::Link& link : fabric.links()) {
      engine_.network().add_link(link.bandwidth.base());
    }
    const models::StorageNetwork storage(fabric, engine_.network(),
                                         checked.scenario.cluster.storage->node);
    const auto files =
        models::checkpoint_files(fabric, checked.scenario.workload, checked.layout, format_);
    for (const models::CheckpointFile& file : files) {
      writers_.push_back(
          {.route = storage.write_route(file.node, static_cast<int>(writers_.size())),
           .left = file.bytes,
           .piece = 0,
           .piece_limit = std::max(kPieceBytes, file.bytes / kMaxPieces + 1),
           .write_start = {}});
    }
  }

  /// Returns the time of the last write; fills `load`.
  RunTime run(WriteLoad& load) {
    for (core::EventId writer = 0; writer < writers_.size(); ++writer) serialize(writer);
    core::EventId event = 0;
    while (engine_.next(event)) {
      Writer& writer = writers_[event / 2];
      if (event % 2 == 0) {
        writer.write_start = engine_.now();
        engine_.start({.route = writer.route,
                       .size = writer.piece,
                       .ceiling = format_.writer_rate.value.base()},
                      event + 1);
      } else {
        load.add(writer.write_start, engine_.now(), writer.piece);
        serialize(event / 2);
      }
    }
    return engine_.now();
  }

 private:
  void serialize(core::EventId index) {
    Writer& writer = writers_[index];
    if (writer.left == 0) return;
    writer.piece = std::min(writer.left, writer.piece_limit);
    writer.left -= writer.piece;
    const core::Duration time = core::DataSize::from_base(static_cast<double>(writer.piece)) /
                                format_.serialization_rate.value;
    engine_.schedule(engine_.now() + core::ticks_at_or_after<RunTime>(time), 2 * index);
  }

  const models::CheckpointFormat& format_;
  core::Engine<RunTime> engine_;
  std::vector<Writer> writers_;
};

}  // namespace

CheckpointResult simulate_checkpoint(const CheckedScenario& checked, const core::Fabric& fabric) {
  const Scenario& scenario = checked.scenario;
  const auto& storage = *scenario.cluster.storage;
  const auto& format = scenario.software.checkpoint;
  WriteLoad load;
  const core::Duration writing = CheckpointSimulation(checked, fabric).run(load).duration();

  CheckpointResult result;
  result.bytes = models::checkpoint_bytes(scenario.workload, format);
  result.num_files = checked.layout.tp * checked.layout.pp;
  const auto size = core::DataSize::from_base(static_cast<double>(result.bytes));
  const core::Duration sustained = models::sustained_write_time(size, storage.node, storage.count);
  result.time = std::max(writing, sustained);
  result.mean_write = size / result.time;
  result.peak_write = load.peak();
  // Without any storage limit a writer would be exactly this fast.
  const core::Duration unlimited =
      size / static_cast<double>(result.num_files) / format.writer_rate.value +
      size / static_cast<double>(result.num_files) / format.serialization_rate.value;
  result.writers_limit = result.time <= unlimited * 1.01;
  return result;
}

RunResult simulate_run(const CheckedScenario& checked, const core::Fabric& fabric,
                       core::Duration step_time) {
  const Scenario& scenario = checked.scenario;
  const models::Training& training = scenario.workload;
  RunResult result;
  if (scenario.cluster.storage) result.checkpoint = simulate_checkpoint(checked, fabric);
  const std::int64_t interval = scenario.checkpoint.interval_steps;
  result.num_checkpoints = interval > 0 ? training.steps / interval : 0;
  result.training_time = step_time * static_cast<double>(training.steps) +
                         result.checkpoint.time * static_cast<double>(result.num_checkpoints);
  // The first stage reads inputs and the last one labels; one tensor rank reads and broadcasts.
  const double num_readers = checked.layout.pp > 1 ? 2.0 : 1.0;
  result.peak_read = models::data_per_step(training) * num_readers / step_time;
  return result;
}

}  // namespace railwright::planner
