// SPDX-License-Identifier: Apache-2.0
#include "fit_factors.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace railwright::validation {

namespace {

using core::Accelerator;
using core::GemmConstants;

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

std::vector<FactorTarget> factor_targets(const std::vector<const KernelRow*>& rows,
                                         const Accelerator& device, GemmConstants& constants) {
  std::vector<FactorTarget> targets;
  for (const KernelRow* row : rows) {
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

}  // namespace

void fit_factors(const std::vector<const KernelRow*>& rows, const Accelerator& device,
                 GemmConstants& constants) {
  const std::vector<FactorTarget> targets = factor_targets(rows, device, constants);
  const auto size = static_cast<Eigen::Index>(GemmConstants::kNumFactors);
  Eigen::VectorXd factors = Eigen::VectorXd::Zero(size);
  for (int iteration = 0; iteration < 8; ++iteration) {
    std::vector<Eigen::Triplet<double>> terms = smoothness();
    Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
    for (const FactorTarget& target : targets) {
      double predicted = 0.0;
      for (const auto& [place, share] : target.corners) predicted += share * factors[place];
      const double ratio = (target.logarithm - predicted) / kRobustScale;
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

}  // namespace railwright::validation
