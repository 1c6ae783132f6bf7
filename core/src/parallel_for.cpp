// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "railwright/core/stop.hpp"

namespace railwright::core {

namespace {

thread_local int current_num_threads = 0;

}  // namespace

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& work,
                  int num_threads) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next{0};
  const int of_caller = default_num_threads();
  const int wanted = num_threads > 0 ? num_threads : of_caller;
  const auto run = [&, stop = stop_flag()] {
    const StopScope scope_of_stop(stop);
    const ThreadsScope scope_of_threads(of_caller);
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        check_stop();
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min(count, static_cast<std::size_t>(wanted)); ++i) {
      threads.emplace_back(run);
    }
    run();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

ThreadsScope::ThreadsScope(int num_threads)
    : before_(std::exchange(current_num_threads, num_threads)) {}

ThreadsScope::~ThreadsScope() { current_num_threads = before_; }

int default_num_threads() {
  if (current_num_threads > 0) return current_num_threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace railwright::core
