// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "common.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "railwright/core/config/include.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/validation/calibration/fit_kernels.hpp"
#include "railwright/validation/calibration/fit_suite.hpp"
#include "railwright/validation/calibration/leave_out_families.hpp"
#include "railwright/validation/measurements/calibrate_file.hpp"
#include "railwright/validation/suites/validate.hpp"
#include "report.hpp"

namespace railwright::cli {

namespace {

[[noreturn]] void refuse_argument(std::string where, std::string message, std::string hint = {}) {
  throw core::ConfigError({{{std::move(where)}, "", std::move(message), std::move(hint)}});
}

int run_suite(const core::Node& suite, const Options& options, const core::Catalogue& catalogue,
              Streams& streams) {
  for (const char* option :
       {"--scenario", "--set", "--allow-include", "--hold", "--out", "--estimate", "--report"}) {
    if (!options.text(option).empty())
      refuse_argument(option, "is for measured runs, not for a suite");
  }
  if (suite.find("kernels") != nullptr) {
    if (!options.text("--leave-out").empty()) {
      refuse_argument(
          "--leave-out", "a suite of kernels has no families",
          "`validate --suite kernels` predicts each device from another one's constants");
    }
    const auto fits = validation::fit_kernels(suite, catalogue);
    if (wants_json(options)) {
      streams.out << output::to_json(fits);
    } else {
      put_text(streams, output::to_text(fits, streams.style));
    }
    return kOk;
  }
  if (options.text("--leave-out") == validation::kEachFamily) {
    Progress progress(streams.err);
    const auto families = validation::leave_out_families(
        suite, catalogue,
        [&](std::int64_t done, std::int64_t all) { progress.tell("fits", done, all); });
    progress.end();
    if (wants_json(options)) {
      streams.out << output::to_json(families);
    } else {
      put_text(streams, output::to_text(families, streams.style));
    }
    return kOk;
  }
  const auto fit = validation::fit_suite(suite, catalogue, options.text("--leave-out"));
  if (wants_json(options)) {
    streams.out << output::to_json(fit);
  } else {
    put_text(streams, output::to_text(fit, streams.style));
  }
  return kOk;
}

validation::BaseScenario base_of(const Options& options) {
  validation::BaseScenario base{
      .tree = {}, .settings = options.list("--set"), .include_folders = include_folders(options)};
  const std::string path = options.text("--scenario");
  if (!path.empty()) {
    base.tree = core::load_yaml_with(base.include_folders, path);
  }
  return base;
}

validation::CalibrationOptions fit_options(const Options& options) {
  validation::CalibrationOptions fit{.method = method_of(options)};
  for (const std::string& held : options.list("--hold")) {
    (held == "nic_efficiency" ? fit.hold_nic : fit.hold_compute) = true;
  }
  if (fit.hold_nic && fit.hold_compute)
    refuse_argument("--hold", "with both held nothing is left to fit");
  return fit;
}

int tell(const validation::StorageReport& report, const Options& options, Streams& streams) {
  if (!options.text("--report").empty()) {
    refuse_argument("--report", "the rates of fio have no page", "a fit of a site's runs has one");
  }
  if (!options.text("--out").empty()) {
    refuse_argument("--out", "an installation has no place for storage",
                    "leave it out: the settings for a scenario are printed");
  }
  if (wants_json(options)) {
    streams.out << output::to_json(report);
  } else {
    put_text(streams, output::to_text(report, streams.style));
  }
  return kOk;
}

int tell(const validation::SiteFit& fit, const Options& options, Streams& streams) {
  const std::string out = options.text("--out");
  if (!out.empty() && !fit.is_refused()) {
    const std::string name = std::filesystem::path(out).stem().string();
    write_file("--out", out, [&](std::ostream& to) { to << output::installation_yaml(fit, name); });
  }
  // The page needs no more than the result: each run has a scenario of its own.
  const std::string json = output::to_json(fit);
  if (wants_report(options)) write_report(options, "calibrate", json);
  if (wants_json(options)) {
    streams.out << json;
  } else {
    put_text(streams, output::to_text(fit, streams.style));
  }
  return fit.is_refused() ? kInfeasible : kOk;
}

int run_file(const Options& options, const core::Catalogue& catalogue, Streams& streams) {
  if (!options.text("--leave-out").empty())
    refuse_argument("--leave-out", "is for a suite, not for runs");
  validation::CalibrationOptions fit_by = fit_options(options);
  Progress progress(streams.err);
  fit_by.tell = [&](std::int64_t done, std::int64_t all) { progress.tell("fits", done, all); };
  const validation::Calibrated calibrated =
      validation::calibrate_file(options.text("measured"), base_of(options), catalogue, fit_by);
  progress.end();
  return std::visit([&](const auto& one) { return tell(one, options, streams); }, calibrated);
}

int run_calibrate(const Options& options, Streams& streams) {
  wants_report(options);  // refused before the work where it cannot be made
  const core::Catalogue catalogue = open_catalogue(options);
  const std::string measured = options.text("measured");
  std::error_code error;
  if (std::filesystem::exists(measured, error)) {
    if (!measured.ends_with(".yaml")) return run_file(options, catalogue, streams);
    const core::Node tree = core::load_yaml_with(include_folders(options), measured);
    return validation::is_suite(tree) ? run_suite(tree, options, catalogue, streams)
                                      : run_file(options, catalogue, streams);
  }
  if (simulation::suite_path(measured).empty()) {
    refuse_argument(measured, "neither a file nor a suite of published figures");
  }
  return run_suite(load_suite(measured), options, catalogue, streams);
}

}  // namespace

Verb calibrate_verb() {
  return {
      .name = "calibrate",
      .help = "Fit an installation to measured runs, or the catalogue to a suite's rows",
      .options = {{.name = "measured",
                   .kind = OptionKind::kPositional,
                   .value = "FILE|SUITE",
                   .help =
                       "Runs (YAML, CSV), a training log, output of nccl-tests, fio, IOR, mdtest, "
                       "elbencho or DLIO; or a set of published figures, by name or file",
                   .required = true},
                  {.name = "--scenario",
                   .kind = OptionKind::kValue,
                   .value = "FILE",
                   .help = "The scenario that was run, where the file of runs names none"},
                  {.name = "--set",
                   .kind = OptionKind::kList,
                   .value = "PATH=VALUE",
                   .help = "Change one key of the scenario; repeatable"},
                  allow_include_option(),
                  {.name = "--hold",
                   .kind = OptionKind::kList,
                   .value = "NUMBER",
                   .help = "Keep this number as the scenario's installation has it; repeatable",
                   .choices = {"compute_efficiency", "nic_efficiency"}},
                  {.name = "--out",
                   .kind = OptionKind::kValue,
                   .value = "FILE",
                   .help = "Write the installation, named like the file"},
                  {.name = "--estimate",
                   .help = "Closed form with the busiest link in place of simulated events"},
                  {.name = "--leave-out",
                   .kind = OptionKind::kValue,
                   .value = "FAMILY",
                   .help = "Rows of a suite to hold out from the fit; "
                           "each: all families, one after another"},
                  format_option(),
                  report_option(),
                  catalogue_option(),
                  threads_option()},
      .run = run_calibrate};
}

}  // namespace railwright::cli
