// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/server/what_if_service.hpp"

#include <malloc.h>

#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/core/stop.hpp"
#include "railwright/output/html/html_report.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/planner/what_if/what_if.hpp"
#include "railwright/web/goal/goal.hpp"
#include "railwright/web/what_if/what_if.hpp"
#include "railwright/web/what_if/what_if_question.hpp"
#include "railwright/workloads/simulate_any.hpp"

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
  Turn(Turns& turns, const std::string& page, std::int64_t turn)
      : turns_(turns), flag_(turns.begin(page, turn)) {}
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

planner::WhatIfOptions options_of(const WhatIfVariant& variant, simulation::Method method) {
  return {.method = method, .division = variant.division, .kept = variant.kept};
}

/// Returns the scenario as it is answered; with its own division if there is no answer.
core::Node tree_of(const WhatIfQuestion& question, const core::Catalogue& catalogue,
                   planner::Divisions& divisions) {
  const WhatIfVariant& variant = question.variant;
  core::Node tree = planner::with_changes(question.scenario, variant.settings);
  if (variant.division == planner::DivisionChoice::kOwn) return tree;
  try {
    return planner::what_if(question.scenario, variant.settings, catalogue, divisions,
                            options_of(variant, simulation::Method::kEstimate))
        .tree;
  } catch (const core::ConfigError&) {
    return tree;
  }
}

}  // namespace

WhatIfService::WhatIfService(const core::Node& scenario, core::Catalogue catalogue,
                             std::string version)
    : catalogue_(std::move(catalogue)),
      version_(std::move(version)),
      examples_(shipped_examples()),
      form_(web::what_if_form(scenario, catalogue_, examples_)),
      turns_(kLongest) {}

/// Returns the JSON of `work` unless a newer question of its page or the limit of time ends it.
template <class Question, class Work>
Reply WhatIfService::in_turn(const Question& question, const Work& work) {
  const Turn turn(turns_, question.page, question.turn);
  if (turn.flag() == nullptr) return {.json = kSuperseded};
  try {
    const core::StopScope stop(turn.flag());
    return {.json = work()};
  } catch (const core::Interrupted&) {
    malloc_trim(0);  // returns its memory to the system
    if (!turn.took_too_long()) return {.json = kSuperseded};
    return problem("takes longer than a minute", "the command line takes the time it needs");
  }
}

Reply WhatIfService::answer(std::string_view json) {
  return guarded([&]() -> Reply {
    const web::WhatIfQuestion question = web::read_what_if(json);
    return in_turn(question, [&] {
      return web::to_json(
          planner::what_if(question.scenario, question.variant.settings, catalogue_, divisions_,
                           options_of(question.variant, question.method)),
          catalogue_);
    });
  });
}

Reply WhatIfService::variants(std::string_view json) {
  return guarded([&]() -> Reply {
    const web::VariantsQuestion question = web::read_variants(json);
    return in_turn(question, [&] {
      std::vector<planner::VariantOutcome> outcomes;
      for (const web::WhatIfVariant& variant : question.variants) {
        core::check_stop();
        outcomes.push_back(
            planner::variant_outcome(question.scenario, variant.settings, catalogue_, divisions_,
                                     options_of(variant, simulation::Method::kEstimate)));
      }
      return web::to_json(outcomes);
    });
  });
}

Reply WhatIfService::size(std::string_view json) {
  return guarded([&]() -> Reply {
    web::GoalQuestion question = web::read_goal(json);
    return in_turn(question,
                   [&] { return web::goal_json(std::move(question.question), catalogue_); });
  });
}

Reply WhatIfService::file(std::string_view json) {
  return guarded([&]() -> Reply {
    const web::WhatIfQuestion question = web::read_what_if(json);
    return {.json = web::file_json(output::scenario_file(tree_of(question, catalogue_, divisions_),
                                                         "railwright simulate FILE"))};
  });
}

Reply WhatIfService::report(std::string_view json) {
  return guarded([&]() -> Reply {
    output::require_chart_library("the page's report");
    const web::WhatIfQuestion question = web::read_what_if(json);
    return in_turn(question, [&] {
      const core::Node tree = tree_of(question, catalogue_, divisions_);
      const simulation::AnyResult result =
          simulation::simulate(tree, catalogue_, {.method = question.method, .trace = true});
      const std::string date = output::today();
      return web::file_json(
          output::html_report({.verb = "simulate", .version = version_, .date = date},
                              output::report_json(result, nullptr, {tree, catalogue_})));
    });
  });
}

}  // namespace railwright::web
