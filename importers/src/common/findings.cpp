// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxProblems = 100;
constexpr std::size_t kMaxShown = 80;

}  // namespace

Findings::Findings(std::string file) { imported_.file = std::move(file); }

void Findings::put(std::string_view path, core::Node value, std::string_view origin,
                   bool is_assumed) {
  std::erase_if(imported_.values, [&](const ImportedValue& old) { return old.path == path; });
  ImportedValue& added = imported_.values.emplace_back();
  added.path = path;
  added.value = std::move(value);
  added.origin = origin;
  added.is_assumed = is_assumed;
}

const core::Node* Findings::value_of(std::string_view path) const {
  const auto found = std::ranges::find(imported_.values, path, &ImportedValue::path);
  return found == imported_.values.end() ? nullptr : &found->value;
}

void Findings::forget_assumed(std::initializer_list<std::string_view> kept) {
  std::erase_if(imported_.values, [&](const ImportedValue& value) {
    return value.is_assumed && std::ranges::count(kept, value.path) == 0;
  });
}

bool Findings::forget(std::string_view path) {
  return std::erase_if(imported_.values,
                       [&](const ImportedValue& value) { return value.path == path; }) > 0;
}

void Findings::unknown(std::string_view path, std::string_view reason) {
  NotKnown& added = imported_.not_known.emplace_back();
  added.path = path;
  added.reason = reason;
}

void Findings::outside(std::string_view name, std::string_view reason) {
  unknown(name, reason);
  imported_.not_known.back().is_outside = true;
}

void Findings::not_expressed(std::string_view text) { imported_.not_expressed.emplace_back(text); }

void Findings::problem(const core::Location& where, std::string_view path, std::string_view message,
                       std::string_view hint) {
  if (++num_problems_ > kMaxProblems) return;
  core::Diagnostic& added = problems_.emplace_back();
  added.where = where;
  added.path = path;
  added.message = message;
  added.hint = hint;
}

bool Findings::is_full() const { return num_problems_ >= kMaxProblems; }

void Findings::problem_in_file(std::string_view message, std::string_view hint) {
  problem({imported_.file}, "", message, hint);
}

void Findings::problem_at_line(int line, std::string_view message, std::string_view hint) {
  problem({imported_.file, line, 1}, "", message, hint);
}

void Findings::throw_if_any() {
  if (problems_.empty()) return;
  std::ranges::stable_sort(problems_, {}, [](const core::Diagnostic& problem) {
    return std::pair(problem.where.line, problem.where.column);
  });
  if (num_problems_ > kMaxProblems) {
    core::Diagnostic& more = problems_.emplace_back();
    more.where.file = imported_.file;
    more.message = fmt::format("{} more problems", num_problems_ - kMaxProblems);
  }
  throw core::ConfigError(std::move(problems_));
}

Imported Findings::take() {
  throw_if_any();
  return std::move(imported_);
}

std::string shown(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, kMaxShown)) line += c >= ' ' && c <= '~' ? c : '?';
  if (text.size() > kMaxShown) line += "...";
  return line;
}

}  // namespace railwright::importers
