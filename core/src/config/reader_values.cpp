// SPDX-License-Identifier: Apache-2.0
// Scalars: truth values, numbers, quantities, text and choices.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "config/wording.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "units/number.hpp"

namespace railwright::core {

namespace {

/// A number or truth value in quotes is text.
std::string got_unquoted(const Node& node) { return (node.quoted ? "the text " : "") + got(node); }

std::string quotes_hint(const Node& node) {
  return node.quoted ? "write it without quotes" : std::string();
}

/// Result of reading a whole number; "1e12" is one, "2.5" is not.
enum class Whole { kOk, kNone, kTooLarge };

Whole parse_whole(std::string_view text, std::int64_t& out) {
  std::string_view rest = text;
  if (rest.starts_with('+') && rest.size() > 1 && rest[1] != '-') rest.remove_prefix(1);
  const char* const last = rest.data() + rest.size();
  const auto [end, error] = std::from_chars(rest.data(), last, out);
  if (end == last && error == std::errc{}) return Whole::kOk;
  if (end == last && error == std::errc::result_out_of_range) return Whole::kTooLarge;
  double value = 0.0;
  rest = text;
  if (take_number(rest, value) != NumberStatus::kOk || !rest.empty()) return Whole::kNone;
  if (value != std::floor(value)) return Whole::kNone;
  if (std::abs(value) > 9.2e18) return Whole::kTooLarge;
  out = static_cast<std::int64_t>(value);
  return Whole::kOk;
}

}  // namespace

void Reader::read_bool(const Node& node, const std::string& path, bool& out) {
  if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false")) {
    out = node.text == "true";
    return;
  }
  report(node.where, path, "expected true or false, got " + got_unquoted(node), quotes_hint(node));
}

bool Reader::check_range(const Node& node, const std::string& path, double value,
                         const Exponents& exponents, const Range& range) {
  const bool low = range.open_min ? value <= range.min : value < range.min;
  if (!low && value <= range.max) return true;
  report(node.where, path,
         fmt::format("must be {}, got {}", range_text(range, exponents), node.text));
  return false;
}

bool Reader::read_integer(const Node& node, const std::string& path, const Range& range,
                          std::int64_t least, std::int64_t greatest, std::int64_t& out) {
  Whole whole = Whole::kNone;
  std::int64_t value = 0;
  if (node.is_scalar() && !node.quoted) whole = parse_whole(node.text, value);
  if (whole == Whole::kNone) {
    report(node.where, path, "expected a whole number, got " + got_unquoted(node),
           quotes_hint(node));
    return false;
  }
  if (whole == Whole::kOk && !check_range(node, path, static_cast<double>(value), {}, range)) {
    return false;
  }
  if (whole == Whole::kTooLarge || value < least || value > greatest) {
    const bool low = node.text.starts_with('-');
    report(node.where, path,
           fmt::format("must be at {} {}, got {}", low ? "least" : "most", low ? least : greatest,
                       node.text));
    return false;
  }
  out = value;
  return true;
}

void Reader::read_number(const Node& node, const std::string& path, const Exponents& exponents,
                         const Range& range, double& out) {
  const bool plain = exponents == Exponents{};
  const std::string_view example = example_unit(exponents);
  std::string expected = plain ? "a number" : dimension_name(exponents);
  if (!plain && !example.empty()) expected += fmt::format(" (such as {})", example);
  const auto refuse = [&](const std::string& what, const std::string& hint = {}) {
    report(node.where, path, fmt::format("expected {}, got {}", expected, what), hint);
  };
  if (!node.is_scalar()) return refuse(got(node));
  if (node.text == "unlimited" && std::isinf(out)) return;
  // A number in quotes is text, but a quantity must be quoted in JSON and is accepted.
  if (plain && node.quoted) return refuse(got_unquoted(node), quotes_hint(node));
  QuantityError error;
  const auto parsed = parse_quantity(node.text, error);
  if (!parsed) {
    const bool percent = plain && node.text.ends_with('%');
    return refuse(error.message, percent ? "write a fraction, such as 0.5" : error.hint);
  }
  if (parsed->exponents != exponents) {
    const bool bare = parsed->exponents == Exponents{};
    return refuse(got(node) + (bare ? std::string(" without a unit")
                                    : fmt::format(" ({})", dimension_name(parsed->exponents))));
  }
  if (check_range(node, path, parsed->base, exponents, range)) out = parsed->base;
}

void Reader::read_text(const Node& node, const std::string& path, std::string& out) {
  if (node.is_scalar()) {
    out = node.text;
    return;
  }
  report(node.where, path, "expected text, got " + got(node));
}

std::optional<std::size_t> Reader::read_choice(const Node& node, const std::string& path,
                                               std::span<const std::string_view> names) {
  if (node.is_scalar()) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (node.text == names[i]) return i;
    }
  }
  const std::vector<std::string> known(names.begin(), names.end());
  report(node.where, path, fmt::format("expected one of {}, got {}", listed(known), got(node)),
         node.is_scalar() ? did_you_mean(node.text, known) : std::string());
  return std::nullopt;
}

}  // namespace railwright::core
