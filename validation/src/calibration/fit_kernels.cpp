// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/fit_kernels.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "../suites/error_groups.hpp"
#include "../suites/kernel_suite.hpp"
#include "../suites/suite.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/planner/site_fit/least_squares.hpp"

namespace railwright::validation {

namespace {

using core::Accelerator;
using core::GemmConstants;

/// Rows of one format for the fit, and the held-out others.
struct FormatRows {
  std::vector<const KernelRow*> fitted;
  std::vector<const KernelRow*> others;
};

constexpr std::string_view kNativeAttention = "native";
constexpr double kScale = 0.05;        ///< larger errors of logarithms count by their distance
constexpr double kPriorWidth = 1.0;    ///< standard deviation of a constant's logarithm
constexpr double kMinConstant = 1e-9;  ///< a constant up to this does not apply to the format

/// Returns a distance that grows as the square root beyond kScale, so its square grows linearly.
double robust(double error) {
  const double ratio = error / kScale;
  return std::copysign(std::sqrt(2.0 * (std::sqrt(1.0 + ratio * ratio) - 1.0)), error);
}

double log_error_of(const KernelRow& row, const Accelerator& device) {
  return std::log(*row.predict(device) / row.measured);
}

/// Lists the constants that apply to a kernel, which a fit may move, and their ranges.
template <class Constants>
std::vector<double*> numbers_of(Constants& constants, std::vector<core::Range>& ranges) {
  std::vector<double*> numbers;
  core::for_each_field<Constants>([&]<class F>(const F& f) {
    auto& member = constants.*(f.member);
    double* number = nullptr;
    if constexpr (std::is_same_v<typename F::value_type, double>) {
      number = &member;
    } else if constexpr (std::is_same_v<typename F::value_type, core::Duration>) {
      // A Duration is a single double, in seconds.
      static_assert(sizeof(core::Duration) == sizeof(double));
      number = reinterpret_cast<double*>(&member);
    }
    if (number == nullptr || *number <= kMinConstant) return;
    numbers.push_back(number);
    ranges.push_back(f.range);
  });
  return numbers;
}

GemmConstants& constants_of(Accelerator& device, const std::string& format) {
  core::GemmByFormat& gemm = device.kernels.own().gemm;
  if (format == "bf16") return gemm.bf16;
  auto& own = format == "fp8" ? gemm.fp8 : format == "nvfp4" ? gemm.nvfp4 : gemm.fp8_block;
  if (!own) own = gemm.bf16;
  return *own;
}

/// Fits `constants`, which are the device's.
template <class Constants>
void fit_constants(const FormatRows& rows, Constants& constants, const Accelerator& device) {
  std::vector<core::Range> ranges;
  const std::vector<double*> numbers = numbers_of(constants, ranges);
  const auto size = static_cast<Eigen::Index>(numbers.size());
  Eigen::VectorXd prior(size);
  planner::LeastSquares problem{
      .residuals = {}, .lower = Eigen::VectorXd(size), .upper = Eigen::VectorXd(size)};
  for (Eigen::Index i = 0; i < size; ++i) {
    const auto place = static_cast<std::size_t>(i);
    prior[i] = std::log(*numbers[place]);
    problem.lower[i] =
        std::max(std::log(std::max(ranges[place].min, kMinConstant)), prior[i] - 3.0);
    problem.upper[i] = std::min(std::log(ranges[place].max), prior[i] + 3.0);
  }
  const auto set = [&](const Eigen::VectorXd& x) {
    for (Eigen::Index i = 0; i < size; ++i) *numbers[static_cast<std::size_t>(i)] = std::exp(x[i]);
  };
  const auto num_rows = static_cast<Eigen::Index>(rows.fitted.size());
  problem.residuals = [&](const Eigen::VectorXd& x) {
    set(x);
    Eigen::VectorXd residuals(num_rows + size);
    for (Eigen::Index i = 0; i < num_rows; ++i) {
      residuals[i] = robust(log_error_of(*rows.fitted[static_cast<std::size_t>(i)], device));
    }
    residuals.tail(size) = (x - prior) / kPriorWidth;
    return residuals;
  };
  set(minimize(problem, prior).x);
}

/// Corners of the grid around a shape, each with its interpolation weight.
using Corners = std::vector<std::pair<Eigen::Index, double>>;

template <std::size_t N>
std::pair<std::size_t, double> place_of(const std::array<double, N>& corners, double logarithm) {
  const double value = std::clamp(std::expm1(logarithm), corners.front(), corners.back());
  std::size_t low = 0;
  while (low + 2 < N && corners[low + 1] <= value) ++low;
  return {low, std::log(value / corners[low]) / std::log(corners[low + 1] / corners[low])};
}

Corners corners_of(const KernelRow& row) {
  const auto [m, of_m] = place_of(GemmConstants::kRows, row.coordinates[0]);
  const auto [n, of_n] = place_of(GemmConstants::kColumns, row.coordinates[1]);
  const auto [k, of_k] = place_of(GemmConstants::kColumns, row.coordinates[2]);
  constexpr std::size_t kWidth = GemmConstants::kColumns.size();
  Corners corners;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t place =
        ((m + (i & 1U)) * kWidth + n + ((i >> 1U) & 1U)) * kWidth + k + ((i >> 2U) & 1U);
    corners.emplace_back(static_cast<Eigen::Index>(place), ((i & 1U) != 0 ? of_m : 1.0 - of_m) *
                                                               ((i & 2U) != 0 ? of_n : 1.0 - of_n) *
                                                               ((i & 4U) != 0 ? of_k : 1.0 - of_k));
  }
  return corners;
}

constexpr double kOfNeighbours = 3.0;  ///< weight of the difference of two neighbouring factors
constexpr double kOfOne = 0.3;         ///< weight of a factor's distance from 1

/// Returns the terms that hold factors near 1 and near each other, as a quadratic form.
std::vector<Eigen::Triplet<double>> smoothness() {
  constexpr std::size_t kWidth = GemmConstants::kColumns.size();
  std::vector<Eigen::Triplet<double>> terms;
  const auto join = [&](std::size_t a, std::size_t b) {
    for (const auto& [i, j, sign] :
         {std::tuple{a, a, 1.0}, {b, b, 1.0}, {a, b, -1.0}, {b, a, -1.0}}) {
      terms.emplace_back(static_cast<int>(i), static_cast<int>(j), sign * kOfNeighbours);
    }
  };
  for (std::size_t i = 0; i < GemmConstants::kNumFactors; ++i) {
    terms.emplace_back(static_cast<int>(i), static_cast<int>(i), kOfOne);
    if (i % kWidth + 1 < kWidth) join(i, i + 1);
    if (i / kWidth % kWidth + 1 < kWidth) join(i, i + kWidth);
    if (i + kWidth * kWidth < GemmConstants::kNumFactors) join(i, i + kWidth * kWidth);
  }
  return terms;
}

/// Logarithm of the factor that a row needs on the part of its time which factors multiply.
struct FactorTarget {
  Corners corners;
  double logarithm = 0.0;
};

std::vector<FactorTarget> factor_targets(const FormatRows& rows, const Accelerator& device,
                                         GemmConstants& constants) {
  std::vector<FactorTarget> targets;
  for (const KernelRow* row : rows.fitted) {
    constants.factors.assign(GemmConstants::kNumFactors, 1.0);
    const double all = row->predict(device)->base();
    constants.factors.assign(GemmConstants::kNumFactors, 2.0);
    const double scaled = row->predict(device)->base() - all;
    const double wanted = row->measured.base() - (all - scaled);
    if (wanted > 0.25 * scaled && scaled > 0.3 * all) {
      targets.push_back({corners_of(*row), std::log(wanted / scaled)});
    }
  }
  return targets;
}

/// Fits by iteratively reweighted least squares, with the weights of robust().
void fit_factors(const FormatRows& rows, const std::string& format, Accelerator& device) {
  GemmConstants& constants = constants_of(device, format);
  const std::vector<FactorTarget> targets = factor_targets(rows, device, constants);
  const auto size = static_cast<Eigen::Index>(GemmConstants::kNumFactors);
  Eigen::VectorXd factors = Eigen::VectorXd::Zero(size);
  for (int iteration = 0; iteration < 8; ++iteration) {
    std::vector<Eigen::Triplet<double>> terms = smoothness();
    Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
    for (const FactorTarget& target : targets) {
      double predicted = 0.0;
      for (const auto& [place, share] : target.corners) predicted += share * factors[place];
      const double ratio = (target.logarithm - predicted) / kScale;
      const double weight = 1.0 / std::sqrt(1.0 + ratio * ratio);
      for (const auto& [i, a] : target.corners) {
        right[i] += weight * a * target.logarithm;
        for (const auto& [j, b] : target.corners) {
          terms.emplace_back(static_cast<int>(i), static_cast<int>(j), weight * a * b);
        }
      }
    }
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(terms.begin(), terms.end());
    factors = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(right);
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    constants.factors[static_cast<std::size_t>(i)] =
        std::round(1000.0 * std::clamp(std::exp(factors[i]), 0.25, 4.0)) / 1000.0;
  }
}

ErrorStatistics errors_of(const std::vector<const KernelRow*>& rows, const Accelerator& device) {
  std::vector<double> errors;
  for (const KernelRow* row : rows) errors.push_back(*row->predict(device) / row->measured - 1.0);
  return statistics_of(std::move(errors));
}

template <class Constants>
KernelFit fit_with(const Constants& constants, const FormatRows& rows, const Accelerator& device,
                   const std::string& kind, const std::string& format) {
  return {.device = device.name,
          .kind = kind,
          .format = format,
          .constants = core::to_yaml(core::to_node(constants)),
          .fitted = errors_of(rows.fitted, device),
          .others = errors_of(rows.others, device)};
}

KernelFit fit_gemm(const FormatRows& rows, const std::string& format, Accelerator& device) {
  GemmConstants& constants = constants_of(device, format);
  constants.factors.clear();
  fit_constants(rows, constants, device);
  fit_factors(rows, format, device);
  return fit_with(constants, rows, device, "gemm", format);
}

/// Fits one kernel of training to its forward and backward passes. The device keeps its
/// efficiencies, which scale times by those of the constants: they are set equal.
KernelFit fit_attention(const FormatRows& rows, const std::string& kernel, Accelerator& device) {
  core::AttentionKernels& own = device.kernels.own().attention;
  const bool is_native = kernel == kNativeAttention;
  if (!own.flash_2) own.flash_2 = own.training;
  own.flash_2_efficiency = device.attention_efficiency.value;
  own.training_efficiency =
      device.native_attention_efficiency.value_or(device.attention_efficiency).value;
  core::AttentionConstants& constants = is_native ? own.training : *own.flash_2;
  fit_constants(rows, constants, device);
  return fit_with(constants, rows, device, "attention", is_native ? "training" : kernel);
}

/// Returns what rows of a format are fitted with: a kernel's forward and backward pass together.
std::string fit_of(const KernelTable& table, const KernelRow& row) {
  if (table.kind == "gemm") return row.format;
  return row.format.substr(0, row.format.rfind('_'));
}

void fit_table(const KernelTable& table, const core::Catalogue& catalogue,
               const core::Location& where, core::Reader& reader, std::vector<KernelFit>& fits) {
  Accelerator device = read_accelerator(table.device, catalogue, where, reader);
  const std::vector<KernelRow> rows = read_kernel_rows(table, where, reader);
  reader.throw_if_any();
  std::map<std::string, FormatRows> formats;
  for (const KernelRow& row : rows) {
    FormatRows& of_format = formats[fit_of(table, row)];
    (row.is_for_fitting() ? of_format.fitted : of_format.others).push_back(&row);
  }
  for (const auto& [format, of_format] : formats) {
    fits.push_back(table.kind == "gemm" ? fit_gemm(of_format, format, device)
                                        : fit_attention(of_format, format, device));
  }
}

}  // namespace

std::vector<KernelFit> fit_kernels(const core::Node& suite, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  const Suite read = read_suite(suite, reader);
  if (read.kernels.empty()) reader.report(suite.where, "kernels", "nothing to fit to");
  reader.throw_if_any();
  std::vector<KernelFit> fits;
  for (const KernelTable& table : read.kernels) {
    const bool has_fit = table.kind == "gemm" || table.kind == "training_attention";
    if (has_fit && table.fits) fit_table(table, catalogue, suite.where, reader, fits);
  }
  return fits;
}

}  // namespace railwright::validation
