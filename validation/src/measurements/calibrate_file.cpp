// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/calibrate_file.hpp"

#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/validation/calibration/calibrate_collectives.hpp"
#include "railwright/validation/measurements/measured_file.hpp"
#include "railwright/validation/measurements/nccl_tests.hpp"
#include "railwright/validation/measurements/storage_tools.hpp"

namespace railwright::validation {

namespace {

std::vector<MeasuredRun> read_measured(const std::string& path, const MeasuredFile& file,
                                       const BaseScenario& base, const core::Catalogue& catalogue) {
  if (file.kind == MeasuredKind::kRunsYaml) return read_runs(path, base, catalogue);
  if (file.kind == MeasuredKind::kRunsCsv) return read_runs_csv(file.text, path, base, catalogue);
  return run_of_log(path, base, catalogue);
}

SiteFit fit_of_collectives(const std::string& path, const MeasuredFile& file,
                           const BaseScenario& base, const core::Catalogue& catalogue) {
  if (!base.tree) {
    throw core::ConfigError({{{path},
                              "",
                              "which collective was measured, and where, is not said",
                              "name a scenario with `benchmark` with --scenario"}});
  }
  core::Node tree = *base.tree;
  for (const std::string& setting : base.settings) core::set_path(tree, setting);
  const auto checked = simulation::read_benchmark(tree, catalogue);
  return calibrate_collectives(checked, read_nccl_tests(file.text, path, checked), catalogue);
}

}  // namespace

Calibrated calibrate_file(const std::string& path, const BaseScenario& base,
                          const core::Catalogue& catalogue, const CalibrationOptions& options) {
  const MeasuredFile file = open_measured(path);
  if (file.kind == MeasuredKind::kStorage) {
    StorageReport report = read_storage_result(file.text, path);
    if (base.tree)
      narrow_rates(report, simulation::with_settings(*base.tree, base.settings), catalogue);
    return report;
  }
  if (file.kind == MeasuredKind::kCollectives) {
    return fit_of_collectives(path, file, base, catalogue);
  }
  return calibrate_site(read_measured(path, file, base, catalogue), catalogue, options);
}

}  // namespace railwright::validation
