// SPDX-License-Identifier: Apache-2.0
// Cache of the groups asked for last; threads that ask for the same group make it once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "sweep_group.hpp"

namespace railwright::planner {

class GroupCache {
 public:
  explicit GroupCache(const SweepBase& base) : base_(base) {}

  std::shared_ptr<SweepGroup> at(std::int64_t group);

 private:
  struct Slot {
    std::mutex making;
    std::shared_ptr<SweepGroup> made;
    std::int64_t weight = 1;
    std::uint64_t last_asked = 0;
  };

  void drop_oldest();

  /// Limit on the accelerators in all fabrics kept, which take tens of megabytes.
  static constexpr std::int64_t kMaxWeight = 32'768;

  SweepBase base_;
  std::mutex mutex_;
  std::uint64_t num_asked_ = 0;
  std::map<std::int64_t, std::shared_ptr<Slot>> slots_;
};

}  // namespace railwright::planner
