// SPDX-License-Identifier: Apache-2.0
// Covers every number that a document prints: by a case of the suite, or by a row that needs no
// scenario, with the expression that it is computed from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "claims.hpp"
#include "expression.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/reader.hpp"

namespace railwright::validation {

/// Numbers that stand for cases of the suite.
struct CasePlace {
  std::string at;
  std::vector<std::string> printed;
  std::vector<std::string> of;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("at", &CasePlace::at, "Where in the document."),
        field("printed", &CasePlace::printed, "Its numbers as printed; 3*7 is three times 7."),
        field("of", &CasePlace::of, "The cases they belong to; the first lends its role."));
  }
};

/// Numbers of one statement. Its role follows from the values in `is`, see evaluate_expression().
struct Statement {
  std::string id;
  std::string at;
  std::vector<std::string> printed;
  std::string about;
  std::optional<core::Node> published;
  std::optional<core::Node> rounding;
  Bound bound = Bound::kEqual;
  std::string is;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("id", &Statement::id, "Name of the row."),
        field("at", &Statement::at, "Where in the document."),
        field("printed", &Statement::printed,
              "Its numbers as printed; 3*7 is three times 7; none where it is derived from others.",
              optional),
        field("about", &Statement::about,
              "What it is; of a row without `is`, why no model speaks."),
        field("published", &Statement::published, "The figure, with its unit where it has one."),
        field("rounding", &Statement::rounding, "Half of its last printed digit."),
        field("bound", &Statement::bound,
              "Whether what is computed must equal the figure, or be at least or at most that.",
              optional),
        field("is", &Statement::is,
              "What it is computed from: quantities, kind/entry:key of the catalogue, "
              "@scenario.path and #case, with * / + - between spaces.",
              optional));
  }
};

struct Document {
  std::string title;
  std::int64_t num_numbers = 0;
  std::vector<CasePlace> of_cases;
  std::vector<Statement> rows;

  static constexpr auto fields() {
    using core::field;
    using core::optional;
    return core::field_list(
        field("title", &Document::title, "The document in words."),
        field("num_numbers", &Document::num_numbers, "How many numbers it prints.",
              core::at_least(0)),
        field("of_cases", &Document::of_cases, "Numbers of the suite's cases.", optional),
        field("rows", &Document::rows, "Numbers that no scenario has to be run for.", optional));
  }
};

/// Returns the part of a relative error on the wrong side of a bound.
double bounded_error(double error, Bound bound);

/// Returns "s", "B/s", or "" for a plain number.
std::string base_unit(const core::Exponents& exponents);

/// Returns the rows of all documents, compared with their figures. Problems go to `reader`.
std::vector<ValidationCase> statement_cases(const std::map<std::string, Document>& documents,
                                            const ExpressionContext& context, core::Reader& reader);

/// Counts the numbers of each document by the role of their rows. Reports a case that does not
/// exist, and a document that states another count than its rows print.
std::vector<DocumentCount> count_numbers(const std::map<std::string, Document>& documents,
                                         const std::vector<ValidationCase>& cases,
                                         core::Reader& reader);

}  // namespace railwright::validation
