// SPDX-License-Identifier: Apache-2.0
// `sweep`: every point of a grid or list of scenarios into a table, one row a point.
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
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// What a cell of the table holds; monostate is null.
using SweepValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

enum class ColumnType : std::uint8_t { kBool, kInteger, kReal, kText, kAny };

struct SweepColumn {
  std::string name;
  ColumnType type = ColumnType::kAny;
};

/// What makes a point better than another.
struct SweepGoal {
  std::string name;    ///< in JSON: "shortest_step"
  std::string words;   ///< "shortest step"
  std::string column;  ///< of the table
  simulation::NumberFormat format = simulation::NumberFormat::kPlain;
  bool wants_least = true;
};
inline constexpr std::size_t kNumSweepGoals = 2;
using SweepGoals = std::array<SweepGoal, kNumSweepGoals>;

/// What a table answers. Tables of one fingerprint are pieces of one table.
struct SweepQuestion {
  std::string fingerprint;
  std::int64_t num_points = 0;
  /// What is stored once: the base scenario, version, method, keys and values.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<SweepColumn> columns;  ///< behind the point's number
  SweepGoals goals;
};

/// What the summary needs of a row that is there already.
struct StoredPoint {
  std::int64_t point = 0;
  PointState state = PointState::kError;
  std::array<double, kNumSweepGoals> goals{};  ///< values of their columns
};

/// A table cannot be written on: a full disk, a file that went away. Committed rows stay.
class TableError : public core::Error {
 public:
  using core::Error::Error;
};

/// Where rows go. One thread uses it at a time.
class SweepTable {
 public:
  SweepTable() = default;
  SweepTable(const SweepTable&) = delete;
  SweepTable& operator=(const SweepTable&) = delete;
  virtual ~SweepTable() = default;

  /// Whether rows must come in rising order of their points.
  [[nodiscard]] virtual bool needs_order() const = 0;
  /// Whether rows are looked at at all.
  [[nodiscard]] virtual bool keeps_rows() const { return true; }
  /// The rows of earlier runs.
  virtual void visit(const std::function<void(const StoredPoint&)>& see) = 0;
  /// Throws TableError.
  virtual void append(std::int64_t point, std::span<const SweepValue> cells) = 0;
  /// What was appended outlives the process from here on. Throws TableError.
  virtual void commit() = 0;
};

/// A part of the points: those whose number leaves `index` - 1 when divided by `count`. Neighbours
/// cost alike, so each shard has its share of the dear ones.
struct Shard {
  int index = 1;
  int count = 1;
};
/// "2/8". Throws ConfigError.
Shard read_shard(const std::string& text);

struct SweepOptions {
  simulation::Method method = simulation::Method::kSimulate;
  bool with_run = true;      ///< the whole job too, or requests one by one; else the step alone
  std::string version = {};  ///< of the program, stored with the table
  Shard shard = {};
  int num_threads = 0;  ///< 0: as many as there are cores
  /// A SweepRun has a bit of each; who makes rows of some of them alone may have more.
  std::int64_t max_points = 100'000'000;
  /// Told now and then how many of how many points are there.
  std::function<void(std::int64_t done, std::int64_t all)> progress = {};
  const std::atomic<bool>* stop = nullptr;  ///< set: ends after the points under way
};

/// A point that is best at something.
struct BestPoint {
  std::int64_t point = 0;
  double value = 0.0;
  std::vector<std::string> settings;  ///< that make it of the scenario, as for `--set`
};
using BestPoints = std::array<std::optional<BestPoint>, kNumSweepGoals>;

struct SweepSummary {
  std::string name;
  std::int64_t points = 0;  ///< of the whole sweep
  std::int64_t wanted = 0;  ///< of the shard
  std::int64_t found = 0;   ///< of those, in the table before
  std::int64_t made = 0;
  std::int64_t feasible = 0;
  std::int64_t infeasible = 0;
  std::int64_t errors = 0;
  SweepGoals goals;
  BestPoints best;  ///< of each goal; none where no point is feasible
  double time_s = 0.0;
  double writer_s = 0.0;  ///< of a thread of its own
  int num_threads = 1;
  bool interrupted = false;

  [[nodiscard]] double writer_share() const { return time_s > 0.0 ? writer_s / time_s : 0.0; }
  [[nodiscard]] double points_per_s() const {
    return time_s > 0.0 ? static_cast<double>(made) / time_s : 0.0;
  }
};

/// Whether estimates of points that differ in this key alone share their tables.
bool varies_fast(const std::string& key);

/// A checked question, ready to be run into a table.
///
/// Estimates of points that differ in parallelism, batch, ZeRO stage and recompute alone share
/// their tables; the rows are those of `simulate` of each point, whatever the number of threads.
class Sweep {
 public:
  /// `vary` comes before what the scenario's `sweep` says of the same keys. The catalogue outlives
  /// the sweep. Throws ConfigError for keys that no scenario has and for what is wrong whatever the
  /// values are.
  Sweep(const core::Node& tree, const core::Catalogue& catalogue,
        const std::vector<simulation::Variation>& vary, SweepOptions options);
  Sweep(const Sweep&) = delete;
  Sweep& operator=(const Sweep&) = delete;
  ~Sweep();

  [[nodiscard]] const SweepQuestion& question() const;
  /// Makes the rows that the table lacks. Throws TableError.
  SweepSummary run(SweepTable& table) const;
  /// Rows of these points, each of which stands there once, in their order. Throws
  /// core::Interrupted.
  [[nodiscard]] std::vector<SweepRow> make(std::span<const std::int64_t> points) const;
  /// Input cells of a point.
  [[nodiscard]] std::vector<SweepValue> inputs(std::int64_t point) const;

 private:
  friend class SweepRun;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A sweep on its way into a table, for rows that are made anywhere: by other processes, too.
class SweepRun {
 public:
  /// Looks at what the table has. Both outlive the run. Throws TableError.
  SweepRun(const Sweep& sweep, SweepTable& table);
  SweepRun(const SweepRun&) = delete;
  SweepRun& operator=(const SweepRun&) = delete;
  ~SweepRun();

  /// Points that are still to be made, at most so many; empty at the end. Any thread may ask.
  std::vector<std::int64_t> next(std::size_t most);
  /// Takes rows of such points, in any order. False once the table cannot be written on.
  bool put(std::vector<SweepRow> rows);
  /// Rows that the table has of the shard.
  [[nodiscard]] std::int64_t num_written() const;
  /// Commits what was put. Throws TableError.
  SweepSummary finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace railwright::planner
