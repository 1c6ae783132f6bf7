// SPDX-License-Identifier: Apache-2.0
// Answers to the questions of the what-if page, as JSON text.
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
#include "railwright/planner/search/automatic_division.hpp"
#include "railwright/web/html/shipped_examples.hpp"

namespace railwright::web {

/// The answer to a question.
struct Reply {
  int status = 200;
  std::string json;
};

/// The questions being answered: the newest of each page. An older one is asked to stop, and so is
/// one that takes too long.
class Turns {
 public:
  explicit Turns(std::chrono::milliseconds longest);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  ~Turns();

  using Flag = std::shared_ptr<std::atomic<bool>>;
  /// Returns a flag that is set when the question should stop; null if this page has already asked
  /// a newer one, or after stop().
  Flag begin(const std::string& page, std::int64_t turn);
  void end(const Flag& flag);
  /// Whether `flag` was set because the question took too long.
  [[nodiscard]] bool took_too_long(const Flag& flag);
  /// Stops all current questions and refuses new ones.
  void stop();

 private:
  struct Page {
    std::int64_t newest = -1;
    Flag flag;
    std::int64_t seen = 0;  ///< number of the page's last question, counted over all pages
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
  /// Takes a scenario that planner::in_one_piece made; reports show the version of railwright.
  WhatIfService(const core::Node& scenario, core::Catalogue catalogue, std::string version);

  /// Returns the initial content of the page, as JSON.
  [[nodiscard]] const std::string& form() const { return form_; }
  /// Evaluates a scenario with changes. Thread-safe.
  Reply answer(std::string_view question);
  /// Evaluates many variants of a scenario in closed form, with a short answer to each.
  /// Thread-safe.
  Reply variants(std::string_view question);
  /// Returns a scenario with changes as a scenario file.
  Reply file(std::string_view question);
  /// Returns the report that `railwright simulate --report` writes of a scenario with changes.
  Reply report(std::string_view question);
  /// Sizes a cluster for a goal.
  Reply size(std::string_view question);
  /// Returns the examples that the page offers.
  [[nodiscard]] const std::vector<ShippedExample>& examples() const { return examples_; }
  /// Stops the questions being answered.
  void stop() { turns_.stop(); }

 private:
  template <class Question, class Work>
  Reply in_turn(const Question& question, const Work& work);

  core::Catalogue catalogue_;
  std::string version_;
  std::vector<ShippedExample> examples_;
  planner::Divisions divisions_;
  std::string form_;
  Turns turns_;
};

}  // namespace railwright::web
