// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "page_parts.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxStages = 8;
constexpr std::size_t kMaxBins = 2'400;
constexpr std::size_t kMaxBinsOfAll = 48'000;
constexpr std::size_t kNumReadings = 240;
constexpr std::size_t kMaxRunSpans = 4'000;
/// Number of operation names; the last two kinds share one.
constexpr std::size_t kNumOperations = simulation::kOpNames.size() - 1;
/// Kinds of a lane: computation of forward passes, of backward passes, and the operations.
constexpr std::size_t kNumKinds = 2 + kNumOperations;

std::size_t kind_of(const simulation::Span& span) {
  if (span.kind == simulation::OpKind::kCompute && span.mark.pass != simulation::OpPass::kNone) {
    return span.mark.pass == simulation::OpPass::kForward ? 0 : 1;
  }
  return 2 + std::min(static_cast<std::size_t>(span.kind), kNumOperations - 1);
}

std::string_view name_of_kind(std::size_t kind) {
  if (kind == 0) return "forward";
  return kind == 1 ? "backward" : simulation::kOpNames[kind - 2];
}

double seconds(core::StepTime time) { return time.duration().base(); }

/// Returns the first rank class of at most kMaxStages stages, including the first and last stage.
std::vector<std::int32_t> shown_classes(const simulation::StepTrace& trace) {
  std::map<int, std::int32_t> first;
  for (std::size_t c = 0; c < trace.rank_classes.size(); ++c) {
    first.try_emplace(trace.rank_classes[c].stage, static_cast<std::int32_t>(c));
  }
  std::vector<std::int32_t> all;
  for (const auto& [stage, c] : first) all.push_back(c);
  if (all.size() <= kMaxStages) return all;
  std::vector<std::int32_t> spread;
  for (std::size_t i = 0; i < kMaxStages; ++i) {
    const std::size_t at = (i * (all.size() - 1) + (kMaxStages - 1) / 2) / (kMaxStages - 1);
    spread.push_back(all[at]);
  }
  return spread;
}

/// Time of a stream by kind in each bin.
class Lane {
 public:
  Lane(std::size_t num_bins, double width)
      : num_bins_(num_bins), width_(width), time_(num_bins * kNumKinds, 0.0) {}

  void add(const simulation::Span& span) {
    const double start = seconds(span.start);
    const double end = seconds(span.end);
    const std::size_t kind = kind_of(span);
    busy_[kind] += end - start;
    for (std::size_t bin = bin_of(start); bin <= bin_of(end); ++bin) {
      const double from = std::max(start, width_ * static_cast<double>(bin));
      const double to = std::min(end, width_ * static_cast<double>(bin + 1));
      time_[bin * kNumKinds + kind] += std::max(0.0, to - from);
    }
  }

  /// Returns three numbers per run of equal bins: the kind with the most time (-1 if idle), the
  /// busy share in percent, and the number of bins.
  [[nodiscard]] Json runs() const {
    Json runs = Json::array();
    Bin last = bin_at(0);
    int length = 0;
    const auto end_run = [&] {
      runs.push_back(last.kind);
      runs.push_back(last.percent);
      runs.push_back(length);
    };
    for (std::size_t i = 0; i < num_bins_; ++i) {
      const Bin bin = bin_at(i);
      if (bin != last) {
        end_run();
        last = bin;
        length = 0;
      }
      ++length;
    }
    end_run();
    return runs;
  }

  [[nodiscard]] Json busy() const {
    Json json = Json::object();
    for (std::size_t kind = 0; kind < kNumKinds; ++kind) {
      if (busy_[kind] > 0.0) json[std::string(name_of_kind(kind))] = busy_[kind];
    }
    return json;
  }

 private:
  [[nodiscard]] std::size_t bin_of(double time) const {
    return std::min(num_bins_ - 1, static_cast<std::size_t>(std::max(0.0, time / width_)));
  }

  struct Bin {
    int kind = -1;
    int percent = 0;

    bool operator==(const Bin&) const = default;
  };

  /// Rounds shares to steps of five percent, so that similar bins form one run; a busy bin is at
  /// least one step.
  [[nodiscard]] Bin bin_at(std::size_t bin) const {
    const auto begin = time_.begin() + static_cast<std::ptrdiff_t>(bin * kNumKinds);
    const auto end = begin + static_cast<std::ptrdiff_t>(kNumKinds);
    double sum = 0.0;
    for (auto it = begin; it != end; ++it) sum += *it;
    if (sum <= 0.0) return {};
    constexpr int kStep = 5;
    const auto steps = static_cast<int>(std::round(100.0 / kStep * std::min(1.0, sum / width_)));
    return {static_cast<int>(std::max_element(begin, end) - begin), kStep * std::max(1, steps)};
  }

  std::size_t num_bins_;
  double width_;
  std::vector<double> time_;
  std::array<double, kNumKinds> busy_{};
};

/// Returns the used share of each watched link's capacity, in bins over the step.
Json links_over_time(const simulation::StepTrace& trace, double step_time) {
  Json json = {{"time_s", Json::array()}, {"lines", Json::array()}};
  const std::size_t num_links = trace.watched.size();
  if (trace.at.size() < 2 || num_links == 0) return json;
  const double width = step_time / kNumReadings;
  for (std::size_t i = 0; i < kNumReadings; ++i) {
    json["time_s"].push_back(width * static_cast<double>(i));
  }
  for (std::size_t w = 0; w < num_links; ++w) {
    const auto carried = [&](std::size_t reading) {
      return trace.carried[reading * num_links + w];
    };
    Json shares = Json::array();
    double before = 0.0;
    std::size_t next = 1;
    for (std::size_t i = 1; i <= kNumReadings; ++i) {
      const double time = width * static_cast<double>(i);
      while (next + 1 < trace.at.size() && seconds(trace.at[next]) < time) ++next;
      const double from = seconds(trace.at[next - 1]);
      const double to = seconds(trace.at[next]);
      const double share = to > from ? std::clamp((time - from) / (to - from), 0.0, 1.0) : 1.0;
      const double now = carried(next - 1) + share * (carried(next) - carried(next - 1));
      shares.push_back((now - before) / (width * trace.watched[w].capacity));
      before = now;
    }
    json["lines"].push_back({{"name", trace.watched[w].name},
                             {"tier", core::to_string(trace.watched[w].tier)},
                             {"utilization", std::move(shares)}});
  }
  return json;
}

}  // namespace

std::string timeline_json(const simulation::StepTrace& trace) {
  double step_time = 0.0;
  for (const simulation::Span& span : trace.spans)
    step_time = std::max(step_time, seconds(span.end));
  const std::vector<std::int32_t> shown = shown_classes(trace);
  const std::size_t num_bins =
      std::min(kMaxBins, kMaxBinsOfAll / std::max<std::size_t>(1, shown.size() * 5));
  const double width = step_time / static_cast<double>(num_bins);
  std::map<std::pair<std::int32_t, simulation::Stream>, Lane> lanes;
  for (const simulation::Span& span : trace.spans) {
    if (std::ranges::find(shown, span.rank_class) == shown.end()) continue;
    const auto key = std::pair(span.rank_class, span.stream);
    lanes.try_emplace(key, num_bins, width).first->second.add(span);
  }
  Json json = {{"step_time_s", step_time}, {"bin_width_s", width}, {"num_bins", num_bins}};
  json["num_stages"] = trace.rank_classes.empty() ? 0 : trace.rank_classes.back().stage + 1;
  json["num_spans"] = trace.spans.size();
  json["kinds"] = Json::array();
  for (std::size_t kind = 0; kind < kNumKinds; ++kind) json["kinds"].push_back(name_of_kind(kind));
  json["lanes"] = Json::array();
  for (const auto& [key, lane] : lanes) {
    const simulation::RankClass& ranks = trace.rank_classes[static_cast<std::size_t>(key.first)];
    json["lanes"].push_back(
        {{"stage", ranks.stage},
         {"num_ranks", ranks.num_ranks},
         {"stream", simulation::kStreamNames[static_cast<std::size_t>(key.second)]},
         {"busy_s", lane.busy()},
         {"bins", lane.runs()}});
  }
  json["links_over_time"] = links_over_time(trace, step_time);
  return json.dump();
}

std::string run_timeline_json(const simulation::RunResult& run) {
  if (run.spans.empty() || run.spans.size() > kMaxRunSpans) return "null";
  std::vector<std::string> phases;
  Json spans = Json::array();
  for (const simulation::RunSpan& span : run.spans) {
    auto phase = std::ranges::find(phases, span.what);
    if (phase == phases.end()) phase = phases.insert(phases.end(), std::string(span.what));
    const int behind = span.is_drain ? 2 : span.is_behind ? 1 : 0;
    spans.push_back({span.job, phase - phases.begin(), behind, span.start.duration().base(),
                     span.end.duration().base()});
  }
  Json jobs = Json::array();
  for (const simulation::JobRun& job : run.jobs) jobs.push_back(job.name);
  return Json{{"jobs", std::move(jobs)}, {"phases", phases}, {"spans", std::move(spans)}}.dump();
}

}  // namespace railwright::output
