// SPDX-License-Identifier: Apache-2.0
// The answer of a command: its verdict, and its tables if they are short or requested.
#pragma once

#include <algorithm>
#include <string>

#include "common.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/mixes_text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"

namespace railwright::cli {

/// Whether --tables or a list is asked for, or verdict and tables fill less than a screen. Lines
/// are counted unbroken, so the answer does not depend on the width of a terminal.
bool shows_tables(const Options& options, const std::string& verdict, const std::string& tables);

/// Last line of an answer without tables; it points to them.
inline constexpr const char* kMore = "more            --tables prints all numbers\n";

template <class Result>
void put_answer(const Result& result, const Options& options, Streams& streams) {
  std::string text = output::verdict(result, streams.style);
  const std::string tables = output::to_text(result);
  if (tables.empty()) return put_text(streams, text);
  if (shows_tables(options, output::verdict(result), tables)) {
    text += '\n' + output::to_text(result, streams.style);
  } else {
    text += kMore;
  }
  put_text(streams, text);
}

/// Writes the result as JSON if requested, else as an answer. Returns the exit code.
template <class Result>
int put_result(const Result& result, const Options& options, Streams& streams) {
  if (wants_json(options)) {
    streams.out << output::to_json(result);
  } else {
    put_answer(result, options, streams);
  }
  return result.feasible() ? kOk : kInfeasible;
}

}  // namespace railwright::cli
