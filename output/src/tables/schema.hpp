// SPDX-License-Identifier: Apache-2.0
// The two tables of a sweep's database.
#pragma once

#include <string>
#include <vector>

#include "database.hpp"
#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::output {

/// `question`, a key and a value a row, and `points`, a point a row.
void make_schema(Database& database, const planner::SweepQuestion& question);

/// The question that a database answers; its facts and fingerprint, and the names of its columns.
/// Throws TableError where it is no table of a sweep.
planner::SweepQuestion read_question(Database& database);

/// Why a table of one question is none of another; empty where it is.
std::string difference(const planner::SweepQuestion& there, const planner::SweepQuestion& asked);

[[noreturn]] void refuse_table(const std::string& path, std::string message, std::string hint = {});

}  // namespace railwright::output
