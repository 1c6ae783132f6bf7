// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/threads.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace railwright::core {

namespace {

thread_local int current = 0;

}  // namespace

ThreadsScope::ThreadsScope(int num_threads) : before_(std::exchange(current, num_threads)) {}

ThreadsScope::~ThreadsScope() { current = before_; }

int default_num_threads() {
  if (current > 0) return current;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace railwright::core
