// SPDX-License-Identifier: Apache-2.0
// What several subcommands have in common.
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/training/simulate.hpp"
#include "verb.hpp"

namespace railwright::cli {

OptionSpec format_option();
OptionSpec catalogue_option();
OptionSpec allow_include_option();
/// The scenario, --set and --allow-include.
std::vector<OptionSpec> file_options();
/// The same, --estimate, --format and --catalogue.
std::vector<OptionSpec> scenario_options();

/// --threads, read by whole_number(options, "--threads", 0, 1024).
OptionSpec threads_option();

/// The value of an option that is a whole number within bounds; throws ConfigError.
int whole_number(const Options& options, const std::string& name, int least, int most);
[[nodiscard]] bool wants_json(const Options& options);
/// Text for people, in lines that fit their terminal.
void put_text(Streams& streams, const std::string& text);
OptionSpec tables_option();
[[nodiscard]] bool wants_tables(const Options& options);
simulation::Method method_of(const Options& options);
/// Throws ConfigError for a --catalogue that is no folder.
core::Catalogue open_catalogue(const Options& options);
/// Of --allow-include; throws ConfigError for one that is no folder.
std::vector<std::string> include_folders(const Options& options);
core::Node load_tree(const Options& options);
/// A suite of published figures: of a file, or of one that comes with railwright.
core::Node load_suite(const std::string& name);

}  // namespace railwright::cli
