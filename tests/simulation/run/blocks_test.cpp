// SPDX-License-Identifier: Apache-2.0
// A block of steps as one flow, beside the same steps one by one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "railwright/core/sim/engine.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

const std::string kImages =
    "workload={model: resnet-50, global_batch: 3200, micro_batch: 100, steps: 200, "
    "bytes_per_image: 71875000}";

/// Images that jobs on four nodes each read, step by step, from storage that is too slow for all;
/// `more` differs between them.
test::Settings reader(const test::Settings& more) {
  return test::join({kImages, "parallelism={}", "cluster.nodes=4",
                     "cluster.storage.node.read_rate={value: 10 GB/s, source: test}"},
                    more);
}

struct Timed {
  double step_time = 0.0;
  double start = 0.0;
};

/// Training times of the jobs on one storage, each with a step time and a start of its own.
std::vector<double> as_blocks(const std::vector<Timed>& jobs, const test::Settings& more = {}) {
  const test::BuiltScenario built(reader(more));
  std::vector<RunJob> run;
  for (const Timed& job : jobs) {
    run.push_back({.checked = &built.checked,
                   .step_time = core::Duration::from_base(job.step_time),
                   .start = core::Duration::from_base(job.start),
                   .first_node = 0});
  }
  const RunResult result =
      simulate_run(run, built.built.fabric, built.checked.scenario.run, {.num_threads = 1});
  std::vector<double> times;
  for (const JobRun& job : result.jobs) times.push_back(job.training_time().base());
  return times;
}

/// Every read and every step an event: a job reads the samples of `prefetch` steps ahead, one
/// step's at a time, and a step starts when its samples are there and the one before it is done.
class StepByStep {
 public:
  /// Alone a job reads the samples of a step in `read_seconds`.
  StepByStep(const std::vector<Timed>& jobs, double read_seconds, int num_steps, int prefetch)
      : jobs_(jobs.size()), num_steps_(num_steps), prefetch_(prefetch) {
    use_ = {engine_.network().add_link(1.0), read_seconds / kBytes};
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      jobs_[j].step_time = jobs[j].step_time;
      jobs_[j].start = jobs[j].start;
      engine_.schedule(at(jobs[j].start), static_cast<core::EventId>(3 * j));
    }
  }

  std::vector<double> run() {
    core::EventId event = 0;
    while (engine_.next(event)) {
      Job& job = jobs_[event / 3];
      if (event % 3 == 1) {
        job.is_reading = false;
        ++job.num_read;
      } else if (event % 3 == 2) {
        job.is_computing = false;
        ++job.num_done;
        job.end = engine_.now().duration().base();
      }
      go_on(event / 3);
    }
    std::vector<double> times;
    for (const Job& job : jobs_) times.push_back(job.end - job.start);
    return times;
  }

 private:
  static constexpr std::int64_t kBytes = 1'000'000'000;
  struct Job {
    double step_time = 0.0;
    double start = 0.0;
    double end = 0.0;
    int num_read = 0;
    int num_done = 0;
    bool is_reading = false;
    bool is_computing = false;
  };

  static core::RunTime at(double seconds) {
    return core::ticks_at_or_after<core::RunTime>(core::Duration::from_base(seconds));
  }

  void go_on(std::size_t j) {
    Job& job = jobs_[j];
    if (!job.is_reading && job.num_read < num_steps_ && job.num_read <= job.num_done + prefetch_) {
      job.is_reading = true;
      engine_.start({.route = std::span(&use_, 1), .size = kBytes},
                    static_cast<core::EventId>(3 * j + 1));
    }
    if (!job.is_computing && job.num_done < job.num_read) {
      job.is_computing = true;
      engine_.schedule(engine_.now() + at(job.step_time), static_cast<core::EventId>(3 * j + 2));
    }
  }

  core::Engine<core::RunTime> engine_;
  core::LinkUse use_;
  std::vector<Job> jobs_;
  int num_steps_;
  int prefetch_;
};

constexpr int kNumSteps = 200;

/// What a job alone takes to read the samples of a step, its steps taking no time.
double read_seconds() { return as_blocks({{.step_time = 1e-3, .start = 0.0}}).front() / kNumSteps; }

/// Jobs that wait for storage all the time, now and then, and never; alone, and meeting others that
/// come later and leave earlier.
TEST(BlockOfSteps, TakesAsLongAsItsStepsEventByEvent) {
  const double read = read_seconds();
  ASSERT_GT(read, 1.0);
  const std::array<std::vector<Timed>, 5> meetings{
      {{{0.5 * read, 0.0}, {0.5 * read, 0.0}},
       {{0.5 * read, 0.0}, {3.0 * read, 20.0 * read}},
       {{1.5 * read, 0.0}, {1.5 * read, 31.7 * read}},
       {{4.0 * read, 0.0}, {4.0 * read, 10.0 * read}},
       {{0.1 * read, 0.0}, {2.5 * read, 5.0 * read}, {3.5 * read, 40.0 * read}}}};
  constexpr int kPrefetch = 2;
  for (const std::vector<Timed>& jobs : meetings) {
    const std::vector<double> blocks = as_blocks(jobs);
    const std::vector<double> steps = StepByStep(jobs, read, kNumSteps, kPrefetch).run();
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      // The first read is not hidden, and what is read ahead bridges a few steps.
      const double slack = (kPrefetch + 2) * std::max(jobs[j].step_time, 3.0 * read);
      EXPECT_NEAR(blocks[j], steps[j], slack) << "job " << j << " of " << jobs.size();
      EXPECT_NEAR(blocks[j] / steps[j], 1.0, 0.02) << "job " << j << " of " << jobs.size();
    }
  }
}

/// A block that ends behind every step gives the same times, but for a tick each.
TEST(BlockOfSteps, MayEndBehindAnyStep) {
  const double read = read_seconds();
  const std::vector<Timed> jobs{{0.5 * read, 0.0}, {1.5 * read, 31.7 * read}};
  const std::vector<double> whole = as_blocks(jobs);
  const std::vector<double> single = as_blocks(jobs, {"run.evaluation_interval_steps=1"});
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    EXPECT_NEAR(whole[j], single[j], 2e-9 * kNumSteps) << j;
  }
}

}  // namespace
}  // namespace railwright::simulation
