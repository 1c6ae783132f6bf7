// SPDX-License-Identifier: Apache-2.0
#include "config/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::core {

namespace {

constexpr std::size_t kLongestQuote = 80;

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string_view shown = text;
  if (text.size() > kLongestQuote) {
    std::size_t end = kLongestQuote;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    shown = text.substr(0, end);
  }
  std::string result = "'";
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20U || byte == 0x7FU) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  if (shown.size() < text.size()) result += "...";
  return result + '\'';
}

std::string got(const Node& node) {
  switch (node.kind) {
    case Node::Kind::kNull:
      return "nothing";
    case Node::Kind::kScalar:
      return in_quotes(node.text);
    case Node::Kind::kSequence:
      return "a list";
    case Node::Kind::kMapping:
      return "a mapping";
  }
  return "nothing";
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known,
                         std::string otherwise) {
  const std::string near = nearest(word, known);
  return near.empty() ? std::move(otherwise) : fmt::format("did you mean {}?", in_quotes(near));
}

std::string known_names_hint(std::string_view name, const std::vector<std::string>& known) {
  static constexpr std::size_t kMostListed = 12;  // more are a wall of text beside the answer
  static constexpr std::size_t kMostWithIt = 16;
  if (known.empty()) return "there are none";
  const std::string near = nearest(name, known);
  const std::string meant =
      near.empty() ? std::string() : fmt::format("did you mean {}?", in_quotes(near));
  if (known.size() <= kMostListed) {
    return near.empty() ? "known: " + listed(known)
                        : fmt::format("{} (known: {})", meant, listed(known));
  }
  std::vector<std::string> with_it;
  std::ranges::copy_if(known, std::back_inserter(with_it), [&](const std::string& one) {
    return one.find(lower_case(name)) != std::string::npos;
  });
  std::ranges::stable_sort(with_it, {}, &std::string::size);  // the plainest first
  const bool is_news = with_it.size() > 1 || (!with_it.empty() && with_it.front() != near);
  if (is_news && with_it.size() <= kMostWithIt) {
    const std::string all = "with that in their name: " + listed(with_it);
    return near.empty() ? all : fmt::format("{} ({})", meant, all);
  }
  return near.empty() ? fmt::format("`railwright catalogue list` names all {}", known.size())
                      : meant;
}

std::string listed(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string singular(std::string_view key) {
  std::string kind(key);
  std::replace(kind.begin(), kind.end(), '_', ' ');
  const auto without = [&kind](std::size_t n) { return kind.substr(0, kind.size() - n); };
  if (kind.ends_with("ies")) return without(3) + "y";
  for (const std::string_view ending : {"ches", "shes", "sses", "xes"}) {
    if (kind.ends_with(ending)) return without(2);
  }
  return kind.ends_with("s") && !kind.ends_with("ss") ? without(1) : kind;
}

}  // namespace railwright::core
