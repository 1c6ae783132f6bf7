// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/stop.hpp"

#include <utility>

namespace railwright::core {

namespace {

thread_local const std::atomic<bool>* current = nullptr;

}  // namespace

StopScope::StopScope(const std::atomic<bool>* flag) : before_(std::exchange(current, flag)) {}

StopScope::~StopScope() { current = before_; }

const std::atomic<bool>* stop_flag() { return current; }

void check_stop() {
  if (current != nullptr && *current) throw Interrupted();
}

}  // namespace railwright::core
