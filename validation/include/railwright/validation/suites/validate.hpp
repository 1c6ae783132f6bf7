// SPDX-License-Identifier: Apache-2.0
// `validate`: compares published figures with predictions of scenarios and kernels.
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
#include "railwright/workloads/training/unstated.hpp"

namespace railwright::validation {

enum class ClaimRole : std::uint8_t {
  kCalibrate,   ///< a fitted number comes from it
  kValidate,    ///< compared with a prediction
  kReject,      ///< contradicted by its own arithmetic, physics or another figure
  kFact,        ///< a value of the catalogue: of a device, a switch, a model
  kInput,       ///< an input to a scenario of the suite
  kArithmetic,  ///< computed from other figures of the document
  kOutside,     ///< nothing here can compute it
};

std::string_view to_string(ClaimRole role);

/// Significance of a row's agreement with its figure.
enum class RowKind : std::uint8_t {
  kPrediction,  ///< independent of the figure
  kDerived,     ///< repeats other rows: their difference, ratio or sum
  kBound,       ///< one-sided: any value on the right side agrees
  kArithmetic,  ///< follows from the document's inputs, however long a step takes
  kIdentity,    ///< the scenario holds the figure itself
  kCalibrated,  ///< a number was fitted to it
};

std::string_view to_string(RowKind kind);

enum class Verdict : std::uint8_t {
  kAgrees,        ///< within the rounding of the figure
  kDiffers,       ///< outside of the rounding
  kContradicted,  ///< see the row's reason
  kDoesNotFit,    ///< the scenario is infeasible
  kOutside,       ///< nothing here can compute it
};

std::string_view to_string(Verdict verdict);

/// Properties of a training step, to group its error and to predict it by a baseline.
struct TrainingFacts {
  std::string model;
  simulation::StepTraits traits;
  std::optional<simulation::StepClass> of;  ///< what the track record knows of it
  int num_differences = 0;                  ///< from published steps
  simulation::UnstatedSpread unstated;      ///< of its step by what nobody stated
  bool of_images = false;
  std::string scaling_key;  ///< common to rows that differ only in nodes and batch
  std::map<std::string, std::string> settings;  ///< scenario except its name, by path
  std::int64_t num_parameters = 0;
  int num_accelerators = 0;
  double work_per_step = 0.0;  ///< model FLOPs, see training_work_per_token
  double compute_share = 1.0;  ///< share of the predicted step that scales with compute efficiency
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
  std::string product;  ///< the measured product, where the suite has many
  ClaimRole role = ClaimRole::kValidate;
  std::optional<RowKind> kind;       ///< none if rejected, or a figure of a document
  std::string reason;                ///< reason that it is rejected, with the numbers
  std::vector<std::string> misfits;  ///< what does not fit in the scenario, in sentences
  double published = 0.0;            ///< NaN for a row that is outside what is modelled
  std::optional<double> rounding;
  std::optional<double> predicted;       ///< nothing where the scenario is infeasible
  std::optional<double> relative_error;  ///< predicted / published - 1
  std::optional<double> size_bytes;      ///< size of a collective's buffer
  std::optional<double> published_low;   ///< lowest of a call's contradictory records
  std::optional<double> published_high;
  std::optional<TrainingFacts> training;
  std::optional<PredictedStep> step;        ///< nothing where the scenario is infeasible
  std::optional<double> same_baseline;      ///< error by the mean MFU of its like, see ErrorGroup
  std::optional<double> constant_baseline;  ///< error by the MFU of other families, or by the mean
                                            ///< of other products' rows of its group
  std::string scenario;                     ///< the complete scenario it ran, as YAML
  std::vector<std::string> printed;  ///< numbers of a document that it stands for, see Document
  std::string about;                 ///< in words, for a row that ran no scenario
  std::string is;                    ///< expression that such a row is computed from; "" if none
};

/// Whether the prediction lies within the figure's rounding, or on the right side of a bound.
bool agrees(const ValidationCase& c);

Verdict verdict_of(const ValidationCase& c);

/// Counts the numbers that a document prints by the role of their rows.
struct DocumentCount {
  std::string name;
  std::string title;
  int num_numbers = 0;
  std::map<ClaimRole, int> by_role;
};

/// Errors of a group's rows of the role `validate` with buffers of at least `from_bytes`.
struct SizeClass {
  std::string group;
  double from_bytes = 0.0;
  int num_rows = 0;
  double median_absolute_error = 0.0;
  int num_contested = 0;  ///< calls with contradictory records
  int num_between = 0;    ///< contested calls with a prediction between their records
};

/// Absolute relative errors of some rows.
struct ErrorStatistics {
  int num_rows = 0;
  double median = 0.0;
  double mean = 0.0;
  double percentile_90 = 0.0;
  double largest = 0.0;
};

/// Rows of the role `validate` with something in common, and two baselines without physics. The
/// first is the mean model-FLOPs utilization of other rows with the same family, device, precision
/// and model. The second is the mean over other families, each by its mean, with products in as
/// many bits. Rows of products have one baseline, the mean of other products' rows of the group.
struct ErrorGroup {
  std::string by;  ///< "quantity", "derived", "product", "family", "device", "size", "parallelism",
                   ///< "pair", "kernel"
  std::string name;
  ErrorStatistics errors;
  ErrorStatistics same_baseline;  ///< errors of the first baseline, of rows that have their like
  ErrorStatistics constant_baseline;  ///< errors of the second, of rows that have other families
};

/// Tokens/s per accelerator, relative to the row with the fewest accelerators and the same model,
/// stack and parallelism.
struct ScalingPoint {
  std::string id;
  std::string from;  ///< the row with the fewest accelerators
  double published = 0.0;
  double predicted = 0.0;
};

/// Rows of one kind that have a prediction.
struct KindCount {
  RowKind kind = RowKind::kPrediction;
  int num_rows = 0;
  int num_agreeing = 0;  ///< within the figure's rounding, or on the right side of a bound
  ErrorStatistics errors;
};

/// A limit on an error statistic of rows of the suite.
struct TargetResult {
  std::string name;
  std::string statistic;  ///< "mean", "median", "percentile_90", "largest"
  int num_rows = 0;
  int num_calibrate = 0;        ///< rows that numbers were fitted to
  std::optional<double> value;  ///< nothing without rows
  double below = 0.0;
};

/// 80 % interval: tenth and ninetieth percentile of published / predicted, families weighted
/// equally.
struct Band {
  double low = 1.0;
  double high = 1.0;
};

/// Share of held-out rows within an 80 % interval, and the interval's width. The interval is the
/// tenth to ninetieth percentile of other families, weighted equally, or of the row's like.
struct BandScore {
  std::string name;
  int num_rows = 0;
  int num_families = 0;
  double held_rows = 0.0;      ///< share of rows within the interval
  double held_families = 0.0;  ///< mean of that share over families
  double mean_width = 0.0;     ///< mean of ln(high / low)
  /// Mean of width + 10 times the distance of a row outside, in logarithms; lower is better. No
  /// interval gains by being wider or narrower than its knowledge. [@gneiting2007scoring]
  double score = 0.0;
  double score_families = 0.0;  ///< mean over families of their scores
};

/// Errors of held-out rows; mean, median and largest are those of predictions alone, and nothing
/// where there are none.
struct ValidationSummary {
  int num_calibrate = 0;
  int num_validate = 0;
  int num_reject = 0;
  int num_fact = 0;
  int num_input = 0;
  int num_arithmetic = 0;
  int num_outside = 0;
  int num_unfit = 0;  ///< rows whose scenario does not fit, so that nothing predicts them
  std::optional<double> mean_absolute_error;
  std::optional<double> median_absolute_error;
  std::optional<double> largest_absolute_error;
  std::vector<KindCount> kinds;
  std::vector<SizeClass> size_classes;  ///< errors of collectives
  std::vector<ErrorGroup> groups;       ///< errors of rows with a training scenario
  /// Errors of the ratio of two training steps of one family whose scenarios differ in one key (or
  /// in nodes and batch together), by that key. constant_baseline is the baseline that nothing
  /// changes. Pairs weigh equally, so the key with the most pairs dominates `all`.
  std::vector<ErrorGroup> pairs;
  /// Errors of kernels measured alone, by device, kind, format and class of shape. Their baselines:
  /// interpolation of the fitted shapes, and the constants of another device.
  std::vector<ErrorGroup> kernels;
  std::vector<ScalingPoint> scaling;  ///< scaling of training steps
  std::vector<TargetResult> targets;
  std::optional<Band> band;  ///< interval of training steps
  std::vector<BandScore> band_scores;
  /// Standard deviation of ln(published / predicted) around the level of its family, as far as a
  /// fit of compute efficiency to one other run shows it.
  std::optional<double> family_spread;
  int num_fitted_numbers = 0;  ///< numbers of devices and stacks that steps were fitted by
};

/// A record that does not suffice for a scenario.
struct NotRun {
  std::string id;
  std::string group;
  std::string missing;  ///< missing information, in words
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
  std::vector<std::string> not_covered;  ///< cases without any public record, in words
  std::vector<DocumentCount> documents;  ///< documents of which every number has a row

  /// Whether any row has a prediction, or none lacks one because its scenario does not fit.
  [[nodiscard]] bool feasible() const;
};

struct ValidationOptions {
  bool ignore_memory = false;  ///< predicts training as if every accelerator had enough memory
  /// Predicts training as if nobody had stated a setting of its recipe: the profile has them all.
  bool without_recipe = false;
  bool skips_rows = true;  ///< skips a row whose scenario cannot be read; else refuses the suite
};

/// Whether a file holds a suite instead of measured runs.
bool is_suite(const core::Node& tree);

/// Runs a suite. Skips a row whose scenario cannot be read, with the reason. Throws ConfigError for
/// a suite that cannot be read, or if no scenario of it can.
ValidationResult validate(const core::Node& suite, const core::Catalogue& catalogue,
                          const ValidationOptions& options = {});

}  // namespace railwright::validation
