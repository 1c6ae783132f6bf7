// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/threads.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace railwright::core {

namespace {

thread_local int current_num_threads = 0;

}  // namespace

ThreadsScope::ThreadsScope(int num_threads)
    : before_(std::exchange(current_num_threads, num_threads)) {}

ThreadsScope::~ThreadsScope() { current_num_threads = before_; }

int default_num_threads() {
  if (current_num_threads > 0) return current_num_threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace railwright::core
