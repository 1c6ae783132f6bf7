// SPDX-License-Identifier: Apache-2.0
// Options and helpers that several commands share.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "verb.hpp"

namespace railwright::cli {

OptionSpec format_option();
OptionSpec catalogue_option();
OptionSpec allow_include_option();
/// Returns the scenario, --set and --allow-include.
std::vector<OptionSpec> file_options();

/// Returns `options` with --estimate, --format and --catalogue behind them.
std::vector<OptionSpec> scenario_options(std::vector<OptionSpec> options = file_options());

/// --threads, read by whole_number(options, "--threads", 0, 1024).
OptionSpec threads_option();

/// Reads an option as a whole number from `least` to `most`; throws ConfigError otherwise.
int whole_number(const Options& options, const std::string& name, int least, int most);
[[nodiscard]] bool wants_json(const Options& options);
/// Writes text in lines that fit the terminal.
void put_text(Streams& streams, const std::string& text);
OptionSpec tables_option();
[[nodiscard]] bool wants_tables(const Options& options);
simulation::Method method_of(const Options& options);
/// Throws ConfigError for a --catalogue that is not a folder.
core::Catalogue open_catalogue(const Options& options);
/// Returns the folders of --allow-include; throws ConfigError for one that is not a folder.
std::vector<std::string> include_folders(const Options& options);
core::Node load_tree(const Options& options);
/// Loads a suite of published figures from a file, or by name one that comes with railwright.
core::Node load_suite(const std::string& name);

}  // namespace railwright::cli
