// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/calibration/calibrate_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "../suites/series.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/planner/site_fit/least_squares.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::validation {

namespace {

constexpr double kEfficiencyDifference = -1e-3;
constexpr double kTells = 0.5;  ///< share of the NICs above which a call counts

/// Errors of the calls as a function of the logarithm of NIC efficiency.
class Calls {
 public:
  Calls(const simulation::CheckedBenchmark& checked, const std::vector<MeasuredCall>& calls)
      : calls_(calls), fabric_(checked.cluster.topology->build(checked.cluster.cluster).fabric) {
    std::vector<int> members(
        static_cast<std::size_t>(checked.benchmark.ranks.value_or(fabric_.num_accelerators())));
    std::iota(members.begin(), members.end(), 0);
    const models::Communicator communicator(fabric_, members, checked.benchmark.library);
    for (const MeasuredCall& call : calls) {
      flows_.push_back(communicator.flow(checked.benchmark.op, call.size.base()));
    }
  }

  [[nodiscard]] core::Duration time(std::size_t call, double nic) const {
    std::vector<double> capacity;
    for (const core::Link& link : fabric_.links()) {
      const double factor = link.tier == core::Tier::kInjection ? std::exp(nic) : 1.0;
      capacity.push_back(link.bandwidth.base() * factor);
    }
    return models::isolated_time(flows_[call], calls_[call].size.base(), capacity);
  }
  [[nodiscard]] double error(std::size_t call, double nic) const {
    return std::log(time(call, nic) / calls_[call].time);
  }
  [[nodiscard]] double nic_share(std::size_t call, double nic) const {
    return -(error(call, nic + kEfficiencyDifference) - error(call, nic)) / kEfficiencyDifference;
  }

  [[nodiscard]] std::vector<std::size_t> telling(double nic) const {
    std::vector<std::size_t> telling;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (nic_share(i, nic) > kTells) telling.push_back(i);
    }
    return telling;
  }

  [[nodiscard]] planner::Minimum fit(const std::vector<std::size_t>& used,
                                     std::size_t left_out) const {
    const planner::LeastSquares problem{
        .residuals =
            [&](const Eigen::VectorXd& x) {
              Eigen::VectorXd residuals =
                  Eigen::VectorXd::Zero(static_cast<Eigen::Index>(used.size()));
              for (std::size_t i = 0; i < used.size(); ++i) {
                if (used[i] != left_out) {
                  residuals[static_cast<Eigen::Index>(i)] = error(used[i], x[0]);
                }
              }
              return residuals;
            },
        .lower = Eigen::VectorXd::Constant(1, std::log(1e-3)),
        .upper = Eigen::VectorXd::Zero(1)};
    return minimize(problem, Eigen::VectorXd::Constant(1, std::log(0.5)));
  }

 private:
  const std::vector<MeasuredCall>& calls_;
  core::Fabric fabric_;
  std::vector<models::CollectiveFlow> flows_;
};

/// Takes the interval of a site whose steps nobody measured, with software that others ran.
void take_unmeasured_band(const core::Catalogue& catalogue, SiteFit& fit) {
  const auto errors = simulation::family_errors(simulation::StepClass::kLikePublished, catalogue);
  if (errors) fit.band = {.low = errors->low, .high = errors->high};
  fit.band_from = "of a site nobody measured, since no step was";
}

void note_small_calls(const Calls& calls, const std::vector<std::size_t>& used, std::size_t size,
                      double nic, SiteFit& fit) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < size; ++i) {
    if (std::ranges::find(used, i) == used.end()) ratios.push_back(std::exp(-calls.error(i, nic)));
  }
  if (ratios.empty()) return;
  fit.notes.push_back(fmt::format(
      "{} of {} calls were not used, since the NICs have less than half of their time; they take "
      "{:.2f} times as long as predicted (median), and an installation has no number for latency",
      ratios.size(), size, core::median(ratios)));
}

}  // namespace

SiteFit calibrate_collectives(const simulation::CheckedBenchmark& checked,
                              const std::vector<MeasuredCall>& calls,
                              const core::Catalogue& catalogue) {
  const Calls problem(checked, calls);
  SiteFit fit;
  take_unmeasured_band(catalogue, fit);
  std::vector<std::size_t> used = problem.telling(std::log(0.5));
  if (used.empty()) {
    fit.refusal =
        "in no call do the NICs have more than half of the time, so none tells nic_efficiency: "
        "calls over several nodes, of larger buffers, would";
    return fit;
  }
  const std::size_t none = calls.size();
  planner::Minimum minimum = problem.fit(used, none);
  if (auto again = problem.telling(minimum.x[0]); !again.empty() && again != used) {
    used = std::move(again);
    minimum = problem.fit(used, none);
  }
  const double nic = minimum.x[0];
  fit.nic = {
      .value = std::exp(nic), .is_fitted = true, .is_at_bound = nic >= -1e-6, .log_error = {}};
  if (used.size() > 1) {
    const auto freedom = static_cast<double>(used.size() - 1);
    fit.nic.log_error = std::sqrt(minimum.cost() / freedom / minimum.jacobian.squaredNorm());
  }
  for (const std::size_t i : used) {
    const double error = problem.error(i, nic);
    const double prior = problem.error(i, 0.0);
    fit.runs.push_back({.name = fmt::format("{} of {}", core::to_string(checked.benchmark.op),
                                            core::to_text(calls[i].size)),
                        .source = {},
                        .measured = calls[i].time,
                        .standard_error = {},
                        .prior = {.predicted = calls[i].time * std::exp(prior),
                                  .error = std::exp(prior) - 1.0,
                                  .low = {},
                                  .high = {}},
                        .predicted = calls[i].time * std::exp(error),
                        .error = std::exp(error) - 1.0,
                        .left_out = {},
                        .nic_share = problem.nic_share(i, nic)});
    if (used.size() > 1) {
      fit.runs.back().left_out = std::exp(problem.error(i, problem.fit(used, i).x[0])) - 1.0;
    }
  }
  note_small_calls(problem, used, calls.size(), nic, fit);
  if (fit.nic.is_at_bound) {
    fit.notes.emplace_back(
        "nic_efficiency is at its bound of 1: the calls were faster than the scenario allows, so "
        "its NICs, library or transport are likely too slow");
  }
  return fit;
}

}  // namespace railwright::validation
