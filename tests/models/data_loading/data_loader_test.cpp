// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/data_loading/data_loader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <queue>
#include <random>
#include <set>
#include <vector>

namespace railwright::models {
namespace {

/// The same readers event by event, as PyTorch's loader works: `prefetch + num_workers` batches are
/// out at a time, an idle worker takes the next one, and training takes them in order.
class EventByEvent {
 public:
  EventByEvent(const DataLoader& loader, double step_seconds)
      : loader_(loader),
        step_seconds_(step_seconds),
        readers_(static_cast<std::size_t>(loader.num_readers)) {}

  /// Mean of `num_steps` steps, after a tenth of them.
  double period(int num_steps) {
    for (std::size_t r = 0; r < readers_.size(); ++r) {
      readers_[r].idle = loader_.num_workers;
      start_workers(r, 0.0);
    }
    double began = 0.0;
    while (num_ended_ < num_steps) {
      const Event event = events_.top();
      events_.pop();
      if (num_ended_ == num_steps / 10) began = event.time;
      handle(event);
    }
    return (ended_ - began) / (num_steps - num_steps / 10);
  }

 private:
  enum class Kind { kBatchDone, kHandedOver, kStepEnd };
  struct Event {
    double time;
    Kind kind;
    std::size_t reader;
    int batch;
    bool operator>(const Event& other) const { return time > other.time; }
  };
  struct Reader {
    int idle = 0;
    int next_batch = 0;
    int num_taken = 0;
    bool is_waited_for = true;
    std::set<int> ready;
  };

  double drawn(double mean) {
    return mean * (1.0 - loader_.jitter +
                   loader_.jitter * std::exponential_distribution<double>(1.0)(random_));
  }

  void start_workers(std::size_t r, double now) {
    Reader& reader = readers_[r];
    while (reader.idle > 0 &&
           reader.next_batch - reader.num_taken < loader_.prefetch + loader_.num_workers) {
      --reader.idle;
      events_.push({now + drawn(loader_.batch_seconds), Kind::kBatchDone, r, reader.next_batch++});
    }
  }

  void take(std::size_t r, double now) {
    Reader& reader = readers_[r];
    if (!reader.is_waited_for || reader.ready.erase(reader.num_taken) == 0) return;
    ++reader.num_taken;
    reader.is_waited_for = false;
    events_.push({now + drawn(loader_.hand_over_seconds), Kind::kHandedOver, r, 0});
    start_workers(r, now);
  }

  void handle(const Event& event) {
    if (event.kind == Kind::kBatchDone) {
      readers_[event.reader].ready.insert(event.batch);
      ++readers_[event.reader].idle;
      start_workers(event.reader, event.time);
      take(event.reader, event.time);
    } else if (event.kind == Kind::kHandedOver) {
      if (++num_handed_over_ < loader_.num_readers) return;
      num_handed_over_ = 0;
      events_.push({event.time + step_seconds_, Kind::kStepEnd, 0, 0});
    } else {
      ++num_ended_;
      ended_ = event.time;
      for (std::size_t r = 0; r < readers_.size(); ++r) {
        readers_[r].is_waited_for = true;
        take(r, event.time);
      }
    }
  }

  DataLoader loader_;
  double step_seconds_;
  std::vector<Reader> readers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::mt19937_64 random_{7};
  int num_handed_over_ = 0;
  int num_ended_ = 0;
  double ended_ = 0.0;
};

constexpr double kStep = 1.0;

/// Loads of the workers from a fifth of what they manage to a fifth more.
std::vector<DataLoader> loaders() {
  std::vector<DataLoader> all;
  for (const int num_readers : {1, 16}) {
    for (const int num_workers : {1, 4}) {
      for (const int prefetch : {1, 8}) {
        for (const double load : {0.3, 0.9, 1.2}) {
          for (const double jitter : {0.3, 1.0}) {
            all.push_back({.num_readers = num_readers,
                           .num_workers = num_workers,
                           .prefetch = prefetch,
                           .batch_seconds = load * num_workers,
                           .hand_over_seconds = 0.05,
                           .jitter = jitter});
          }
        }
      }
    }
  }
  return all;
}

TEST(DataLoader, TakesAsLongAsEventByEvent) {
  double sum = 0.0;
  const std::vector<DataLoader> all = loaders();
  for (const DataLoader& loader : all) {
    const double truth = EventByEvent(loader, kStep).period(800'000 / (19 + loader.num_readers));
    const double error = std::abs(step_period(loader, kStep, 1) / truth - 1.0);
    sum += error;
    EXPECT_LT(error, 0.02) << loader.num_readers << " readers, " << loader.num_workers
                           << " workers, " << loader.prefetch << " ahead, " << loader.batch_seconds
                           << " s, jitter " << loader.jitter;
  }
  EXPECT_LT(sum / static_cast<double>(all.size()), 0.005);
}

TEST(DataLoader, WithoutJitterIsTheLongerOfStepAndWorkers) {
  const DataLoader loader{.num_readers = 16,
                          .num_workers = 4,
                          .prefetch = 2,
                          .batch_seconds = 2.0,
                          .hand_over_seconds = 0.1};
  EXPECT_DOUBLE_EQ(step_period(loader, 1.0, 1), 1.1);
  EXPECT_DOUBLE_EQ(step_period(loader, 0.25, 1), 0.5);
  DataLoader without_queue = loader;
  without_queue.prefetch = 0;
  EXPECT_DOUBLE_EQ(step_period(without_queue, 1.0, 1), 1.6);
}

/// Workers that never bind leave the slowest of n hand-overs: h * (1 + jitter * (H_n - 1)).
TEST(DataLoader, AStepWaitsForTheSlowestHandOver) {
  DataLoader loader{
      .num_readers = 4, .num_workers = 8, .prefetch = 4, .hand_over_seconds = 0.1, .jitter = 0.5};
  const double harmonic = 1.0 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4;
  EXPECT_DOUBLE_EQ(slowest_over_mean(loader), 1.0 + 0.5 * (harmonic - 1.0));
  EXPECT_NEAR(step_period(loader, 1.0, 1), 1.0 + 0.1 * slowest_over_mean(loader), 1e-3);
  loader.num_readers = 1;
  EXPECT_NEAR(step_period(loader, 1.0, 1), 1.1, 1e-9);
}

TEST(DataLoader, TheFirstBatchIsReadByOneWorker) {
  DataLoader loader{.num_readers = 2, .num_workers = 8, .prefetch = 1, .batch_seconds = 3.0};
  EXPECT_DOUBLE_EQ(first_batch_seconds(loader), 3.0);
  loader.jitter = 1.0;
  EXPECT_DOUBLE_EQ(first_batch_seconds(loader), 4.5);
  loader.prefetch = 0;
  EXPECT_DOUBLE_EQ(first_batch_seconds(loader), 0.0);
}

/// The draws are the same, so a better loader is never slower, not even by chance.
TEST(DataLoader, NothingThatHelpsMakesStepsLonger) {
  const std::vector<DataLoader> all = loaders();
  for (std::size_t i = 0; i < all.size(); i += 3) {
    const DataLoader& loader = all[i];
    const double period = step_period(loader, kStep, 3);
    const auto with = [&](auto change) {
      DataLoader better = loader;
      change(better);
      return step_period(better, kStep, 3);
    };
    constexpr double kRounding = 1.0 + 1e-12;
    EXPECT_LE(with([](DataLoader& l) { ++l.num_workers; }), period * kRounding);
    EXPECT_LE(with([](DataLoader& l) { l.num_workers *= 8; }), period * kRounding);
    EXPECT_LE(with([](DataLoader& l) { ++l.prefetch; }), period * kRounding);
    EXPECT_LE(with([](DataLoader& l) { l.prefetch = 100'000; }), period * kRounding);
    EXPECT_LE(with([](DataLoader& l) { l.batch_seconds *= 0.99; }), period * kRounding);
    EXPECT_LE(with([](DataLoader& l) { l.hand_over_seconds *= 0.9; }), period * kRounding);
    EXPECT_LE(with([](DataLoader& l) { l.jitter *= 0.9; }), period * kRounding);
    EXPECT_LE(with([](DataLoader& l) { l.jitter = 0.0; }), period * kRounding);
    EXPECT_LE(step_period(loader, 0.9 * kStep, 3), period * kRounding);
    EXPECT_GE(period * kRounding, kStep + loader.hand_over_seconds);
    EXPECT_GE(with([](DataLoader& l) { l.prefetch = 0; }), period);
  }
}

}  // namespace
}  // namespace railwright::models
