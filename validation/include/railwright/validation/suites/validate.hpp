// SPDX-License-Identifier: Apache-2.0
// `validate`: published figures against predictions, every row a scenario that `simulate` runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/provenance.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::validation {

enum class ClaimRole : std::uint8_t {
  kCalibrate,   ///< a fitted number comes from it
  kValidate,    ///< a prediction stands beside it
  kReject,      ///< its own arithmetic, physics or another figure contradicts it
  kFact,        ///< the catalogue has it: a device, a switch, a model
  kInput,       ///< a scenario of the suite takes it in
  kArithmetic,  ///< other figures of the document come to it
  kOutside,     ///< nothing here can compute it
};

std::string_view to_string(ClaimRole role);

/// What agreement of a row that ran a scenario is worth.
enum class RowKind : std::uint8_t {
  kPrediction,  ///< nothing of the figure went into what is set beside it
  kDerived,     ///< says other rows again: their difference, ratio, sum
  kBound,       ///< one-sided: any value on the right side agrees
  kArithmetic,  ///< follows from what the document gives, whatever a step takes
  kIdentity,    ///< the scenario holds the figure itself
  kCalibrated,  ///< a number was fitted to it
};

std::string_view to_string(RowKind kind);

enum class Verdict : std::uint8_t {
  kAgrees,        ///< within the rounding of the figure
  kDiffers,       ///< by more than that
  kContradicted,  ///< see the row's reason
  kDoesNotFit,    ///< the scenario is infeasible
  kOutside,       ///< nothing here can compute it
};

std::string_view to_string(Verdict verdict);

/// What a training step is, to sort its error by and to guess it without a model.
struct TrainingFacts {
  std::string model;
  simulation::StepTraits traits;
  bool of_images = false;
  std::string scaling_key;  ///< rows with this in common differ in nodes and batch alone
  std::map<std::string, std::string> settings;  ///< of the scenario but its name, by path
  std::int64_t num_parameters = 0;
  int num_accelerators = 0;
  double work_per_step = 0.0;  ///< model FLOPs, see training_work_per_token
  double compute_share = 1.0;  ///< of the predicted step: what goes as compute efficiency goes
  double peak_rate = 0.0;      ///< FLOP/s of one accelerator at the step's precision
};

/// The training step behind a prediction, with its 80 % interval.
struct PredictedStep {
  core::Duration time;
  core::Duration low;
  core::Duration high;
  simulation::Breakdown breakdown;
};

struct ValidationCase {
  std::string id;
  std::string group;
  std::string quantity;
  std::string unit;
  std::string source;
  std::string product;  ///< what was measured, where the suite has many
  ClaimRole role = ClaimRole::kValidate;
  std::optional<RowKind> kind;  ///< of a row that ran a scenario and is not rejected
  std::string reason;           ///< why it is rejected, with the numbers
  double published = 0.0;       ///< not a number of a row that is outside what is modelled
  std::optional<double> rounding;
  std::optional<double> predicted;       ///< nothing where the scenario is infeasible
  std::optional<double> relative_error;  ///< predicted / published - 1
  std::optional<double> size_bytes;      ///< of a collective's buffer
  std::optional<double> published_low;   ///< of the records of one call that contradict each other
  std::optional<double> published_high;
  std::optional<TrainingFacts> training;
  std::optional<PredictedStep> step;    ///< nothing where the scenario is infeasible
  std::optional<double> null_same;      ///< relative error of the mean utilization of its like
  std::optional<double> null_constant;  ///< relative error of other families' utilization, or of
                                        ///< the mean of other products' rows of its group
  std::string scenario;                 ///< the complete scenario it ran, as YAML
  std::vector<std::string> printed;     ///< the numbers of a document it stands for, see Document
  std::string about;                    ///< in words, of a row that ran no scenario
  std::string is;                       ///< what such a row is computed from; "" of none
};

/// Whether what is computed lies within the figure's rounding, on the right side of a bound.
bool agrees(const ValidationCase& c);

Verdict verdict_of(const ValidationCase& c);

/// How many of the numbers that a document prints belong to rows of which role.
struct DocumentCount {
  std::string name;
  std::string title;
  int num_numbers = 0;
  std::map<ClaimRole, int> by_role;
};

/// Errors of a group's rows of the role `validate` with buffers from `from_bytes` on.
struct SizeClass {
  std::string group;
  double from_bytes = 0.0;
  int num_rows = 0;
  double median_absolute_error = 0.0;
  int num_contested = 0;  ///< calls whose records contradict each other
  int num_between = 0;    ///< of those, calls that are predicted between their records
};

/// Absolute relative errors of some rows.
struct ErrorStatistics {
  int num_rows = 0;
  double median = 0.0;
  double mean = 0.0;
  double percentile_90 = 0.0;
  double largest = 0.0;
};

/// Rows of the role `validate` with something in common, beside two guesses that know no physics:
/// the mean model-FLOPs utilization of the other rows of the same family, device, precision and
/// model, and one utilization for all, the mean of the means of the other families with products in
/// as many bits. Rows of products have one guess, the mean of other products' rows of the group.
struct ErrorGroup {
  std::string by;  ///< "quantity", "derived", "product", "family", "device", "size", "parallelism",
                   ///< "kernel"
  std::string name;
  ErrorStatistics errors;
  ErrorStatistics null_same;      ///< of those rows that have their like
  ErrorStatistics null_constant;  ///< of those rows that have other families
};

/// Tokens/s of an accelerator, as a share of those of the fewest accelerators with the same model,
/// stack and parallelism.
struct ScalingPoint {
  std::string id;
  std::string from;  ///< the row with the fewest accelerators
  double published = 0.0;
  double predicted = 0.0;
};

/// Rows of a kind.
struct KindCount {
  RowKind kind = RowKind::kPrediction;
  int num_rows = 0;
  int num_agreeing = 0;  ///< within the figure's rounding, or on the right side of a bound
  ErrorStatistics errors;
};

/// A bar that rows of the suite are held against.
struct TargetResult {
  std::string name;
  std::string statistic;  ///< "mean", "median", "percentile_90", "largest"
  int num_rows = 0;
  int num_calibrate = 0;  ///< rows of these that numbers were fitted to
  double value = 0.0;
  double below = 0.0;
};

/// Tenth and ninetieth percentile of published / predicted, each family counting alike.
struct Band {
  double low = 1.0;
  double high = 1.0;
};

/// How often a band of 80 % holds the rows it was not made of, and how wide it is. Each is made of
/// the tenth and ninetieth percentile of other families, each counting alike.
struct BandScore {
  std::string name;
  int num_rows = 0;
  int num_families = 0;
  double held_rows = 0.0;      ///< share of rows within
  double held_families = 0.0;  ///< mean over families of that share
  double mean_width = 0.0;     ///< of ln(high / low)
  /// Mean of width + 10 times the distance of a row outside, in logarithms: lower is better, and no
  /// band gains by being wider or narrower than what it knows. [@gneiting2007scoring]
  double score = 0.0;
  double score_families = 0.0;  ///< mean over families of theirs
};

/// Errors of rows that nothing was fitted to; the three in sum are those of predictions alone.
struct ValidationSummary {
  int num_calibrate = 0;
  int num_validate = 0;
  int num_reject = 0;
  int num_fact = 0;
  int num_input = 0;
  int num_arithmetic = 0;
  int num_outside = 0;
  double mean_absolute_error = 0.0;
  double median_absolute_error = 0.0;
  double largest_absolute_error = 0.0;
  std::vector<KindCount> kinds;
  std::vector<SizeClass> size_classes;  ///< of collectives
  std::vector<ErrorGroup> groups;       ///< of training steps and memory
  /// Pairs of training steps of one family whose scenarios differ in one key (or in nodes and batch
  /// together), by that key: the error of the ratio of the two. null_constant is that of saying
  /// that nothing changes. Pairs weigh alike, so `all` is mostly of the key that has most.
  std::vector<ErrorGroup> pairs;
  /// Of kernels measured alone, by device, kind, format and class of shape. Their baselines:
  /// interpolation of the shapes that were fitted, and the constants of another device.
  std::vector<ErrorGroup> kernels;
  std::vector<ScalingPoint> scaling;  ///< of training steps
  std::vector<TargetResult> targets;
  std::optional<Band> band;  ///< of training steps
  std::vector<BandScore> band_scores;
  /// Standard deviation of ln(published / predicted) around the level of its family, as far as a
  /// fit of compute efficiency to one other run shows it.
  std::optional<double> family_spread;
};

/// A record that no scenario can be made of.
struct NotRun {
  std::string id;
  std::string group;
  std::string missing;  ///< what it does not say, in words
};

/// A row whose scenario cannot be read.
struct SkippedRow {
  std::string id;
  std::string group;
  std::string reason;  ///< every problem, a line each
};

struct ValidationResult {
  std::string suite;
  std::vector<ValidationCase> cases;
  ValidationSummary summary;
  std::vector<SkippedRow> skipped;
  std::vector<NotRun> not_run;
  std::vector<std::string> not_covered;  ///< by any public record, each in words
  std::vector<DocumentCount> documents;  ///< of which every number has a row
};

struct ValidationOptions {
  bool ignore_memory = false;  ///< training is predicted as if every accelerator had room for it
};

/// Whether a file holds a suite, and not measured runs.
bool is_suite(const core::Node& tree);

/// Runs a suite. A row whose scenario cannot be read is skipped, with the reason. Throws
/// ConfigError for a suite that cannot be read, or none of whose scenarios can.
ValidationResult validate(const core::Node& suite, const core::Catalogue& catalogue,
                          const ValidationOptions& options = {});

}  // namespace railwright::validation
