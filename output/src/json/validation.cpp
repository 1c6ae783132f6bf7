// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "optional_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json training_json(const std::optional<validation::TrainingFacts>& facts) {
  if (!facts) return {};
  const simulation::StepTraits& traits = facts->traits;
  return {{"model", facts->model},
          {"device", traits.accelerator},
          {"software", traits.software},
          {"precision", core::to_string(traits.precision)},
          {"parallelism", traits.layout},
          {"transport", traits.transport},
          {"nics_per_accelerator", traits.nics_per_accelerator},
          {"nic_bytes_per_s", traits.nic_rate.base()},
          {"fabric", traits.fabric},
          {"node", traits.node},
          {"sequence_length", traits.sequence_length},
          {"settings", traits.settings},
          {"class", facts->of ? Json(core::to_string(*facts->of)) : Json()},
          {"num_differences", facts->num_differences},
          {"unstated", {{"faster", facts->unstated.faster}, {"slower", facts->unstated.slower}}},
          {"num_parameters", facts->num_parameters},
          {"num_accelerators", facts->num_accelerators}};
}

Json step_json(const std::optional<validation::PredictedStep>& step) {
  if (!step) return {};
  Json breakdown = Json::object();
  for (std::size_t i = 0; i < simulation::kCauses.size(); ++i) {
    breakdown[std::string(simulation::kCauses[i].name)] = step->breakdown.time[i].base();
  }
  return {{"time_s", step->time.base()},
          {"low_s", step->low.base()},
          {"high_s", step->high.base()},
          {"breakdown", breakdown}};
}

/// Says why a row has no error: it is rejected, or its scenario does not fit.
std::string why_not(const validation::ValidationCase& c) {
  return c.reason.empty() ? fmt::format("{}", fmt::join(c.misfits, "; ")) : c.reason;
}

Json case_json(const validation::ValidationCase& c) {
  return {{"id", c.id},
          {"group", c.group},
          {"quantity", c.quantity},
          {"role", to_string(c.role)},
          {"kind", c.kind ? Json(to_string(*c.kind)) : Json()},
          {"reason", why_not(c)},
          {"verdict", to_string(verdict_of(c))},
          {"unit", c.unit},
          {"published", std::isfinite(c.published) ? Json(c.published) : Json()},
          {"rounding", optional_json(c.rounding)},
          {"predicted", optional_json(c.predicted)},
          {"relative_error", optional_json(c.relative_error)},
          {"source", c.source},
          {"product", c.product},
          {"size_bytes", optional_json(c.size_bytes)},
          {"published_low", optional_json(c.published_low)},
          {"published_high", optional_json(c.published_high)},
          {"training", training_json(c.training)},
          {"step", step_json(c.step)},
          {"same_baseline", optional_json(c.same_baseline)},
          {"constant_baseline", optional_json(c.constant_baseline)},
          {"scenario", c.scenario},
          {"printed", c.printed},
          {"about", c.about},
          {"is", c.is}};
}

Json classes_json(const std::vector<validation::SizeClass>& classes) {
  Json list = Json::array();
  for (const validation::SizeClass& c : classes) {
    list.push_back({{"group", c.group},
                    {"from_bytes", c.from_bytes},
                    {"num_rows", c.num_rows},
                    {"median_absolute_error", c.median_absolute_error},
                    {"num_contested", c.num_contested},
                    {"num_between", c.num_between}});
  }
  return list;
}

/// Statistics of no rows are null.
Json statistics_json(const validation::ErrorStatistics& errors) {
  if (errors.num_rows == 0) {
    return {{"num_rows", 0},
            {"median", nullptr},
            {"mean", nullptr},
            {"percentile_90", nullptr},
            {"largest", nullptr}};
  }
  return {{"num_rows", errors.num_rows},
          {"median", errors.median},
          {"mean", errors.mean},
          {"percentile_90", errors.percentile_90},
          {"largest", errors.largest}};
}

Json groups_json(const std::vector<validation::ErrorGroup>& groups) {
  Json list = Json::array();
  for (const validation::ErrorGroup& group : groups) {
    list.push_back({{"by", group.by},
                    {"name", group.name},
                    {"errors", statistics_json(group.errors)},
                    {"same_baseline", statistics_json(group.same_baseline)},
                    {"constant_baseline", statistics_json(group.constant_baseline)}});
  }
  return list;
}

Json summary_json(const validation::ValidationSummary& summary) {
  Json json = {{"num_calibrate", summary.num_calibrate},
               {"num_validate", summary.num_validate},
               {"num_reject", summary.num_reject},
               {"num_fact", summary.num_fact},
               {"num_input", summary.num_input},
               {"num_arithmetic", summary.num_arithmetic},
               {"num_outside", summary.num_outside},
               {"num_unfit", summary.num_unfit},
               {"mean_absolute_error", optional_json(summary.mean_absolute_error)},
               {"median_absolute_error", optional_json(summary.median_absolute_error)},
               {"largest_absolute_error", optional_json(summary.largest_absolute_error)},
               {"size_classes", classes_json(summary.size_classes)},
               {"groups", groups_json(summary.groups)},
               {"pairs", groups_json(summary.pairs)},
               {"kernels", groups_json(summary.kernels)}};
  json["kinds"] = Json::array();
  for (const validation::KindCount& count : summary.kinds) {
    json["kinds"].push_back({{"kind", to_string(count.kind)},
                             {"num_rows", count.num_rows},
                             {"num_agreeing", count.num_agreeing},
                             {"errors", statistics_json(count.errors)}});
  }
  json["scaling"] = Json::array();
  for (const validation::ScalingPoint& point : summary.scaling) {
    json["scaling"].push_back({{"id", point.id},
                               {"from", point.from},
                               {"published", point.published},
                               {"predicted", point.predicted}});
  }
  json["targets"] = Json::array();
  for (const validation::TargetResult& target : summary.targets) {
    json["targets"].push_back({{"name", target.name},
                               {"statistic", target.statistic},
                               {"num_rows", target.num_rows},
                               {"num_calibrate", target.num_calibrate},
                               {"value", optional_json(target.value)},
                               {"below", target.below}});
  }
  json["band"] =
      summary.band ? Json{{"low", summary.band->low}, {"high", summary.band->high}} : Json();
  json["band_scores"] = Json::array();
  for (const validation::BandScore& score : summary.band_scores) {
    json["band_scores"].push_back({{"name", score.name},
                                   {"num_rows", score.num_rows},
                                   {"num_families", score.num_families},
                                   {"held_rows", score.held_rows},
                                   {"held_families", score.held_families},
                                   {"mean_log_width", score.mean_width},
                                   {"score", score.score},
                                   {"score_families", score.score_families}});
  }
  json["family_spread"] = optional_json(summary.family_spread);
  json["num_fitted_numbers"] = summary.num_fitted_numbers;
  return json;
}

}  // namespace

std::string to_json(const validation::ValidationResult& result) {
  Json json = {{"suite", result.suite}};
  Json cases = Json::array();
  for (const validation::ValidationCase& c : result.cases) cases.push_back(case_json(c));
  json["cases"] = std::move(cases);
  json["summary"] = summary_json(result.summary);
  json["skipped"] = Json::array();
  for (const validation::SkippedRow& row : result.skipped) {
    json["skipped"].push_back({{"id", row.id}, {"group", row.group}, {"reason", row.reason}});
  }
  json["not_run"] = Json::array();
  for (const validation::NotRun& record : result.not_run) {
    json["not_run"].push_back(
        {{"id", record.id}, {"group", record.group}, {"missing", record.missing}});
  }
  json["not_covered"] = result.not_covered;
  json["documents"] = Json::array();
  for (const validation::DocumentCount& document : result.documents) {
    Json by_role = Json::object();
    for (const auto& [role, count] : document.by_role) by_role[to_string(role)] = count;
    json["documents"].push_back({{"name", document.name},
                                 {"title", document.title},
                                 {"num_numbers", document.num_numbers},
                                 {"by_role", std::move(by_role)}});
  }
  return json.dump(2) + "\n";
}

std::string to_json(const validation::SuiteFit& fit) {
  Json json = {{"suite", fit.suite}, {"left_out", fit.left_out}, {"num_rows", fit.num_rows}};
  json["numbers"] = Json::array();
  for (const validation::FittedNumber& number : fit.numbers) {
    json["numbers"].push_back({{"of", number.owner},
                               {"path", number.path},
                               {"start", number.start},
                               {"value", number.value},
                               {"log_error", number.log_error},
                               {"num_rows", number.num_rows}});
  }
  json["before"] = statistics_json(fit.before);
  json["after"] = statistics_json(fit.after);
  json["left_out_errors"] = statistics_json(fit.others);
  return json.dump(2) + "\n";
}

std::string to_json(const std::vector<validation::KernelFit>& fits) {
  Json list = Json::array();
  for (const validation::KernelFit& fit : fits) {
    list.push_back({{"device", fit.device},
                    {"kind", fit.kind},
                    {"format", fit.format},
                    {"constants", fit.constants},
                    {"fitted", statistics_json(fit.fitted)},
                    {"others", statistics_json(fit.others)}});
  }
  return Json{{"kernels", std::move(list)}}.dump(2) + "\n";
}

std::string to_json(const validation::LeftOutFamilies& result) {
  Json json{{"suite", result.suite}, {"all", statistics_json(result.all)}};
  json["families"] = Json::array();
  for (const validation::LeftOutFamily& family : result.families) {
    json["families"].push_back(
        {{"family", family.family}, {"errors", statistics_json(family.errors)}});
  }
  json["steps"] = Json::array();
  for (const validation::LeftOutStep& step : result.steps) {
    json["steps"].push_back({{"id", step.id}, {"family", step.family}, {"ratio", step.ratio}});
  }
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
