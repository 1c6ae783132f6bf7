// SPDX-License-Identifier: Apache-2.0
#include "hostlist.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

namespace railwright::importers {

namespace {

constexpr std::size_t kMaxNames = 1'000'000;
constexpr std::size_t kMaxHostName =
    256;  ///< characters of a name outside of brackets, or of a number

/// Finds the comma after the first name, ignoring those in brackets.
std::size_t end_of_name(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '[') ++depth;
    if (list[i] == ']') --depth;
    if (list[i] == ',' && depth == 0) return i;
  }
  return list.size();
}

/// Adds the numbers of "1-3,7" with their leading zeros.
std::string expand_ranges(std::string_view ranges, std::vector<std::string>& numbers) {
  while (true) {
    const std::size_t end = std::min(ranges.find(','), ranges.size());
    const std::string_view range = ranges.substr(0, end);
    const std::size_t dash = range.find('-');
    const std::string_view low = range.substr(0, dash);
    const std::string_view high = dash == std::string_view::npos ? low : range.substr(dash + 1);
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    const auto reads = [](std::string_view text, std::uint64_t& value) {
      const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return !text.empty() && error == std::errc{} && stop == text.data() + text.size();
    };
    if (low.size() > kMaxHostName) return "too long a number";
    if (!reads(low, first) || !reads(high, last) || last < first) return "no range of numbers";
    if (last - first >= kMaxNames - std::min(numbers.size(), kMaxNames)) return "too many names";
    for (std::uint64_t i = 0; i <= last - first; ++i) {
      numbers.push_back(fmt::format("{:0{}}", first + i, low.size()));
    }
    if (end == ranges.size()) return "";
    ranges.remove_prefix(end + 1);
  }
}

std::string expand_name(std::string_view name, std::vector<std::string>& names) {
  std::size_t length = 0;  // characters outside of brackets
  std::vector<std::string> all{""};
  while (!name.empty()) {
    const std::size_t open = std::min(name.find('['), name.size());
    length += open;
    if (length > kMaxHostName) return "too long a name";
    for (std::string& one : all) one += name.substr(0, open);
    if (open == name.size()) break;
    const std::size_t close = name.find(']', open);
    if (close == std::string_view::npos) return "a bracket that never closes";
    std::vector<std::string> numbers;
    if (std::string wrong = expand_ranges(name.substr(open + 1, close - open - 1), numbers);
        !wrong.empty()) {
      return wrong;
    }
    if (all.size() * numbers.size() > kMaxNames) return "too many names";
    std::vector<std::string> longer;
    longer.reserve(all.size() * numbers.size());
    for (const std::string& one : all) {
      for (const std::string& number : numbers) longer.push_back(one + number);
    }
    all = std::move(longer);
    name.remove_prefix(close + 1);
  }
  if (names.size() + all.size() > kMaxNames) return "too many names";
  names.insert(names.end(), all.begin(), all.end());
  return "";
}

}  // namespace

std::string expand_hostlist(std::string_view list, std::vector<std::string>& names) {
  while (true) {
    const std::size_t end = end_of_name(list);
    const std::string_view name = list.substr(0, end);
    if (name.empty()) return "an empty name";
    if (std::string wrong = expand_name(name, names); !wrong.empty()) return wrong;
    if (end == list.size()) return "";
    list.remove_prefix(end + 1);
  }
}

}  // namespace railwright::importers
