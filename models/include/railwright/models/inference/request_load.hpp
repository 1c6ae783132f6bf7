// SPDX-License-Identifier: Apache-2.0
// Arriving requests: their number, times and lengths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

enum class Arrivals : std::uint8_t { kAtOnce, kPoisson, kGamma, kEven };

constexpr auto enum_words(Arrivals) {
  using enum Arrivals;
  return core::words<Arrivals>(
      {{"at_once", kAtOnce}, {"poisson", kPoisson}, {"gamma", kGamma}, {"even", kEven}});
}

/// Which replica takes the next request.
enum class Routing : std::uint8_t { kInTurn, kFewestRequests };

constexpr auto enum_words(Routing) {
  using enum Routing;
  return core::words<Routing>({{"in_turn", kInTurn}, {"fewest_requests", kFewestRequests}});
}

/// Replicas that come and go with the requests. The defaults are those of Kubernetes' horizontal
/// pod autoscaler. [@kubernetes_hpa]
struct Autoscaling {
  int min_replicas = 1;
  int max_replicas = 1;
  double target_requests = 1.0;
  core::Duration interval = core::Duration::from_base(15.0);
  core::Duration scale_down_after = core::Duration::from_base(300.0);

  static constexpr auto fields();
};

/// The requests of a simulated run.
struct RequestLoad {
  int requests = 1000;
  std::optional<int> concurrency;
  std::optional<int> users;
  core::Duration think_time;
  double shortest = 1.0;
  Arrivals arrivals = Arrivals::kPoisson;
  double burstiness = 0.5;
  double swing = 0.0;
  core::Duration period = core::Duration::from_base(86400.0);
  double prompt_spread = 0.0;
  double output_spread = 0.0;
  std::string trace;
  std::optional<int> replicas;
  Routing routing = Routing::kInTurn;
  std::optional<Autoscaling> autoscaling;
  double percentile = 0.99;
  int seed = 1;

  /// Whether a fixed number of users send them, each the next when the last is answered.
  [[nodiscard]] bool has_users() const { return concurrency || users; }
  [[nodiscard]] std::int64_t num_users() const { return concurrency.value_or(users.value_or(0)); }
  [[nodiscard]] bool comes_at_once() const {
    return trace.empty() && !has_users() && arrivals == Arrivals::kAtOnce;
  }
  /// Whether requests come at the wanted rate before and after those of the run.
  [[nodiscard]] bool keeps_coming() const {
    return trace.empty() && !has_users() && arrivals != Arrivals::kAtOnce;
  }

  static constexpr auto fields();
};

struct Request {
  double arrival = 0.0;  ///< seconds
  std::int32_t prompt_tokens = 1;
  std::int32_t output_tokens = 1;
};

/// Returns the requests of a trace in the order of arrival, which is 0 for the first. Adds every
/// problem of its lines at `where`.
std::vector<Request> read_requests(std::string_view trace, const core::Location& where,
                                   std::vector<core::Diagnostic>& problems);

/// The first `taken` of every `of` requests that come: those of some replicas that take requests
/// in turn.
struct TakenRequests {
  std::int64_t taken = 1;
  std::int64_t of = 1;
};

/// Draws requests in the order of arrival, from time 0 on; the same seed gives the same requests on
/// every machine. Draws `more` than `load.requests` where asked.
std::vector<Request> draw_requests(const RequestLoad& load, double requests_per_s,
                                   double prompt_tokens, double output_tokens,
                                   std::int64_t more = 0, const TakenRequests& part = {});

/// Draws `count` requests whose times their users set.
std::vector<Request> draw_lengths(const RequestLoad& load, std::int64_t count, double prompt_tokens,
                                  double output_tokens);

/// A span before time 0, in seconds, and the most requests that are drawn in it.
struct EarlierSpan {
  double time = 0.0;
  std::int64_t most = 0;
};

/// Draws the requests that come in the span, the latest of them if there are more, in the order of
/// arrival.
std::vector<Request> draw_earlier_requests(const RequestLoad& load, double requests_per_s,
                                           double prompt_tokens, double output_tokens,
                                           const EarlierSpan& span, const TakenRequests& part = {});

}  // namespace railwright::models
