// SPDX-License-Identifier: Apache-2.0
#include "engine_run.hpp"

#include "processor_time.hpp"
#include "railwright/core/sim/engine.hpp"

namespace railwright::workloads {

namespace {

using core::EventId;
using core::StepTime;

/// One pass over the transfers: those that are due are started, the next one is waited for.
class Pass {
 public:
  Pass(core::Engine<StepTime>& engine, const TwoTier& fabric, const Workload& workload)
      : engine_(engine), fabric_(fabric), transfers_(workload.transfers), begin_(engine.now()) {
    start_due();
  }

  void run() {
    EventId event = 0;
    while (num_ended_ < transfers_.size() && engine_.next(event)) {
      if (event == kArrival) {
        start_due();
      } else {
        ++num_ended_;
      }
    }
  }

 private:
  static constexpr EventId kArrival = 1;
  static constexpr EventId kEnd = 0;

  [[nodiscard]] StepTime start_of(const Transfer& transfer) const {
    if (transfer.start_s == 0.0) return begin_;
    return begin_ + core::ticks_at_or_after<StepTime>(core::Duration::from_base(transfer.start_s));
  }

  void start_due() {
    std::array<core::LinkUse, 4> uses{};
    for (; num_started_ < transfers_.size(); ++num_started_) {
      const Transfer& transfer = transfers_[num_started_];
      if (const StepTime start = start_of(transfer); start > engine_.now()) {
        engine_.schedule(start, kArrival);
        return;
      }
      engine_.start(
          {.route = fabric_.route(transfer.from, transfer.to, uses), .size = transfer.size}, kEnd);
    }
  }

  core::Engine<StepTime>& engine_;
  const TwoTier& fabric_;
  std::span<const Transfer> transfers_;
  StepTime begin_;
  std::size_t num_started_ = 0;
  std::size_t num_ended_ = 0;
};

}  // namespace

EngineRun run_engine(const Workload& workload) {
  const TwoTier fabric(workload.num_hosts);
  core::Engine<StepTime> engine;
  for (int l = 0; l < fabric.num_links(); ++l) {
    engine.network().add_link(TwoTier::kBytesPerSecond);
  }
  EngineRun result;
  const double begin = processor_seconds();
  for (int step = 0; step < workload.num_steps; ++step) Pass(engine, fabric, workload).run();
  result.seconds = processor_seconds() - begin;
  result.simulated_s = engine.now().duration().base();
  result.num_touches = engine.network().num_touches();
  return result;
}

}  // namespace railwright::workloads
