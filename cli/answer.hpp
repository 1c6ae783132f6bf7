// SPDX-License-Identifier: Apache-2.0
// What a verb answers: its verdict, and its tables where these are short or asked for.
#pragma once

#include <algorithm>
#include <string>

#include "common.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"

namespace railwright::cli {

/// Whether --tables is given, or verdict and tables fill less than a screen where no line is
/// broken: what is shown does not depend on the width of a terminal.
bool shows_tables(const Options& options, const std::string& verdict, const std::string& tables);

/// Where the rest of an answer is; the last line of one that stops at its verdict.
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

/// As JSON where that is asked for, else as an answer. Gives the exit code.
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
