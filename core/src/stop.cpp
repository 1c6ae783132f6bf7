// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/stop.hpp"

#include <utility>

namespace railwright::core {

namespace {

thread_local const std::atomic<bool>* current_flag = nullptr;

}  // namespace

StopScope::StopScope(const std::atomic<bool>* flag) : before_(std::exchange(current_flag, flag)) {}

StopScope::~StopScope() { current_flag = before_; }

const std::atomic<bool>* stop_flag() { return current_flag; }

void check_stop() {
  if (current_flag != nullptr && *current_flag) throw Interrupted();
}

}  // namespace railwright::core
