// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "common.hpp"
#include "keep_so_far.hpp"
#include "progress.hpp"
#include "question.hpp"
#include "railwright/output/html/html_report.hpp"
#include "railwright/output/yaml/price_template.hpp"
#include "railwright/planner/prices/missing_prices.hpp"

namespace railwright::cli {

namespace {

/// Whether `size` answers the question: by its words, or by the goals of its file.
planner::Asked asked_by(const Options& options) {
  constexpr auto kOfSize = std::to_array<const char*>(
      {"--deadline", "--budget", "--power", "--users", "--requests-per-s"});
  const bool has_word =
      std::ranges::any_of(kOfSize, [&](const char* word) { return options.has(word); });
  if (has_word) return planner::Asked::kSize;
  const bool is_file = options.has("scenario") && options.text("scenario") != "-";
  return is_file && planner::is_sized(load_tree(options)) ? planner::Asked::kSize
                                                          : planner::Asked::kDesign;
}

int run_template(const Options& options, Streams& streams) {
  const core::Catalogue catalogue = open_catalogue(options);
  const core::Node tree = load_question(options, catalogue, asked_by(options), streams);
  streams.chosen.clear();  // the file is all that is printed
  Progress progress(streams.err, progress_style(options));
  const planner::SizeOptions how{.num_threads = whole_number(options, "--threads", 0, 1024),
                                 .progress = progress.function()};
  return keep_so_far(progress, streams, [&] {
    const planner::MissingPrices missing = planner::missing_prices(tree, catalogue, how);
    progress.end();
    streams.out << output::price_template(missing, catalogue, output::today());
    return kOk;
  });
}

}  // namespace

Verb prices_verb() {
  Verb blank{.name = "template",
             .help = "The parts of an answer that have no price, as a price file to fill in",
             .options = question_options(),
             .run = run_template};
  blank.options.push_back(threads_option());
  blank.options.push_back(progress_option());
  blank.options.push_back(catalogue_option());
  return {.name = "prices", .help = "Price files, which are your own", .verbs = {std::move(blank)}};
}

}  // namespace railwright::cli
