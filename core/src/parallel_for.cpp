// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "railwright/core/stop.hpp"
#include "railwright/core/threads.hpp"

namespace railwright::core {

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

}  // namespace railwright::core
