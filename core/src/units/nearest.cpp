// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/units/nearest.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railwright::core {

namespace {

/// Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1,
                         last[j - 1] + static_cast<std::size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

/// Splits a name at its dashes and underscores: "llama-3.1-70b" is "llama", "3.1", "70b".
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts(1);
  for (const char c : lower_case(name)) {
    if (c == '-' || c == '_' || c == ' ') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a part of a word means one of a name: the same, or a version without its last numbers.
bool means(const std::string& said, const std::string& part) {
  if (said == part) return true;
  const bool is_longer = part.size() > said.size() + 1 && part.starts_with(said);
  return is_longer && is_digit(said.back()) && part[said.size()] == '.' &&
         std::all_of(part.begin() + static_cast<std::ptrdiff_t>(said.size()) + 1, part.end(),
                     is_digit);
}

/// Returns the numbers of a version, in order: 26 and 6 of "26.06", 3 of "v3". A name is none:
/// of "h200" and "70b" they say nothing about which is newer.
std::vector<double> version_of(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (text.find_first_not_of("0123456789.") != text.npos) return {};
  std::vector<double> numbers;
  bool was_digit = false;
  for (const char c : text) {
    if (is_digit(c)) {
      if (!was_digit) numbers.push_back(0.0);
      numbers.back() = 10.0 * numbers.back() + (c - '0');
    }
    was_digit = is_digit(c);
  }
  return numbers;
}

/// A name that begins with all parts of a word, in order, and how well it goes with it.
struct Meant {
  std::size_t num_more = 0;     ///< parts that the word does not have
  bool is_usual = false;        ///< of accelerators: the module of most servers, SXM
  std::vector<double> version;  ///< numbers of the parts that the word leaves open
  std::string name;

  /// Which of two is meant rather; equivalent if nothing tells.
  [[nodiscard]] std::weak_ordering operator<=>(const Meant& other) const {
    if (is_usual != other.is_usual) return is_usual <=> other.is_usual;
    if (num_more != other.num_more) return other.num_more <=> num_more;
    return version < other.version   ? std::weak_ordering::less
           : other.version < version ? std::weak_ordering::greater
                                     : std::weak_ordering::equivalent;
  }
};

/// Returns the name whose parts are these, the newest of several; "" of several if nothing tells
/// which is meant, and nothing if there is none.
std::optional<std::string> meant(const std::vector<std::string>& said,
                                 const std::vector<std::string>& known) {
  if (said.empty() || std::ranges::find(said, "") != said.end()) return {};
  std::optional<Meant> best;
  bool is_clear = true;
  for (const std::string& candidate : known) {
    const std::vector<std::string> parts = parts_of(candidate);
    std::size_t next = 0;
    Meant one;
    one.name = candidate;
    for (const std::string& part : parts) {
      const bool is_said = next < said.size() && means(said[next], part);
      if (!is_said || said[next] != part) {
        for (const double number : version_of(part)) one.version.push_back(number);
      }
      if (is_said) {
        ++next;
      } else {
        ++one.num_more;
      }
      one.is_usual = one.is_usual || part == "sxm";
    }
    if (next < said.size() || !means(said.front(), parts.front())) continue;
    const std::weak_ordering order = best ? one <=> *best : std::weak_ordering::greater;
    if (order > 0) best = std::move(one);
    if (order >= 0) is_clear = order > 0;
  }
  if (!best) return std::nullopt;
  return is_clear ? best->name : std::string();
}

/// Splits words from the numbers after them: "llama3" is "llama" and "3".
std::vector<std::string> without_fused_numbers(const std::vector<std::string>& parts) {
  constexpr std::size_t kShortestWord = 3;  // b200 is one name
  std::vector<std::string> split;
  for (const std::string& part : parts) {
    const std::size_t digit = part.find_first_of("0123456789");
    if (digit == std::string::npos || digit < kShortestWord) {
      split.push_back(part);
    } else {
      split.push_back(part.substr(0, digit));
      split.push_back(part.substr(digit));
    }
  }
  return split;
}

/// Returns the name that a word means: as it is, with numbers apart, or without the endings of a
/// model that was tuned for chat. An organization in front, as on Hugging Face, is no part of it.
/// As meant().
std::optional<std::string> meant_by(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::string_view kTuned[] = {"instruct", "chat", "base", "hf", "it"};
  const std::size_t slash = word.rfind('/');
  if (slash != std::string_view::npos) word.remove_prefix(slash + 1);
  if (word.size() < 3) return {};
  std::vector<std::string> said = parts_of(word);
  for (;;) {
    for (const auto& parts : {said, without_fused_numbers(said)}) {
      if (auto name = meant(parts, known)) return name;
    }
    const bool is_tuned =
        said.size() > 1 && std::ranges::find(kTuned, said.back()) != std::end(kTuned);
    if (!is_tuned) return {};
    said.pop_back();
  }
}

/// Names that start with a word, and the shortest of them; "" if several are as short.
struct Abbreviated {
  std::size_t num_names = 0;
  std::string name;
};

Abbreviated abbreviated(std::string_view folded, const std::vector<std::string>& known) {
  Abbreviated made;
  std::size_t shortest = std::string::npos;
  for (const std::string& candidate : known) {
    if (!lower_case(candidate).starts_with(folded)) continue;
    ++made.num_names;
    if (candidate.size() > shortest) continue;
    made.name = candidate.size() < shortest ? candidate : std::string();
    shortest = candidate.size();
  }
  return made;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  if (const auto name = meant_by(word, known)) return *name;
  const std::string folded = lower_case(word);
  if (word.size() >= 3) {
    const Abbreviated one = abbreviated(folded, known);
    if (one.num_names > 0) return one.name;
  }
  const std::size_t threshold = std::max<std::size_t>(1, word.size() / 3);
  const std::string* best = nullptr;
  // Compare letters first, and case only to break ties.
  std::pair<std::size_t, std::size_t> least{threshold, std::string::npos};
  for (const std::string& candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter > threshold) continue;
    const std::pair both{distance(folded, lower_case(candidate)), distance(word, candidate)};
    if (both.first > threshold || both >= least) continue;
    least = both;
    best = &candidate;
  }
  return best == nullptr ? std::string() : *best;
}

}  // namespace railwright::core
