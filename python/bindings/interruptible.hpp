// SPDX-License-Identifier: Apache-2.0
// Long calls that Ctrl-C interrupts and that report progress.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "railwright/core/stop.hpp"

namespace railwright::python {

/// Latest progress of a verb, held until Python's thread polls it.
class Told {
 public:
  void tell(std::string_view what, std::int64_t done, std::int64_t all) {
    const std::lock_guard lock(mutex_);
    news_ = {.what = std::string(what), .done = done, .all = all, .is_new = true};
  }
  /// Calls `callback` with new progress, unless it is None. Requires the GIL.
  void pass_on(const pybind11::object& callback) {
    if (callback.is_none()) return;
    std::unique_lock lock(mutex_);
    const News news = std::exchange(news_, {});
    lock.unlock();
    if (news.is_new) callback(news.what, news.done, news.all);
  }

 private:
  struct News {
    std::string what;
    std::int64_t done = 0;
    std::int64_t all = 0;
    bool is_new = false;
  };

  std::mutex mutex_;
  News news_;
};

/// Runs `work` on another thread without the GIL and returns its result. Meanwhile it polls for
/// signals: Ctrl-C, or an exception of `progress` (a callable or None), sets `stop` and is raised
/// once the work has ended.
template <class Work>
auto interruptibly(Told& told, const pybind11::object& progress, std::atomic<bool>& stop,
                   const Work& work) {
  namespace py = pybind11;
  constexpr std::chrono::milliseconds kBetweenLooks{50};
  stop = false;
  auto job = std::async(std::launch::async, [&] {
    const core::StopScope scope(&stop);
    return work();
  });
  const py::gil_scoped_release no_gil;
  while (job.wait_for(kBetweenLooks) != std::future_status::ready) {
    const py::gil_scoped_acquire gil;
    try {
      told.pass_on(progress);
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (...) {
      stop = true;
      const py::gil_scoped_release again;
      job.wait();
      throw;
    }
  }
  {
    const py::gil_scoped_acquire gil;
    told.pass_on(progress);
  }
  return job.get();
}

/// Runs `work` without progress.
template <class Work>
auto interruptibly(const Work& work) {
  Told told;
  std::atomic<bool> stop = false;
  return interruptibly(told, pybind11::none(), stop, work);
}

}  // namespace railwright::python
