// SPDX-License-Identifier: Apache-2.0
#include "stop_on_signal.hpp"

namespace railwright::cli {

namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

StopOnSignal::StopOnSignal() {
  struct sigaction action{};
  action.sa_handler = [](int) { stop_asked = true; };
  action.sa_flags = SA_RESETHAND;
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
  // nohup makes SIGHUP ignored, and it stays so.
  if (before_.back().sa_handler == SIG_IGN) sigaction(SIGHUP, &before_.back(), nullptr);
}

StopOnSignal::~StopOnSignal() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

const std::atomic<bool>& StopOnSignal::flag() { return stop_asked; }

}  // namespace railwright::cli
