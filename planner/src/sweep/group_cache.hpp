// SPDX-License-Identifier: Apache-2.0
// Grounds that were asked for last, each made once however many threads want it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "sweep_group.hpp"

namespace railwright::planner {

class GroundCache {
 public:
  explicit GroundCache(const SweepBase& base) : base_(base) {}

  std::shared_ptr<SweepGround> at(std::int64_t ground);

 private:
  struct Slot {
    std::mutex making;
    std::shared_ptr<SweepGround> made;
    std::int64_t weight = 1;
    std::uint64_t last_asked = 0;
  };

  void drop_oldest();

  /// Accelerators of all fabrics that are kept: tens of megabytes.
  static constexpr std::int64_t kMaxWeight = 32'768;

  SweepBase base_;
  std::mutex mutex_;
  std::uint64_t num_asked_ = 0;
  std::map<std::int64_t, std::shared_ptr<Slot>> slots_;
};

}  // namespace railwright::planner
