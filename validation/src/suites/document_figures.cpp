// SPDX-License-Identifier: Apache-2.0
#include "document_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "expression.hpp"

namespace railwright::validation {

namespace {

/// Adds a number as often as it is printed: "3*7" is three times 7.
void add_printed(const std::string& item, std::vector<std::string>& numbers) {
  const std::size_t star = item.find('*');
  std::size_t count = 1;
  if (star != std::string::npos) std::from_chars(item.data(), item.data() + star, count);
  numbers.insert(numbers.end(), count, item.substr(star == std::string::npos ? 0 : star + 1));
}

std::vector<std::string> numbers_of(const std::vector<std::string>& printed) {
  std::vector<std::string> numbers;
  for (const std::string& item : printed) add_printed(item, numbers);
  return numbers;
}

std::string_view quantity_name(const core::Exponents& exponents) {
  static const std::map<core::Exponents, std::string_view> kNames{
      {{0, 0, 0, 0, 0}, "count"},      {{1, 0, 0, 0, 0}, "time"},  {{0, 1, 0, 0, 0}, "capacity"},
      {{-1, 1, 0, 0, 0}, "bandwidth"}, {{-1, 0, 1, 0, 0}, "rate"}, {{-1, 0, 0, 1, 0}, "power"},
      {{-1, 0, 0, 0, 0}, "frequency"}};
  const auto found = kNames.find(exponents);
  return found == kNames.end() ? "figure" : found->second;
}

class StatementReader {
 public:
  StatementReader(const ExpressionContext& context, core::Reader& reader)
      : context_(context), reader_(reader) {}

  ValidationCase read(const std::string& document, const Document& of, const Statement& row) {
    path_ = "documents." + document + ".rows." + row.id;
    ValidationCase result;
    result.id = row.id;
    result.group = document;
    result.quantity = "figure";
    result.source = of.title + ", " + row.at;
    result.role = ClaimRole::kOutside;
    result.published = std::numeric_limits<double>::quiet_NaN();
    result.printed = numbers_of(row.printed);
    result.about = row.about;
    result.is = row.is;
    if (!ids_.insert(row.id).second || context_.claims.contains(row.id)) {
      reader_.report({}, path_, "this id is used twice");
    }
    if (row.is.empty() != !row.published) {
      reader_.report({}, path_, "`is` and `published` go together");
    } else if (!row.is.empty()) {
      compute(row, result);
    }
    return result;
  }

 private:
  double number(const core::Node& node, core::Exponents& exponents) {
    core::QuantityError error;
    const auto parsed = core::parse_quantity(node.text, error);
    if (!parsed) reader_.report(node.where, path_, error.message);
    exponents = parsed ? parsed->exponents : core::Exponents{};
    return parsed ? parsed->base : 1.0;
  }

  void compute(const Statement& row, ValidationCase& result) {
    core::Exponents exponents{};
    result.published = number(*row.published, exponents);
    const core::Location where = row.published->where;
    if (row.rounding) {
      core::Exponents ignored{};
      result.rounding = number(*row.rounding, ignored);
    }
    const ExpressionResult terms = evaluate_expression(row.is, context_);
    if (!terms.problem.empty()) return reader_.report(where, path_, terms.problem);
    if (terms.exponents != exponents) {
      return reader_.report(
          where, path_,
          fmt::format("`is` is {}, the figure is {}", core::dimension_name(terms.exponents),
                      core::dimension_name(exponents)));
    }
    if (result.published == 0.0) return reader_.report(where, path_, "cannot be 0");
    result.quantity = quantity_name(exponents);
    result.unit = base_unit(exponents);
    result.role = terms.of_catalogue  ? ClaimRole::kFact
                  : terms.of_scenario ? ClaimRole::kInput
                                      : ClaimRole::kArithmetic;
    result.predicted = terms.value;
    result.relative_error = bounded_error(terms.value / result.published - 1.0, row.bound);
    // A device that another document describes differently just differs. A limit or sum that does
    // not hold contradicts the figure.
    const bool is_bound = row.bound != Bound::kEqual;
    if (!agrees(result) && (is_bound || result.role == ClaimRole::kArithmetic)) {
      result.reason = fmt::format("{}: {} comes to {}, not {}{}", row.about, row.is,
                                  core::format_quantity(terms.value, exponents),
                                  row.bound == Bound::kAtLeast  ? "at least "
                                  : row.bound == Bound::kAtMost ? "at most "
                                                                : "",
                                  core::format_quantity(result.published, exponents));
      result.role = ClaimRole::kReject;
    }
  }

  const ExpressionContext& context_;
  core::Reader& reader_;
  std::set<std::string> ids_;
  std::string path_;
};

}  // namespace

std::string base_unit(const core::Exponents& exponents) {
  static constexpr std::array<std::string_view, 5> kSymbols{"s", "B", "FLOP", "J", "USD"};
  std::string above;
  std::string below;
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    if (exponents[i] > 0) above += kSymbols[i];
    if (exponents[i] < 0) below += kSymbols[i];
  }
  return below.empty() ? above : above + "/" + below;
}

double bounded_error(double error, Bound bound) {
  if (bound == Bound::kAtLeast) return std::min(error, 0.0);
  return bound == Bound::kAtMost ? std::max(error, 0.0) : error;
}

std::vector<ValidationCase> statement_cases(const std::map<std::string, Document>& documents,
                                            const ExpressionContext& context,
                                            core::Reader& reader) {
  StatementReader statements(context, reader);
  std::vector<ValidationCase> cases;
  for (const auto& [name, document] : documents) {
    for (const Statement& row : document.rows) {
      cases.push_back(statements.read(name, document, row));
    }
  }
  return cases;
}

std::vector<DocumentCount> count_numbers(const std::map<std::string, Document>& documents,
                                         const std::vector<ValidationCase>& cases,
                                         core::Reader& reader) {
  std::map<std::string, ClaimRole> roles;
  for (const ValidationCase& c : cases) roles.emplace(c.id, c.role);
  std::vector<DocumentCount> counts;
  for (const auto& [name, document] : documents) {
    const std::string path = "documents." + name;
    DocumentCount count{.name = name, .title = document.title, .num_numbers = 0, .by_role = {}};
    const auto add = [&](const std::string& id, const std::vector<std::string>& printed) {
      const auto size = static_cast<int>(numbers_of(printed).size());
      const auto found = roles.find(id);
      if (found == roles.end()) return reader.report({}, path, fmt::format("no case '{}'", id));
      count.num_numbers += size;
      count.by_role[found->second] += size;
    };
    for (const CasePlace& place : document.of_cases) {
      if (place.of.empty()) reader.report({}, path, place.at + ": numbers of no case");
      for (std::size_t i = 0; i < place.of.size(); ++i) {
        add(place.of[i], i == 0 ? place.printed : std::vector<std::string>{});
      }
    }
    for (const Statement& row : document.rows) add(row.id, row.printed);
    if (count.num_numbers != document.num_numbers) {
      reader.report({}, path + ".num_numbers",
                    fmt::format("its rows print {} numbers, not {}", count.num_numbers,
                                document.num_numbers));
    }
    counts.push_back(std::move(count));
  }
  return counts;
}

}  // namespace railwright::validation
