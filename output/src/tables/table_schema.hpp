// SPDX-License-Identifier: Apache-2.0
// The two tables of a sweep's database.
#pragma once

#include <string>
#include <vector>

#include "database.hpp"
#include "railwright/planner/sweep/sweep.hpp"

namespace railwright::output {

/// Creates the tables `question`, with a key and a value per row, and `points`, with a point per
/// row.
void make_schema(Database& database, const planner::SweepQuestion& question);

/// Reads the question that a database answers: its facts, fingerprint and columns. Throws
/// TableError if it is not the table of a sweep.
planner::SweepQuestion read_question(Database& database);

/// Explains how the question of a table differs from the one asked; empty if it does not.
std::string difference(const planner::SweepQuestion& there, const planner::SweepQuestion& asked);

[[noreturn]] void refuse_table(const std::string& path, std::string message, std::string hint = {});

}  // namespace railwright::output
