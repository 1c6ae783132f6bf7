// SPDX-License-Identifier: Apache-2.0
// Imports requests to a service, as comma-separated values, as the trace of a load: the columns of
// Azure's LLM inference traces [@azure_llm_trace] or of BurstGPT [@burstgpt].
#include "request_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "../common/date_time.hpp"
#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

/// Names of the columns of a list of requests.
struct Columns {
  std::string_view time;
  std::string_view prompt;
  std::string_view output;
};
constexpr auto kRequestColumns = std::to_array<Columns>({
    {"TIMESTAMP", "ContextTokens", "GeneratedTokens"},
    {"Timestamp", "Request tokens", "Response tokens"},
});

struct Request {
  double arrival = 0.0;
  std::int64_t prompt = 0;
  std::int64_t output = 0;
};

/// Reads the list line by line.
class RequestList {
 public:
  explicit RequestList(Findings& findings) : findings_(findings) {}

  std::vector<Request> read(std::string_view text) {
    std::vector<Request> requests;
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) {
      ++number;
      if (line.empty()) continue;
      const std::vector<std::string_view> cells = core::cells_of(line, ',');
      if (!places_) {
        find_columns(cells, number);
        if (!places_) return {};
      } else if (const auto request = request_of(cells, number)) {
        requests.push_back(*request);
      }
      if (findings_.is_full()) break;
    }
    if (num_without_ > 0) {
      findings_.not_expressed(fmt::format("{} requests without an answer", num_without_));
    }
    return requests;
  }

 private:
  void find_columns(const std::vector<std::string_view>& names, int line) {
    for (const Columns& known : kRequestColumns) {
      const std::array wanted{known.time, known.prompt, known.output};
      std::array<std::size_t, 3> places{};
      bool has_all = true;
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto found = std::ranges::find(names, wanted[i]);
        has_all = has_all && found != names.end();
        places[i] = static_cast<std::size_t>(found - names.begin());
      }
      if (!has_all) continue;
      for (const std::string_view name : wanted) {
        if (std::ranges::count(names, name) > 1) {
          findings_.problem_at_line(line, fmt::format("column {} is given twice", name));
        }
      }
      places_ = places;
      return;
    }
    findings_.problem_at_line(line,
                              "no columns TIMESTAMP, ContextTokens and GeneratedTokens, nor "
                              "Timestamp, Request tokens and Response tokens");
  }

  std::optional<Request> request_of(const std::vector<std::string_view>& cells, int line) {
    const auto cell = [&](std::size_t i) {
      const std::size_t place = (*places_)[i];
      return place < cells.size() ? cells[place] : std::string_view();
    };
    const double seconds = core::number_of(cell(0));
    const auto arrival = std::isfinite(seconds) ? std::optional(seconds) : date_time_of(cell(0));
    const auto prompt = digits_of(cell(1));
    const auto output = digits_of(cell(2));
    if (!arrival) findings_.problem_at_line(line, "no time: '" + shown(cell(0)) + "'");
    if (!prompt || !output) findings_.problem_at_line(line, "no whole numbers of tokens");
    if (!arrival || !prompt || !output) return std::nullopt;
    if (*prompt > 0 && *output > 0) return Request{*arrival, *prompt, *output};
    ++num_without_;
    return std::nullopt;
  }

  Findings& findings_;
  std::optional<std::array<std::size_t, 3>> places_;
  std::int64_t num_without_ = 0;
};

}  // namespace

bool is_request_trace(std::string_view head) {
  return contains(head, "ContextTokens") || contains(head, "Response tokens");
}

Imported import_request_trace(std::string_view text, const std::string& file,
                              const core::Node& /*known*/) {
  Findings findings(file);
  std::vector<Request> requests = RequestList(findings).read(text);
  if (requests.empty() && !findings.has_problems()) {
    findings.problem_in_file("no request with an answer");
  }
  findings.throw_if_any();
  std::ranges::stable_sort(requests, {}, &Request::arrival);
  std::string trace = "arrival_s,prompt_tokens,output_tokens\n";
  double prompts = 0.0;
  double outputs = 0.0;
  for (const Request& one : requests) {
    trace += fmt::format("{:.3f},{},{}\n", one.arrival - requests.front().arrival, one.prompt,
                         one.output);
    prompts += static_cast<double>(one.prompt);
    outputs += static_cast<double>(one.output);
  }
  const auto count = static_cast<double>(requests.size());
  const std::string origin = fmt::format("{} requests", requests.size());
  findings.know("inference.prompt_tokens", std::llround(prompts / count), "mean of " + origin);
  findings.know("inference.output_tokens", std::llround(outputs / count), "mean of " + origin);
  findings.know("inference.load.trace", trace, origin);
  findings.unknown("inference.model", "a list of requests tells nothing of the model");
  findings.unknown("cluster", "a list of requests tells nothing of the nodes");
  return findings.take();
}

}  // namespace railwright::importers
