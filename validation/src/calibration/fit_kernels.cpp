// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/fit_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "../suites/error_groups.hpp"
#include "../suites/kernel_suite.hpp"
#include "../suites/suite.hpp"
#include "fit_factors.hpp"
#include "fitted_constants.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/models/kernel/gemm.hpp"
#include "railwright/planner/site_fit/least_squares.hpp"

namespace railwright::validation {

namespace {

using core::Accelerator;

/// Rows for a fit, and the held-out others.
struct SplitRows {
  std::vector<const KernelRow*> fitted;
  std::vector<const KernelRow*> others;
};

/// Standard deviation of a constant's logarithm. The catalogue's own were fitted to the full
/// tables, ten times the rows that are shipped, so what these rows do not determine stays where it
/// is.
constexpr double kPriorWidth = 0.25;

/// Returns a distance that grows as the square root beyond kRobustScale, so that its square grows
/// linearly.
double robust(double error) {
  const double ratio = error / kRobustScale;
  return std::copysign(std::sqrt(2.0 * (std::sqrt(1.0 + ratio * ratio) - 1.0)), error);
}

double log_error_of(const KernelRow& row, const Accelerator& device) {
  return std::log(*row.predict(device) / row.measured);
}

/// Fits numbers of the device's constants.
void fit_numbers(const std::vector<const KernelRow*>& rows,
                 const std::vector<FreeConstant>& numbers, const Accelerator& device) {
  const auto size = static_cast<Eigen::Index>(numbers.size());
  Eigen::VectorXd prior(size);
  planner::LeastSquares problem{
      .residuals = {}, .lower = Eigen::VectorXd(size), .upper = Eigen::VectorXd(size)};
  for (Eigen::Index i = 0; i < size; ++i) {
    const FreeConstant& number = numbers[static_cast<std::size_t>(i)];
    prior[i] = std::log(*number.value);
    problem.lower[i] = prior[i] - 3.0;
    if (number.range.min > 0.0) {
      problem.lower[i] = std::max(problem.lower[i], std::log(number.range.min));
    }
    problem.upper[i] = std::min(std::log(number.range.max), prior[i] + 3.0);
  }
  const auto set = [&](const Eigen::VectorXd& x) {
    for (Eigen::Index i = 0; i < size; ++i) {
      *numbers[static_cast<std::size_t>(i)].value = std::exp(x[i]);
    }
  };
  const auto num_rows = static_cast<Eigen::Index>(rows.size());
  problem.residuals = [&](const Eigen::VectorXd& x) {
    set(x);
    Eigen::VectorXd residuals(num_rows + size);
    for (Eigen::Index i = 0; i < num_rows; ++i) {
      residuals[i] = robust(log_error_of(*rows[static_cast<std::size_t>(i)], device));
    }
    residuals.tail(size) = (x - prior) / kPriorWidth;
    return residuals;
  };
  set(minimize(problem, prior).x);
}

ErrorStatistics errors_of(const std::vector<const KernelRow*>& rows, const Accelerator& device) {
  std::vector<double> errors;
  for (const KernelRow* row : rows) errors.push_back(*row->predict(device) / row->measured - 1.0);
  return statistics_of(std::move(errors));
}

/// Makes the efficiencies by which a device scales times of attention in training equal to those of
/// its constants, so that they are fitted as they were measured.
void take_over_efficiencies(Accelerator& device) {
  core::AttentionKernels& attention = device.kernels.own().attention;
  attention.flash_2_efficiency = device.attention_efficiency.value;
  attention.training_efficiency =
      device.native_attention_efficiency.value_or(device.attention_efficiency).value;
}

/// Returns the format of a table's products; none for other kernels.
std::optional<core::ProductFormat> product_of(const KernelTable& table, const std::string& name) {
  if (table.kind != "gemm") return {};
  for (const auto& [known, format] : core::kWordsOf<core::ProductFormat>) {
    if (known == name) return format;
  }
  return {};
}

core::GemmConstants& products_of(core::GemmByFormat& gemm, core::ProductFormat format) {
  switch (format) {
    case core::ProductFormat::kFp8:
      return *gemm.fp8;
    case core::ProductFormat::kFp8Block:
      return *gemm.fp8_block;
    case core::ProductFormat::kFp4:
      return *gemm.nvfp4;
    case core::ProductFormat::kWide:
      break;
  }
  return gemm.bf16;
}

/// Sets the share of the peak rate that the constants say of a large product, by which other
/// devices are scaled, and the device's own to the same.
void set_efficiency(core::ProductFormat format, core::GemmConstants& constants,
                    Accelerator& device) {
  constexpr std::int64_t kLarge = 8192;
  constexpr double kWork = 2.0 * kLarge * kLarge * kLarge;
  const core::Duration time =
      models::gemm_time(device, models::gemm_of(kLarge, kLarge, kLarge, format));
  constants.efficiency = kWork / (time.base() * device.peak_rate(format).base());
  if (format == core::ProductFormat::kWide) device.gemm_efficiency.value = constants.efficiency;
  if (format == core::ProductFormat::kFp8) {
    device.fp8_gemm_efficiency = device.gemm_efficiency;
    device.fp8_gemm_efficiency->value = constants.efficiency;
  }
}

/// Returns the rows that a device has constants for.
std::vector<const KernelRow*> predicted(std::vector<const KernelRow*> rows,
                                        const Accelerator& device) {
  std::erase_if(rows, [&](const KernelRow* row) { return !row->predict(device); });
  return rows;
}

KernelFit fit_format(SplitRows rows, const KernelTable& table, const std::string& format,
                     const std::vector<FittedConstants>& constants, Accelerator& device) {
  core::KernelConstants& kernels = device.kernels.own();
  if (table.kind == "training_attention") take_over_efficiencies(device);
  const std::optional<core::ProductFormat> product = product_of(table, format);
  if (product) products_of(kernels.gemm, *product).factors.clear();
  rows = {.fitted = predicted(rows.fitted, device), .others = predicted(rows.others, device)};
  std::vector<FreeConstant> numbers;
  for (const FittedConstants& entry : constants) {
    numbers.insert(numbers.end(), entry.numbers.begin(), entry.numbers.end());
  }
  fit_numbers(rows.fitted, numbers, device);
  if (product) {
    core::GemmConstants& of_product = products_of(kernels.gemm, *product);
    fit_factors(rows.fitted, device, of_product);
    set_efficiency(*product, of_product, device);
  }
  KernelFit fit{.device = device.name,
                .kind = table.kind,
                .format = format,
                .constants = {},
                .fitted = errors_of(rows.fitted, device),
                .others = errors_of(rows.others, device)};
  for (const FittedConstants& entry : constants) fit.constants.emplace(entry.path, entry.yaml());
  return fit;
}

/// Returns what rows of a format are fitted as: both passes of a kernel of training, and both ways
/// of an exchange, have constants in common.
std::string fit_of(const KernelTable& table, const KernelRow& row) {
  if (table.kind == "training_attention") return row.format.substr(0, row.format.rfind('_'));
  if (table.kind.ends_with("_exchange")) return "both ways";
  return row.format;
}

void fit_table(const KernelTable& table, const std::vector<KernelRow>& rows, Accelerator& device,
               std::vector<KernelFit>& fits) {
  std::map<std::string, SplitRows> formats;
  for (const KernelRow& row : rows) {
    SplitRows& of_format = formats[fit_of(table, row)];
    (row.is_for_fitting() ? of_format.fitted : of_format.others).push_back(&row);
  }
  for (const auto& [format, of_format] : formats) {
    const std::vector<FittedConstants> constants =
        find_constants(device.kernels.own(), constants_of(table.kind, format));
    if (constants.empty()) continue;
    fits.push_back(fit_format(of_format, table, format, constants, device));
  }
}

}  // namespace

std::vector<KernelFit> fit_kernels(const core::Node& suite, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  const Suite read = read_suite(suite, reader);
  if (read.kernels.empty()) reader.report(suite.where, "kernels", "nothing to fit to");
  reader.throw_if_any();
  // Tables of a device have constants in common, each fit begins where the last one ended.
  std::map<std::string, Accelerator> devices;
  std::vector<KernelFit> fits;
  for (const KernelTable& table : read.kernels) {
    if (!table.fits) continue;
    if (!devices.contains(table.device)) {
      devices[table.device] = read_accelerator(table.device, catalogue, suite.where, reader);
    }
    const std::vector<KernelRow> rows = read_kernel_rows(table, suite.where, reader);
    reader.throw_if_any();
    fit_table(table, rows, devices[table.device], fits);
  }
  return fits;
}

}  // namespace railwright::validation
