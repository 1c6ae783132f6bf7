// SPDX-License-Identifier: Apache-2.0
// A number of a result as one record: its path in JSON, its name, its format for people, and the
// function that reads it from a result. JSON, text, tables of sweeps, pages and Python follow from
// it.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "railwright/core/units/quantity.hpp"

namespace railwright::simulation {

struct InferenceResult;
struct QueueResult;
struct SimulationResult;
struct JobRun;
struct JobsResult;
struct PostTrainingResult;
struct StorageRun;

/// A number by its dotted path in the JSON; the name's suffix is its unit in SI.
struct Output {
  std::string path;
  std::variant<std::int64_t, double> value;

  [[nodiscard]] double number() const;
  /// Returns "/run/steps_s" for "run.steps_s".
  [[nodiscard]] std::string json_pointer() const;
};

/// Format of a number for people. Each format has its own unit.
enum class NumberFormat : std::uint8_t {
  kCount,
  kLarge,  ///< a count in millions, billions or trillions
  kPlain,
  kShare,  ///< 0 to 1, read in %
  kTime,
  kBytes,
  kBytesPerSecond,
  kPower,
  kPowerPerSecond,
  kEnergy,
  kMass,
  kMoney,
};
/// Returns the SI unit: "s", "B", "B/s", "W", "J", "USD"; empty for a format without one.
std::string_view unit_of(NumberFormat format);
/// Returns the name in pages and Python: "count", "bytes_per_s".
std::string_view name_of(NumberFormat format);

/// A count, a number in SI, or nothing if a result has no such number.
class NumberValue {
 public:
  NumberValue() = default;
  template <std::integral T>
  NumberValue(T count) : value_(static_cast<std::int64_t>(count)) {}  // NOLINT(*-explicit-*)
  NumberValue(double number) : value_(number) {}                      // NOLINT(*-explicit-*)
  template <class D>
  NumberValue(core::Quantity<D> quantity) : value_(quantity.base()) {}  // NOLINT(*-explicit-*)

  [[nodiscard]] explicit operator bool() const { return value_.has_value(); }
  [[nodiscard]] const std::variant<std::int64_t, double>& operator*() const { return *value_; }
  /// Returns the number, which must exist.
  [[nodiscard]] double number() const;

 private:
  std::optional<std::variant<std::int64_t, double>> value_;
};

/// Source that numbers are read from. One of several jobs has only `job`, storage that jobs share
/// only `storage`, a service only `service`, a queue only `queue`, several jobs together `jobs` and
/// `storage`. An infeasible design lacks the parts it has no result for.
struct NumberSource {
  const SimulationResult* result = nullptr;
  const JobRun* job = nullptr;
  const StorageRun* storage = nullptr;
  const InferenceResult* service = nullptr;
  const QueueResult* queue = nullptr;
  const JobsResult* jobs = nullptr;
  const PostTrainingResult* post_training = nullptr;
  bool has_step = false;                ///< the design is feasible
  bool has_storage = false;             ///< the run reads and writes on a storage cluster
  bool has_answers = false;             ///< the model fits and answers in time
  bool has_requests = false;            ///< they were simulated one by one
  bool has_queue_run = false;           ///< its jobs ran
  bool has_jobs_run = false;            ///< they fit and ran
  bool has_post_training_step = false;  ///< rollout and trainer fit
};
NumberSource source_of(const SimulationResult& result);

/// Part of a result that a number is about.
enum class NumberScope : std::uint8_t {
  kDesign,            ///< a design, even an infeasible one
  kStep,              ///< a step, or all steps
  kJob,               ///< the run of a job, also one of several
  kStorage,           ///< the storage cluster, for one job or several
  kRun,               ///< the run of a job that has the cluster to itself
  kService,           ///< a model that answers requests, even if it does not fit
  kAnswers,           ///< a model that fits and answers requests
  kRequests,          ///< its simulated requests
  kQueue,             ///< a queue of jobs, even if they do not fit
  kQueueRun,          ///< what its jobs went through
  kJobs,              ///< several jobs on one cluster, even if they do not fit
  kJobsRun,           ///< what all of them went through
  kPostTraining,      ///< post-training, even if it does not fit
  kPostTrainingStep,  ///< its step
};
/// Whether `source` has what such numbers are read from.
bool has(const NumberSource& source, NumberScope scope);

/// Part of a simulation's text at whose end numbers have lines of their own.
enum class TextPart : std::uint8_t { kNone, kAnswer, kCheckpoint, kStorage, kCost };

/// A label and its place among others; without a place it comes last.
struct Label {
  static constexpr int kLast = 1000;
  std::string_view text{};
  int place = kLast;
};

/// A number of a result. Its path is unique; one with a `*` stands for a number of each name.
struct ResultNumber {
  std::string path;
  std::string word{};  ///< name in tables of pages and in notebooks: "checkpoint written in"
  NumberFormat format = NumberFormat::kPlain;
  std::string_view color{};  ///< in charts: the name of a cause of a step
  std::string column{};      ///< in tables of sweeps; empty: none
  int column_place = Label::kLast;
  bool is_whole = false;    ///< a column of integers
  Label beside{};           ///< its row in comparisons of designs; empty: none
  bool hides_zero = false;  ///< hides zeros in that row
  TextPart text_part = TextPart::kNone;
  std::string_view line{};  ///< label of its line in that part

  std::function<NumberValue(const NumberSource&)> read{};
  /// Reads the numbers of a path with a `*`, in place of `read`.
  using Each = std::function<void(std::string_view name, NumberValue value)>;
  std::function<void(const NumberSource&, const Each&)> read_each{};
};

/// Numbers about one thing, in the order of the JSON.
struct NumberGroup {
  NumberScope scope;
  std::vector<ResultNumber> (*numbers)();
};

/// A number of the table, and the part of a result that it is about.
struct ScopedNumber {
  NumberScope scope;
  ResultNumber number;

  /// Reads the number; nothing if `source` has none, and for a path with a `*`.
  [[nodiscard]] NumberValue read(const NumberSource& source) const;
};
/// Returns the numbers of all groups, in their order.
std::vector<ScopedNumber> table_of(std::span<const NumberGroup> groups);

/// Returns all numbers of training, in the order of the JSON.
const std::vector<ScopedNumber>& result_numbers();
/// Returns the `numbers` that `source` has, in their order.
std::vector<Output> outputs(const std::vector<ScopedNumber>& numbers, const NumberSource& source);

}  // namespace railwright::simulation
