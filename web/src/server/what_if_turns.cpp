// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "railwright/web/server/what_if_service.hpp"

namespace railwright::web {

namespace {

constexpr std::size_t kMaxPages = 64;

}  // namespace

Turns::Turns(std::chrono::milliseconds longest)
    : longest_(longest), watcher_([this](const std::stop_token& end) { watch(end); }) {}

Turns::~Turns() {
  stop();
  watcher_.request_stop();
}

Turns::Flag Turns::begin(const std::string& page, std::int64_t turn) {
  const std::lock_guard lock(mutex_);
  if (is_stopped_) return nullptr;
  if (!pages_.contains(page) && pages_.size() == kMaxPages) {
    pages_.erase(
        std::ranges::min_element(pages_, {}, [](const auto& known) { return known.second.seen; }));
  }
  Page& known = pages_[page];
  if (turn <= known.newest) return nullptr;
  if (known.flag) *known.flag = true;
  known = {
      .newest = turn, .flag = std::make_shared<std::atomic<bool>>(false), .seen = ++num_questions_};
  work_.push_back({known.flag, std::chrono::steady_clock::now() + longest_});
  changed_.notify_all();
  return known.flag;
}

void Turns::end(const Flag& flag) {
  const std::lock_guard lock(mutex_);
  std::erase_if(work_, [&](const Work& work) { return work.flag == flag; });
}

bool Turns::took_too_long(const Flag& flag) {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(work_,
                             [&](const Work& work) { return work.flag == flag && work.is_late; });
}

void Turns::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  for (const Work& work : work_) *work.flag = true;
}

void Turns::watch(const std::stop_token& end) {
  constexpr std::chrono::milliseconds kBetweenLooks{100};
  std::unique_lock lock(mutex_);
  while (!end.stop_requested()) {
    if (work_.empty()) {
      changed_.wait(lock, end, [this] { return !work_.empty(); });
    } else {
      changed_.wait_for(lock, end, kBetweenLooks, [] { return false; });
    }
    const auto now = std::chrono::steady_clock::now();
    for (Work& work : work_) {
      if (now < work.deadline) continue;
      work.is_late = true;
      *work.flag = true;
    }
  }
}

}  // namespace railwright::web
