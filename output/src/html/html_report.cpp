// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/html/html_report.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/output/html/page_files.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

constexpr std::array<std::string_view, 17> kScripts{
    "chart.js",   "page.js",    "charts.js",        "simulate.js",  "timeline.js", "fabric.js",
    "compare.js", "service.js", "post_training.js", "plain.js",     "queue.js",    "size.js",
    "search.js",  "sweep.js",   "explain.js",       "calibrate.js", "report.js"};

void replace(std::string& text, std::string_view mark, std::string_view value) {
  text.replace(text.find(mark), mark.size(), value);
}

/// Escapes every '<' of JSON, so that no tag can begin inside the script element.
std::string without_tags(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string policy() {
  std::string scripts;
  for (const std::string_view name : kScripts) {
    scripts += fmt::format(" 'sha256-{}'", find_page_file(name).sha256);
  }
  return fmt::format(
      "default-src 'none'; script-src{}; style-src 'sha256-{}'; base-uri 'none'; form-action "
      "'none'",
      scripts, find_page_file("style.css").sha256);
}

/// Returns the FNV-1a hash of a part of the document, which tells whether two reports had the same
/// input; "" without that part.
std::string hash_of(const nlohmann::ordered_json& document, const char* part) {
  if (!document.contains(part)) return {};
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : document[part].dump()) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

void require_chart_library(const std::string& option) {
  if (has_chart_library()) return;
  throw core::ConfigError({{{option},
                            "",
                            "this railwright was built without the library that draws charts",
                            std::string(kChartLibraryHint)}});
}

std::string today() {
  const std::chrono::year_month_day day(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

std::string html_report(const ReportHeading& heading, std::string_view json) {
  require_chart_library("a report");
  nlohmann::ordered_json content = nlohmann::ordered_json::parse(numbers_json());
  nlohmann::ordered_json document = nlohmann::ordered_json::parse(json);
  content.update({{"verb", heading.verb},
                  {"version", heading.version},
                  {"date", heading.date},
                  {"command", heading.command},
                  {"scenario_hash", hash_of(document, "scenario")},
                  {"catalogue_hash", hash_of(document, "constants")},
                  {"chart_licence", page_file("chart_licence.txt")},
                  {"document", std::move(document)}});
  std::string scripts;
  for (const std::string_view name : kScripts) {
    scripts += fmt::format("<script>{}</script>\n", page_file(name));
  }
  std::string page(page_file("report.html"));
  // The document goes last, so that no placeholder is searched for in user text.
  replace(page, "{{policy}}", policy());
  replace(page, "{{style}}", page_file("style.css"));
  replace(page, "{{scripts}}", scripts);
  replace(page, "{{document}}", without_tags(content.dump()));
  return page;
}

}  // namespace railwright::output
