// SPDX-License-Identifier: Apache-2.0
#include "identifiability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::validation {

namespace {

constexpr double kMinError = 0.01;        ///< smallest relative error assumed for a step time
constexpr double kLogDifference = -1e-3;  ///< difference of a logarithm
constexpr double kHides = 0.005;          ///< elasticity of a step below which NICs count as hidden

double largest(const Eigen::VectorXd& values) { return values.cwiseAbs().maxCoeff(); }

/// Returns d ln(step time) by the logarithms of both factors.
std::array<double, 2> slopes_of(const simulation::CheckedScenario& scenario, const Factors& at) {
  const core::Fabric fabric = scenario.topology->build(scenario.scenario.cluster).fabric;
  const double here = planner::log_step_time(scenario, fabric, at, simulation::Method::kEstimate);
  std::array<double, 2> slopes{};
  for (std::size_t i = 0; i < 2; ++i) {
    Factors moved = at;
    moved[i] += kLogDifference;
    slopes[i] =
        (planner::log_step_time(scenario, fabric, moved, simulation::Method::kEstimate) - here) /
        kLogDifference;
  }
  return slopes;
}

/// Lists settings that change how much the network matters in a scenario.
std::vector<std::string> variations_of(const simulation::Scenario& scenario) {
  std::vector<std::string> settings;
  const int nodes = scenario.cluster.num_nodes;
  for (const int other : {2 * nodes, 4 * nodes, nodes / 2, 1}) {
    if (other >= 1 && other != nodes) settings.push_back(fmt::format("cluster.nodes={}", other));
  }
  const int nics = scenario.cluster.node.nics.count;
  if (nics >= 2) settings.push_back(fmt::format("cluster.node.nics.count={}", nics / 2));
  const std::int64_t batch = scenario.workload.global_batch;
  for (const std::int64_t other : {batch / 2, batch / 4, 2 * batch}) {
    if (other >= 1) settings.push_back(fmt::format("workload.global_batch={}", other));
  }
  return settings;
}

std::optional<simulation::CheckedScenario> varied(const core::Node& tree,
                                                  const std::string& setting,
                                                  const core::Catalogue& catalogue) {
  try {
    core::Node other = tree;
    core::set_path(other, setting);
    return simulation::read_scenario(other, catalogue);
  } catch (const core::Error&) {
    return {};
  }
}

}  // namespace

Eigen::VectorXd reach_of(const Eigen::MatrixXd& jacobian, const std::vector<double>& sigmas) {
  Eigen::MatrixXd weighted = jacobian;
  for (Eigen::Index i = 0; i < weighted.rows(); ++i) {
    const double sigma = sigmas[static_cast<std::size_t>(i)];
    weighted.row(i) /= std::max(kMinError, sigma < 1.0 ? sigma : 0.0);
  }
  Eigen::VectorXd infinite =
      Eigen::VectorXd::Constant(jacobian.cols(), std::numeric_limits<double>::infinity());
  const Eigen::MatrixXd normal = weighted.transpose() * weighted;
  const auto qr = weighted.colPivHouseholderQr();
  if (qr.rank() < jacobian.cols()) return infinite;
  return normal.inverse().diagonal().cwiseSqrt();
}

std::string confusion(const Eigen::MatrixXd& jacobian, const std::vector<double>& sigmas) {
  const auto nic = static_cast<Eigen::Index>(kNic);
  if (largest(jacobian.col(nic)) < kHides) {
    return "nic_efficiency cannot be determined: in every run NIC transfers are fully overlapped "
           "with "
           "compute, or absent";
  }
  const Eigen::VectorXd reach = reach_of(jacobian, sigmas);
  if (reach.maxCoeff() <= kWidestReach) return {};
  const Eigen::VectorXd shares = -jacobian.col(nic);
  return fmt::format(
      "compute_efficiency and nic_efficiency cannot be told apart: the NICs have {:.1f} to {:.1f} "
      "% "
      "of every step, and if the times moved by 1 %, nic_efficiency could move by {}",
      100.0 * shares.minCoeff(), 100.0 * shares.maxCoeff(),
      std::isfinite(reach[nic]) ? fmt::format("a factor of {:.2g}", std::exp(reach[nic]))
                                : "any factor");
}

std::string confusion_above(const std::vector<MeasuredRun>& runs, const SiteProblem& problem,
                            const Factors& fitted, simulation::Method method) {
  constexpr double kNearBound = -0.05;
  if (fitted[kNic] > kNearBound) return {};
  const Factors held{fitted[kCompute], std::min(0.0, fitted[kNic] + kWidestReach)};
  const SiteProblem faster(runs, held);
  const planner::Minimum minimum = minimize(faster.least_squares({kCompute}, runs.size(), method),
                                            Eigen::VectorXd::Constant(1, fitted[kCompute]));
  const auto before = problem.errors(fitted, method);
  const auto after = faster.errors(faster.factors_of(minimum.x, {kCompute}), method);
  double difference = 0.0;
  double largest_move = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double sigma = problem.sigmas()[i];
    const double scale = std::max(kMinError, sigma < 1.0 ? sigma : 0.0);
    difference += (after[i] * after[i] - before[i] * before[i]) / (scale * scale);
    largest_move = std::max(largest_move, std::abs(after[i] - before[i]));
  }
  const double distance = (held[kNic] - fitted[kNic]) / kWidestReach;
  if (difference >= distance * distance) return {};
  return fmt::format(
      "compute_efficiency and nic_efficiency cannot be told apart: with a nic_efficiency of {:.2g} "
      "in place of {:.2g} no step time would move by more than {:.1f} %",
      std::exp(held[kNic]), std::exp(fitted[kNic]), 100.0 * largest_move);
}

std::string telling_run(const std::vector<MeasuredRun>& runs, const core::Catalogue& catalogue,
                        const Factors& at) {
  const auto num_runs = static_cast<Eigen::Index>(runs.size());
  Eigen::MatrixXd jacobian(num_runs + 1, 2);
  std::vector<double> sigmas(runs.size() + 1, kMinError);
  for (Eigen::Index i = 0; i < num_runs; ++i) {
    const auto slopes = slopes_of(runs[static_cast<std::size_t>(i)].scenario, at);
    jacobian.row(i) << slopes[kCompute], slopes[kNic];
  }
  double least = kWidestReach;
  std::string best;
  for (const MeasuredRun& run : runs) {
    for (const std::string& setting : variations_of(run.scenario.scenario)) {
      const auto scenario = varied(run.tree, setting, catalogue);
      if (!scenario) continue;
      const auto slopes = slopes_of(*scenario, at);
      jacobian.row(num_runs) << slopes[kCompute], slopes[kNic];
      const double reach = reach_of(jacobian, sigmas)[static_cast<Eigen::Index>(kNic)];
      if (!(reach < least)) continue;
      least = reach;
      best = fmt::format(
          "a run of '{}' with {} would tell them apart: at a nic_efficiency of {:.2g} the NICs "
          "have "
          "{:.0f} % of that step",
          run.name, setting, std::exp(at[kNic]), -100.0 * slopes[kNic]);
    }
  }
  return best;
}

}  // namespace railwright::validation
