// SPDX-License-Identifier: Apache-2.0
// `sweep`: writes every point of a grid or list of scenarios into a table, one row a point.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/planner/sweep/sweep_row.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/scenario/sweep_space.hpp"
#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/simulate_options.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// A cell of the table; monostate is null.
using SweepValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// Converts a value of a scenario to a cell: keeps plain numbers and truth values as such, and
/// writes lists and mappings as YAML.
SweepValue cell_of(const core::Node& value);

enum class ColumnType : std::uint8_t { kBool, kInteger, kReal, kText, kAny };

struct SweepColumn {
  std::string name;
  ColumnType type = ColumnType::kAny;
};

using simulation::kNumSweepGoals;
using simulation::SweepGoal;
using simulation::SweepGoals;

/// The question that a table answers. Tables of one fingerprint are parts of one table.
struct SweepQuestion {
  std::string fingerprint;
  std::int64_t num_points = 0;
  /// Facts stored once: the base scenario, version, method, keys and values.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<SweepColumn> columns;  ///< after the point's number
  SweepGoals goals;
};

/// A row that the table already has, as far as the summary needs it.
struct StoredPoint {
  std::int64_t point = 0;
  PointState state = PointState::kError;
  std::array<double, kNumSweepGoals> goals{};  ///< values of their columns
};

/// A table that cannot be written to: a full disk, a deleted file. Committed rows stay.
class TableError : public core::Error {
 public:
  using core::Error::Error;
};

/// Destination of rows. One thread uses it at a time.
class SweepTable {
 public:
  SweepTable() = default;
  SweepTable(const SweepTable&) = delete;
  SweepTable& operator=(const SweepTable&) = delete;
  virtual ~SweepTable() = default;

  /// Whether rows must come in rising order of their points.
  [[nodiscard]] virtual bool needs_order() const = 0;
  /// Whether the table keeps rows; if not, none are appended.
  [[nodiscard]] virtual bool keeps_rows() const { return true; }
  /// Calls `see` for each row of earlier runs.
  virtual void visit(const std::function<void(const StoredPoint&)>& see) = 0;
  /// Appends a row. Throws TableError.
  virtual void append(std::int64_t point, std::span<const SweepValue> cells) = 0;
  /// Makes appended rows outlive the process. Throws TableError.
  virtual void commit() = 0;
};

/// A part of the points: those whose number leaves `index` - 1 when divided by `count`. Neighbours
/// cost about the same, so each shard gets its share of expensive ones.
struct Shard {
  int index = 1;
  int count = 1;
};
/// Reads "2/8". Throws ConfigError.
Shard read_shard(const std::string& text);

struct SweepOptions {
  simulation::Method method = simulation::Method::kSimulate;
  bool with_run = true;      ///< also the whole job, or requests one by one; else the step alone
  std::string version = {};  ///< program version, stored with the table
  Shard shard = {};
  int num_threads = 0;  ///< 0: as many as there are cores
  /// A SweepRun holds a bit for each point; a caller of `make` for a few of them may raise this.
  std::int64_t max_points = 100'000'000;
  /// Called now and then with the number of points done and of all points.
  std::function<void(std::int64_t done, std::int64_t all)> progress = {};
  const std::atomic<bool>* stop = nullptr;  ///< if true: ends after the points under way
};

/// The best point by one goal.
struct BestPoint {
  std::int64_t point = 0;
  double value = 0.0;
  std::vector<std::string> settings;  ///< changes to the scenario, as for `--set`
};
using BestPoints = std::array<std::optional<BestPoint>, kNumSweepGoals>;

struct SweepSummary {
  std::string name;
  std::int64_t points = 0;  ///< points of the whole sweep
  std::int64_t wanted = 0;  ///< points of the shard
  std::int64_t found = 0;   ///< points of the shard that the table had before
  std::int64_t made = 0;
  std::int64_t feasible = 0;
  std::int64_t infeasible = 0;
  std::int64_t errors = 0;
  SweepGoals goals;
  BestPoints best;  ///< by goal; nothing if no point is feasible
  double time_s = 0.0;
  double writer_s = 0.0;  ///< busy time of the writer's own thread
  int num_threads = 1;
  bool interrupted = false;

  [[nodiscard]] double writer_share() const { return time_s > 0.0 ? writer_s / time_s : 0.0; }
  [[nodiscard]] double points_per_s() const {
    return time_s > 0.0 ? static_cast<double>(made) / time_s : 0.0;
  }
};

/// Whether points that differ in this key alone share the tables of their estimates.
bool varies_fast(const std::string& key);

/// A checked sweep, ready to fill a table.
///
/// Estimates of points that differ only in parallelism, batch, ZeRO stage and recompute share their
/// tables. The rows are those of `simulate` for each point, for any number of threads.
class Sweep {
 public:
  /// `vary` replaces the values of the same keys in the scenario's `sweep`. The catalogue must
  /// outlive the sweep. Throws ConfigError for keys that no scenario has, and for problems that no
  /// values would cure.
  Sweep(const core::Node& tree, const core::Catalogue& catalogue,
        const std::vector<simulation::Variation>& vary, SweepOptions options);
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;
  ~Sweep();

  [[nodiscard]] const SweepQuestion& question() const;
  /// Makes the rows that the table lacks. Throws TableError.
  SweepSummary run(SweepTable& table) const;
  /// Computes rows for `points` (no duplicates), in the given order. Throws core::Interrupted.
  [[nodiscard]] std::vector<SweepRow> make(std::span<const std::int64_t> points) const;
  /// Returns the input cells of a point.
  [[nodiscard]] std::vector<SweepValue> inputs(std::int64_t point) const;

 private:
  friend class SweepRun;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A sweep in progress, for rows that are made anywhere, even by other processes.
class SweepRun {
 public:
  /// Reads which points the table has. Both arguments must outlive the run. Throws TableError.
  SweepRun(const Sweep& sweep, SweepTable& table);
  SweepRun(const SweepRun&) = delete;
  SweepRun& operator=(const SweepRun&) = delete;
  ~SweepRun();

  /// Returns at most `most` points that are still to be made; empty at the end. Thread-safe.
  std::vector<std::int64_t> next(std::size_t most);
  /// Takes rows of such points, in any order. Returns false once the table cannot be written to.
  bool put(std::vector<SweepRow> rows);
  /// Number of the shard's rows in the table.
  [[nodiscard]] std::int64_t num_written() const;
  /// Commits all rows. Throws TableError.
  SweepSummary finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace railwright::planner
