// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/suites/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "baselines.hpp"
#include "kernel_suite.hpp"
#include "railwright/core/units/nearest.hpp"
#include "railwright/planner/size/racks.hpp"
#include "railwright/planner/size/size.hpp"
#include "railwright/simulation/scenario/recipe_keys.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "row_kinds.hpp"
#include "series.hpp"
#include "suite.hpp"
#include "training_facts.hpp"

namespace railwright::validation {

namespace {

/// Returns the share of a step that compute efficiency scales: all but waits for links and
/// overhead.
double compute_share(const simulation::SimulationResult& result) {
  if (!result.feasible()) return 1.0;
  core::Duration of_compute;
  for (const simulation::Cause cause :
       {simulation::Cause::kMatrixProducts, simulation::Cause::kAttention,
        simulation::Cause::kElementwise, simulation::Cause::kOptimizer,
        simulation::Cause::kPipelineBubble}) {
    of_compute += result.breakdown[cause];
  }
  return of_compute / result.step_time;
}

/// Takes the settings of the recipe out of a scenario that names a profile.
void leave_recipe_to_profile(core::Node& tree) {
  core::Node* const software = tree.find("software");
  if (software == nullptr || software->find("model") == nullptr) return;
  std::erase_if(software->entries, [](const core::Entry& one) {
    return std::ranges::find(simulation::kKeysOfRecipe, one.key) != simulation::kKeysOfRecipe.end();
  });
}

/// More memory than any model takes.
constexpr const char* kRoomForAll = "cluster.node.accelerator.memory=1000 TB";

/// Result of a scenario that was run for a claim.
struct Run {
  std::optional<TrainingFacts> training;  ///< only of a training scenario
  std::optional<PredictedStep> step;      ///< only of training that fits
  std::vector<simulation::Output> outputs;
  std::string misfit;                ///< first part of the cluster that cannot be built
  std::vector<std::string> misfits;  ///< all reasons why the design is infeasible
  std::string yaml;
};

class Validator {
 public:
  Validator(Suite suite, core::Location where, const core::Catalogue& catalogue,
            const ValidationOptions& options)
      : catalogue_(catalogue),
        options_(options),
        reader_(&catalogue),
        where_(std::move(where)),
        suite_(std::move(suite)) {}

  ValidationResult run() {
    ValidationResult result{.suite = suite_.name,
                            .cases = {},
                            .summary = {},
                            .skipped = {},
                            .not_run = {suite_.not_run.begin(), suite_.not_run.end()},
                            .not_covered = suite_.not_covered,
                            .documents = {}};
    for (const Claim& claim : suite_.cases) {
      RunClaim& run_claim = read_figures(claim);
      if (base_of(claim) == nullptr || !claim_is_sound(claim)) continue;
      try {
        result.cases.push_back(predict(claim, run_claim));
      } catch (const core::ConfigError& problem) {
        skip(claim, problem, result.skipped);
      }
    }
    check_others();
    reader_.throw_if_any();
    const bool is_refused = result.cases.empty() || !options_.skips_rows;
    if (is_refused && !skipped_.empty()) throw core::ConfigError(skipped_);
    for (ValidationCase& c : result.cases) {
      c.reason = failed_check(claims_.at(c.id), claims_);
      if (!c.reason.empty()) c.role = ClaimRole::kReject;
    }
    add_statements(result);
    find_contradictions(result.cases);
    if (suite_.draw) draw_roles(result.cases);
    for (ValidationCase& c : result.cases) {
      const auto figures = claims_.find(c.id);
      if (figures != claims_.end() && c.role != ClaimRole::kReject) {
        c.kind = kind_of(figures->second, c);
      }
    }
    add_null_models(result.cases);
    std::vector<ValidationCase> kernels = kernel_cases(suite_.kernels, catalogue_, where_, reader_);
    reader_.throw_if_any();
    std::ranges::move(kernels, std::back_inserter(result.cases));
    result.summary = summarize(result.cases, suite_.targets);
    result.summary.num_fitted_numbers = num_fitted_numbers(result.cases);
    result.summary.kernels = kernel_groups(result.cases);
    return result;
  }

 private:
  void add_statements(ValidationResult& result) {
    std::vector<ValidationCase> rows =
        statement_cases(suite_.documents, {catalogue_, suite_.scenarios, claims_}, reader_);
    result.cases.insert(result.cases.end(), std::make_move_iterator(rows.begin()),
                        std::make_move_iterator(rows.end()));
    result.documents = count_numbers(suite_.documents, result.cases, reader_);
    reader_.throw_if_any();
  }

  void skip(const Claim& claim, const core::ConfigError& problem, std::vector<SkippedRow>& rows) {
    rows.push_back({claim.id, claim.group, problem.what()});
    for (core::Diagnostic found : problem.diagnostics()) {
      const auto [it, is_new] = problems_.insert(core::to_string(found));
      if (!is_new) continue;  // a problem of the scenario, which other rows share
      found.path = suite_.list + "." + claim.id + (found.path.empty() ? "" : ": " + found.path);
      skipped_.push_back(std::move(found));
    }
  }

  void report(const core::Location& where, const Claim& claim, std::string message) {
    reader_.report(where, suite_.list + "." + claim.id, std::move(message));
  }

  double read_figure(const core::Node& node, const Claim& claim, core::Exponents& exponents) {
    core::QuantityError error;
    const auto parsed = core::parse_quantity(node.text, error);
    if (!parsed || !node.is_scalar()) {
      report(node.where, claim, parsed ? "expected a quantity or a number" : error.message);
      return 1.0;
    }
    exponents = parsed->exponents;
    return parsed->base;
  }

  RunClaim& read_figures(const Claim& claim) {
    const auto [it, is_new] = claims_.try_emplace(claim.id);
    if (!is_new) report(claim.published.where, claim, "this id is used twice");
    RunClaim& figures = it->second;
    figures.claim = &claim;
    figures.published = read_figure(claim.published, claim, figures.exponents);
    if (figures.published == 0.0) report(claim.published.where, claim, "cannot be 0");
    if (claim.rounding) {
      core::Exponents exponents{};
      figures.rounding = read_figure(*claim.rounding, claim, exponents);
    }
    return figures;
  }

  const core::Node* base_of(const Claim& claim) {
    const auto found = suite_.scenarios.find(claim.scenario);
    if (found != suite_.scenarios.end()) return &found->second;
    report(claim.published.where, claim, fmt::format("no scenario '{}'", claim.scenario));
    return nullptr;
  }

  bool claim_is_sound(const Claim& claim) {
    const bool combines = claim.combine != Combine::kNone;
    if (combines == !claim.against.empty()) return true;
    report(claim.published.where, claim, "`against` and `combine` go together");
    return false;
  }

  void check_others() {
    for (const Claim& claim : suite_.cases) {
      for (const Check& check : claim.checks) {
        const bool needs_other = check.kind == CheckKind::kConsistentWith ||
                                 check.kind == CheckKind::kNotFasterWithFewer;
        if (needs_other && !claims_.contains(check.other)) {
          report(claim.published.where, claim, fmt::format("no case '{}'", check.other));
        }
      }
    }
  }

  /// Returns the scenario as the options want it.
  [[nodiscard]] core::Node under_options(core::Node tree) const {
    if (!simulation::is_training(simulation::kind_of(tree))) return tree;
    if (options_.without_recipe) leave_recipe_to_profile(tree);
    return options_.ignore_memory ? simulation::with_settings(std::move(tree), {kRoomForAll})
                                  : tree;
  }

  /// Runs a scenario under settings, or returns its earlier run.
  const Run& run_scenario(const Claim& claim, const std::vector<std::string>& further) {
    std::string key = claim.scenario + (claim.output.starts_with("size.") ? "\nsize" : "");
    for (const auto* settings : {&claim.set, &further}) {
      for (const std::string& setting : *settings) key += "\n" + setting;
    }
    const auto found = runs_.find(key);
    if (found != runs_.end()) return found->second;
    const core::Node tree = under_options(scenario_of(*base_of(claim), claim, further));
    return runs_.emplace(key, run_tree(tree, claim)).first->second;
  }

  /// Runs what a scenario describes: a benchmark, inference, sizing or training.
  Run run_tree(const core::Node& tree, const Claim& claim) {
    Run run;
    const simulation::ScenarioKind& kind = simulation::kind_of(tree);
    if (!simulation::is_training(kind)) {
      const simulation::AnyResult result = kind.read(tree, catalogue_)({});
      run.outputs = simulation::outputs(kind.numbers(), simulation::ResultView(result));
      run.misfits = simulation::reasons_of(result);
    } else if (claim.output.starts_with("size.")) {
      const planner::SizingResult result = planner::size(tree, catalogue_);
      run.outputs = planner::outputs(result);
      if (!result.feasible()) {
        for (const planner::Missed& one : result.missed) {
          run.misfits.push_back(one.option + ": " + one.why);
        }
      }
    } else {
      run = train(tree, claim);
    }
    run.yaml = core::to_yaml(tree);
    return run;
  }

  Run train(const core::Node& tree, const Claim& claim) {
    const simulation::CheckedScenario checked = simulation::read_training(tree, catalogue_);
    const simulation::SimulationResult result =
        simulate_with_unstated(checked, catalogue_, {.method = suite_.method});
    Run run;
    run.training = training_facts(checked, tree, claim.source);
    run.training->compute_share = compute_share(result);
    run.training->unstated = simulation::spread_of(result.unstated);
    run.outputs = outputs(result);
    if (result.feasible()) {
      run.step = {{.time = result.step_time,
                   .low = result.step_time_low,
                   .high = result.step_time_high,
                   .breakdown = result.breakdown}};
    }
    for (const simulation::Infeasibility& one : result.infeasible) run.misfits.push_back(one.what);
    if (!result.parts.shortfalls.empty()) run.misfit = result.parts.shortfalls.front().what;
    if (result.power) {
      const auto& goals = checked.scenario.goals;
      const simulation::Rack rack = goals ? goals->rack : simulation::Rack{};
      const planner::Racks racks = planner::racks_for(checked.scenario, result, rack);
      run.outputs.push_back({"racks", std::int64_t{racks.count()}});
    }
    return run;
  }

  /// Returns nothing where the design does not fit. Throws ConfigError for an output that no
  /// design of the scenario has.
  std::optional<double> output_of(const Run& run, const Claim& claim) {
    const auto found = std::ranges::find(run.outputs, claim.output, &simulation::Output::path);
    if (found != run.outputs.end()) return claim.factor * found->number();
    if (!run.misfits.empty()) return {};
    std::vector<std::string> paths;
    for (const simulation::Output& output : run.outputs) paths.push_back(output.path);
    const std::string near = core::nearest(claim.output, paths);
    throw core::ConfigError({{claim.published.where, "output",
                              fmt::format("the scenario's result has no '{}'", claim.output),
                              near.empty() ? "`simulate --format json` prints what it has"
                                           : fmt::format("did you mean '{}'?", near)}});
  }

  /// Returns why a claim has no prediction: what does not fit in its scenario, else in the run that
  /// it is combined with.
  std::vector<std::string> misfits_of(const Claim& claim, const Run& run) {
    if (!run.misfits.empty() || claim.combine == Combine::kNone) return run.misfits;
    return run_scenario(claim, claim.against).misfits;
  }

  std::optional<double> prediction(const Claim& claim, const Run& run) {
    const auto value = output_of(run, claim);
    if (!value || claim.combine == Combine::kNone) return value;
    const auto other = output_of(run_scenario(claim, claim.against), claim);
    if (!other) return {};
    return claim.combine == Combine::kDifference ? *value - *other : *value / *other;
  }

  static void read_work(const TrainingFacts& training, RunClaim& figures) {
    figures.num_accelerators = training.num_accelerators;
    figures.peak_rate = training.peak_rate;
    figures.work_per_step = training.work_per_step;
  }

  ValidationCase predict(const Claim& claim, RunClaim& figures) {
    const Run& run = run_scenario(claim, {});
    figures.misfit = run.misfit;
    if (run.training) read_work(*run.training, figures);
    ValidationCase result{.id = claim.id,
                          .group = claim.group,
                          .quantity = claim.quantity,
                          .unit = base_unit(figures.exponents),
                          .source = claim.source,
                          .product = claim.product,
                          .role = claim.role,
                          .kind = {},
                          .reason = {},
                          .misfits = {},
                          .published = figures.published,
                          .rounding = {},
                          .predicted = prediction(claim, run),
                          .relative_error = {},
                          .size_bytes = size_of(run),
                          .published_low = {},
                          .published_high = {},
                          .training = run.training,
                          .step = run.step,
                          .same_baseline = {},
                          .constant_baseline = {},
                          .scenario = run.yaml,
                          .printed = {},
                          .about = {},
                          .is = {}};
    if (claim.rounding) result.rounding = figures.rounding;
    figures.predicted = result.predicted;
    if (result.predicted) {
      result.relative_error =
          bounded_error(*result.predicted / result.published - 1.0, claim.bound);
    } else {
      result.misfits = misfits_of(claim, run);
    }
    return result;
  }

  static std::optional<double> size_of(const Run& run) {
    const auto found = std::ranges::find(run.outputs, "size_bytes", &simulation::Output::path);
    if (found == run.outputs.end()) return {};
    return found->number();
  }

  /// Counts the numbers of the devices and stacks of the steps that calibrate.
  [[nodiscard]] int num_fitted_numbers(const std::vector<ValidationCase>& cases) const {
    if (!suite_.fit) return 0;
    std::set<std::string> devices;
    std::set<std::string> stacks;
    for (const ValidationCase& c : cases) {
      if (c.role != ClaimRole::kCalibrate || !is_training_step(c)) continue;
      devices.insert(c.training->traits.accelerator);
      stacks.insert(c.training->traits.software);
    }
    return count_numbers(suite_.fit->device, suite_.fit->same_device, devices) +
           count_numbers(suite_.fit->stack, suite_.fit->same_stack, stacks);
  }

  /// Draws the roles of training steps and products; other rows, such as memory, keep theirs.
  void draw_roles(std::vector<ValidationCase>& cases) const {
    std::vector<HoldoutRow> rows;
    std::vector<ValidationCase*> drawn_from;
    for (ValidationCase& c : cases) {
      if (c.role == ClaimRole::kReject || claims_.at(c.id).claim->keeps_role) continue;
      if (!c.product.empty()) {
        rows.push_back({c.quantity, c.product});
      } else if (is_training_step(c)) {
        rows.push_back(
            {c.group, configuration_of(c.training->model, c.training->traits.accelerator)});
      } else {
        continue;
      }
      drawn_from.push_back(&c);
    }
    const std::vector<bool> is_drawn = draw_holdout(rows, *suite_.draw);
    for (std::size_t i = 0; i < drawn_from.size(); ++i) {
      drawn_from[i]->role = is_drawn[i] ? ClaimRole::kCalibrate : ClaimRole::kValidate;
    }
  }

  const core::Catalogue& catalogue_;
  ValidationOptions options_;
  core::Reader reader_;
  core::Location where_;  ///< place of the suite, whose folder holds its tables of kernels
  Suite suite_;
  std::map<std::string, RunClaim> claims_;
  std::map<std::string, Run> runs_;
  std::vector<core::Diagnostic> skipped_;
  std::set<std::string> problems_;  ///< texts of `skipped_`
};

}  // namespace

ValidationResult run_suite(Suite suite, const core::Location& where,
                           const core::Catalogue& catalogue, const ValidationOptions& options) {
  return Validator(std::move(suite), where, catalogue, options).run();
}

bool is_suite(const core::Node& tree) { return tree.find("suite") != nullptr; }

ValidationResult validate(const core::Node& suite, const core::Catalogue& catalogue,
                          const ValidationOptions& options) {
  core::Reader reader(&catalogue);
  return run_suite(read_suite(suite, reader), suite.where, catalogue, options);
}

}  // namespace railwright::validation
