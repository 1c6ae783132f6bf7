// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/server/what_if_service.hpp"

#include <malloc.h>

#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/core/stop.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/web/what_if/what_if.hpp"
#include "railwright/web/what_if/what_if_question.hpp"

namespace railwright::web {

namespace {

/// Longest time of an answer; the command line has no limit.
constexpr std::chrono::seconds kLongest{60};

constexpr const char* kSuperseded = R"({"kind": "superseded"})";

Reply problem(std::string message, std::string hint = {}) {
  return {.json = web::problems_json({{{}, "", std::move(message), std::move(hint)}})};
}

/// Returns the reply of `work`, or one that explains its failure.
template <class Work>
Reply guarded(const Work& work) {
  try {
    return work();
  } catch (const web::QuestionError& error) {
    return {.status = 400, .json = problem(error.what()).json};
  } catch (const core::ConfigError& error) {
    return {.json = web::problems_json(error.diagnostics())};
  } catch (const core::Error& error) {  // only values far beyond any hardware cause this
    return problem(error.what());
  } catch (const std::bad_alloc&) {
    return problem("this takes more memory than there is");
  }
}

/// Holds a turn for the time of its work.
class Turn {
 public:
  Turn(Turns& turns, const web::WhatIfQuestion& question)
      : turns_(turns), flag_(turns.begin(question.page, question.turn)) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (flag_) turns_.end(flag_);
  }

  [[nodiscard]] const std::atomic<bool>* flag() const { return flag_.get(); }
  [[nodiscard]] bool took_too_long() const { return turns_.took_too_long(flag_); }

 private:
  Turns& turns_;
  Turns::Flag flag_;
};

/// Returns the scenario as it is answered; with its own division if there is no answer.
core::Node tree_of(const WhatIfQuestion& question, const core::Catalogue& catalogue,
                   planner::Divisions& divisions) {
  core::Node tree = planner::with_changes(question.scenario, question.settings);
  if (question.division == planner::DivisionChoice::kOwn) return tree;
  try {
    return planner::what_if(question.scenario, question.settings, catalogue, divisions,
                            {.division = question.division, .kept = question.kept})
        .tree;
  } catch (const core::ConfigError&) {
    return tree;
  }
}

}  // namespace

WhatIfService::WhatIfService(const core::Node& scenario, core::Catalogue catalogue)
    : catalogue_(std::move(catalogue)),
      form_(web::what_if_form(scenario, catalogue_)),
      turns_(kLongest) {}

Reply WhatIfService::answer(std::string_view json) {
  return guarded([&]() -> Reply {
    const web::WhatIfQuestion question = web::read_what_if(json);
    const Turn turn(turns_, question);
    if (turn.flag() == nullptr) return {.json = kSuperseded};
    try {
      const core::StopScope stop(turn.flag());
      return {
          .json = web::to_json(planner::what_if(
              question.scenario, question.settings, catalogue_, divisions_,
              {.method = question.method, .division = question.division, .kept = question.kept}))};
    } catch (const core::Interrupted&) {
      malloc_trim(0);  // returns its memory to the system
      if (!turn.took_too_long()) return {.json = kSuperseded};
      return problem("takes longer than a minute",
                     "`railwright simulate` takes the time it needs: download the scenario");
    }
  });
}

Reply WhatIfService::file(std::string_view json) {
  return guarded([&]() -> Reply {
    const web::WhatIfQuestion question = web::read_what_if(json);
    return {.json = web::file_json(tree_of(question, catalogue_, divisions_),
                                   "railwright simulate FILE")};
  });
}

}  // namespace railwright::web
