// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../words/number_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::output {

namespace {

std::string measured_text(const validation::CalibratedRun& run) {
  const std::string time = core::to_text(run.measured);
  return run.standard_error
             ? fmt::format("{} ±{:.1f} %", time, 100.0 * (*run.standard_error / run.measured))
             : time;
}

/// Formats the predictions before the fit, and how many measurements their intervals miss.
std::string prior_text(const validation::SiteFit& fit, const TextStyle& style) {
  Table table({"before the fit", "measured", "predicted", "error", "80 % interval", "measured is"});
  table.align_left(5);
  std::size_t num_known = 0;
  std::size_t num_outside = 0;
  for (const validation::CalibratedRun& run : fit.runs) {
    const auto place = run.place();
    num_known += place ? 1 : 0;
    num_outside += place && *place != validation::MeasuredPlace::kInside ? 1 : 0;
    table.add_row({run.name, measured_text(run), core::to_text(run.prior.predicted),
                   signed_percent(run.prior.error),
                   place ? fmt::format("{} to {}", core::to_text(*run.prior.low),
                                       core::to_text(*run.prior.high))
                         : "not known",
                   place ? std::string(to_string(*place)) : ""});
  }
  std::string text = table.text(style);
  if (num_known > 0) {
    text += fmt::format("outside its 80 % interval before the fit: {} of {}\n", num_outside,
                        plural(static_cast<std::int64_t>(num_known), "run"));
  }
  return text + "\n";
}

std::string runs_text(const validation::SiteFit& fit, const TextStyle& style) {
  Table table({"after the fit", "measured", "predicted", "error", "left out", "NICs' share"});
  for (const validation::CalibratedRun& run : fit.runs) {
    table.add_row({run.name, measured_text(run), core::to_text(run.predicted),
                   signed_percent(run.error), run.left_out ? signed_percent(*run.left_out) : "",
                   fmt::format("{:.1f} %", std::abs(100.0 * run.nic_share))});
  }
  return table.text(style);
}

std::string sources_text(const validation::SiteFit& fit) {
  std::vector<std::string> sources;
  for (const validation::CalibratedRun& run : fit.runs) {
    const bool is_new = std::ranges::find(sources, run.source) == sources.end();
    if (is_new && !run.source.empty()) sources.push_back(run.source);
  }
  return sources.empty() ? "" : fmt::format("from {}\n", fmt::join(sources, "; "));
}

void add_factor(const char* name, const validation::FittedFactor& factor, Table& table) {
  std::string error;
  if (factor.log_error) error = fmt::format("±{:.3g}", factor.value * *factor.log_error);
  table.add_row({name, fmt::format("{:.4g}", factor.value), error,
                 !factor.is_fitted    ? "held"
                 : factor.is_at_bound ? "at its bound"
                                      : "fitted"});
}

std::string factors_text(const validation::SiteFit& fit, const TextStyle& style) {
  Table table({"number", "value", "standard error", ""});
  table.align_left(3);
  add_factor("compute_efficiency", fit.compute, table);
  add_factor("nic_efficiency", fit.nic, table);
  std::string text = table.text(style);
  if (fit.correlation) {
    text += fmt::format("correlation of their logarithms {:+.2f}\n", *fit.correlation);
  }
  return text;
}

}  // namespace

std::string to_text(const validation::SiteFit& fit, const TextStyle& style) {
  std::string text;
  if (fit.is_refused()) {
    text += fmt::format("refused: {}\n", fit.refusal);
    if (!fit.advice.empty()) text += fit.advice + "\n";
    text += fit.compute.is_fitted
                ? "with nic_efficiency held (--hold nic_efficiency) it would be:\n\n"
                : "\n";
  }
  text += prior_text(fit, style) + runs_text(fit, style) + sources_text(fit) + "\n" +
          factors_text(fit, style);
  if (fit.model_error > 0.0) {
    text += fmt::format("error of the model in addition to the runs' own: {:.1f} %\n",
                        100.0 * fit.model_error);
  }
  text += fmt::format(
      "\n80 % interval for a new run at this site: {:.2f} to {:.2f} x the prediction ({})\n",
      fit.band.low, fit.band.high, fit.band_from);
  for (const std::string& note : fit.notes) text += note + "\n";
  return text;
}

std::string to_text(const validation::StorageReport& report, const TextStyle& style) {
  Table table({report.tool + " job", "streams", "reads", "writes", "requests", "latency"});
  for (const validation::StorageJob& job : report.jobs) {
    const bool reads = job.read.rate.base() > 0.0 || job.read.operations_per_s > 0.0;
    const validation::StorageDirection& main = reads ? job.read : job.write;
    table.add_row(
        {job.name, fmt::format("{}", job.num_streams),
         job.read.rate.base() > 0.0 ? core::to_text(job.read.rate) : "",
         job.write.rate.base() > 0.0 ? core::to_text(job.write.rate) : "",
         main.operations_per_s > 0.0 ? fmt::format("{:.0f} /s", main.operations_per_s) : "",
         main.latency.base() > 0.0 ? core::to_text(main.latency) : ""});
  }
  std::string text = table.text(style);
  const auto settings = settings_of(report);
  if (!settings.empty()) {
    text +=
        "\nan installation has no place for storage; in a scenario these settings say what this "
        "client reached:\n\n";
  }
  for (const std::string& setting : settings) text += fmt::format("--set '{}'\n", setting);
  for (const std::string& note : report.notes) text += note + "\n";
  return text;
}

}  // namespace railwright::output
