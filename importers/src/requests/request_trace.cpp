// SPDX-License-Identifier: Apache-2.0
// Imports requests to a service, as comma-separated values, as the trace of a load: the columns of
// Azure's LLM inference traces [@azure_llm_trace] or of BurstGPT [@burstgpt]; or as Mooncake's
// lines of JSON [@mooncake_trace].
#include "request_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "../common/trace_part.hpp"
#include "mooncake.hpp"
#include "railwright/core/config/date_time.hpp"
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

/// Reads the list line by line.
class RequestList {
 public:
  explicit RequestList(Findings& findings) : findings_(findings) {}

  std::vector<RequestOfTrace> read(std::string_view text) {
    std::vector<RequestOfTrace> requests;
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

  std::optional<RequestOfTrace> request_of(const std::vector<std::string_view>& cells, int line) {
    const auto cell = [&](std::size_t i) {
      const std::size_t place = (*places_)[i];
      return place < cells.size() ? cells[place] : std::string_view();
    };
    const double seconds = core::number_of(cell(0));
    const auto arrival =
        std::isfinite(seconds) ? std::optional(seconds) : core::date_time_of(cell(0));
    const auto prompt = core::digits_of(cell(1));
    const auto output = core::digits_of(cell(2));
    if (!arrival) findings_.problem_at_line(line, "no time: '" + shown(cell(0)) + "'");
    if (!prompt || !output) findings_.problem_at_line(line, "no whole numbers of tokens");
    if (!arrival || !prompt || !output) return std::nullopt;
    if (*prompt > 0 && *output > 0) return RequestOfTrace{*arrival, *prompt, *output};
    ++num_without_;
    return std::nullopt;
  }

  Findings& findings_;
  std::optional<std::array<std::size_t, 3>> places_;
  std::int64_t num_without_ = 0;
};

}  // namespace

bool is_request_trace(std::string_view head) {
  return contains(head, "ContextTokens") || contains(head, "Response tokens") || is_mooncake(head);
}

Imported import_request_trace(std::string_view text, const std::string& file,
                              const core::Node& /*known*/) {
  Findings findings(file);
  add_requests(is_mooncake(text) ? read_mooncake(text, findings) : RequestList(findings).read(text),
               findings);
  return findings.take();
}

}  // namespace railwright::importers
