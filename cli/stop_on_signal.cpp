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
  sigaction(SIGINT, &action, &before_int_);
  sigaction(SIGTERM, &action, &before_term_);
}

StopOnSignal::~StopOnSignal() {
  sigaction(SIGINT, &before_int_, nullptr);
  sigaction(SIGTERM, &before_term_, nullptr);
}

const std::atomic<bool>& StopOnSignal::flag() { return stop_asked; }

}  // namespace railwright::cli
