// SPDX-License-Identifier: Apache-2.0
// Answers of the what-if page's questions, texts in and texts out.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::web {

/// What a question is answered with.
struct Reply {
  int status = 200;
  std::string json;
};

/// Questions under way: one of each page, the newest. The one before is told to stop, and so is one
/// that takes too long.
class Turns {
 public:
  explicit Turns(std::chrono::milliseconds longest);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns();

  using Flag = std::shared_ptr<std::atomic<bool>>;
  /// Set when it should stop; null where a newer one of this page has come before it.
  Flag begin(const std::string& page, std::int64_t turn);
  void end(const Flag& flag);
  /// Whether `flag` was set for its age.
  [[nodiscard]] bool took_too_long(const Flag& flag);
  /// All of them, now and from now on.
  void stop();

 private:
  struct Page {
    std::int64_t newest = -1;
    Flag flag;
    std::int64_t seen = 0;  ///< counts up with every question, of any page
  };
  struct Work {
    Flag flag;
    std::chrono::steady_clock::time_point deadline;
    bool is_late = false;
  };

  void watch(const std::stop_token& end);

  std::chrono::milliseconds longest_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Page> pages_;
  std::vector<Work> work_;
  std::int64_t num_questions_ = 0;
  bool is_stopped_ = false;
  std::jthread watcher_;
};

class WhatIfService {
 public:
  /// The scenario in one piece, as planner::in_one_piece makes it.
  WhatIfService(const core::Node& scenario, core::Catalogue catalogue);

  /// What the page starts from.
  [[nodiscard]] const std::string& form() const { return form_; }
  /// Of a scenario with changes; any number at the same time.
  Reply answer(std::string_view question);
  /// The same as a scenario file.
  Reply file(std::string_view question);
  /// Ends what is under way.
  void stop() { turns_.stop(); }

 private:
  core::Catalogue catalogue_;
  std::string form_;
  Turns turns_;
};

}  // namespace railwright::web
