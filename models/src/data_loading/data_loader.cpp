// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/data_loading/data_loader.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "railwright/core/sim/random.hpp"

namespace railwright::models {

namespace {

/// Limit of the draws of all readers together, which sets the number of steps.
constexpr std::size_t kNumDraws = std::size_t{1} << 18U;
constexpr std::size_t kMinSteps = 128;
constexpr std::size_t kMaxSteps = 16384;

/// Draws exponential values and scales them so that their mean is exactly 1.
std::vector<double> exponentials(std::size_t count, std::uint64_t seed, std::uint64_t stream) {
  core::RandomStream random(seed, stream);
  std::vector<double> values(count);
  double sum = 0.0;
  for (double& value : values) sum += value = random.exponential(1.0);
  for (double& value : values) value *= static_cast<double>(count) / sum;
  return values;
}

/// One reader's workers and queue, processed batch by batch.
class Reader {
 public:
  Reader(const DataLoader& loader, std::size_t num_steps, std::uint64_t seed, std::uint64_t stream)
      : loader_(loader),
        work_(exponentials(num_steps, seed, 2 * stream)),
        hand_over_(exponentials(num_steps, seed, 2 * stream + 1)),
        free_(std::min(static_cast<std::size_t>(loader.num_workers), num_steps)),
        taken_(num_steps) {}

  /// Returns the time when batch `k` has been handed over, if training is ready for it at `wanted`.
  double handed_over(std::size_t k, double wanted) {
    ready_ = std::max(ready_, finished(k, wanted));
    taken_[k] = std::max(wanted, ready_);
    return taken_[k] + time(loader_.hand_over_seconds, hand_over_[k]);
  }

 private:
  [[nodiscard]] double time(double mean, double draw) const {
    return mean * (1.0 + loader_.jitter * (draw - 1.0));
  }

  /// Returns the time when batch `k` is read. The queue is full at first, so the first `prefetch`
  /// batches cost nothing. `free_` is a heap of the times at which workers are free, the earliest
  /// on top.
  double finished(std::size_t k, double wanted) {
    if (loader_.prefetch == 0) {
      return wanted + time(loader_.batch_seconds, work_[k]) / loader_.num_workers;
    }
    const auto ahead = static_cast<std::size_t>(loader_.prefetch) + free_.size();
    if (k < static_cast<std::size_t>(loader_.prefetch)) return 0.0;
    std::ranges::pop_heap(free_, std::greater{});
    double& worker = free_.back();
    if (k >= ahead) worker = std::max(worker, taken_[k - ahead]);
    worker += time(loader_.batch_seconds, work_[k]);
    const double end = worker;
    std::ranges::push_heap(free_, std::greater{});
    return end;
  }

  const DataLoader& loader_;
  std::vector<double> work_;
  std::vector<double> hand_over_;
  std::vector<double> free_;
  std::vector<double> taken_;  // when batches left the queue
  double ready_ = 0.0;         // when the last batch in order was ready
};

}  // namespace

double slowest_over_mean(const DataLoader& loader) {
  double harmonic = 0.0;
  for (int i = loader.num_readers; i >= 1; --i) harmonic += 1.0 / i;
  return 1.0 + loader.jitter * (harmonic - 1.0);
}

double step_period(const DataLoader& loader, double step_seconds, std::uint64_t seed) {
  const double by_workers = loader.batch_seconds / loader.num_workers;
  const bool waits_for_own = loader.prefetch == 0;
  if (loader.jitter == 0.0) {
    const double busy = step_seconds + loader.hand_over_seconds;
    return waits_for_own ? busy + by_workers : std::max(busy, by_workers);
  }
  const auto num_readers = static_cast<std::size_t>(loader.num_readers);
  const std::size_t num_steps = std::clamp(kNumDraws / num_readers, kMinSteps, kMaxSteps);
  std::vector<Reader> readers;
  readers.reserve(num_readers);
  for (std::size_t i = 0; i < num_readers; ++i) readers.emplace_back(loader, num_steps, seed, i);
  double end = 0.0;
  for (std::size_t k = 0; k < num_steps; ++k) {
    double begin = 0.0;
    for (Reader& reader : readers) begin = std::max(begin, reader.handed_over(k, end));
    end = begin + step_seconds;
  }
  // Queues that were full at first hide work that they no longer hold at the end.
  const double period = end / static_cast<double>(num_steps);
  return waits_for_own ? period : std::max(period, by_workers);
}

double first_batch_seconds(const DataLoader& loader) {
  return loader.prefetch == 0 ? 0.0 : loader.batch_seconds * slowest_over_mean(loader);
}

}  // namespace railwright::models
