// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/units/nearest.hpp"

#include <algorithm>
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

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::size_t threshold = std::max<std::size_t>(1, word.size() / 3);
  const std::string folded = lower_case(word);
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
  if (best == nullptr && word.size() >= 3) {
    // An abbreviation: the shortest name that starts with the word.
    for (const std::string& candidate : known) {
      if (!lower_case(candidate).starts_with(folded)) continue;
      if (best == nullptr || candidate.size() < best->size()) best = &candidate;
    }
  }
  return best == nullptr ? std::string() : *best;
}

}  // namespace railwright::core
