// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/sweep/sweep.hpp"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <memory>
#include <utility>

#include "inputs.hpp"
#include "interruptible.hpp"
#include "railwright/output/tables/sweep_table.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "rows.hpp"
#include "verbs.hpp"

namespace railwright::python {

namespace py = pybind11;

namespace {

/// A checked sweep with its catalogue.
class Sweep {
 public:
  Sweep(const Source& source, const Strings& vary, planner::SweepOptions options,
        const Strings& roots)
      : catalogue_(simulation::catalogue_roots(roots)) {
    options.stop = &stop_;
    options.progress = [this](std::int64_t done, std::int64_t all) {
      told_.tell("points", done, all);
    };
    sweep_ = interruptibly([&] {
      return std::make_unique<planner::Sweep>(
          tree_of(source), catalogue_, simulation::read_variations(vary), std::move(options));
    });
  }

  [[nodiscard]] const planner::Sweep& sweep() const { return *sweep_; }

  /// Writes the sweep into a table, using this process's threads.
  std::string run(const std::string& out, const py::object& progress) {
    return interruptibly(told_, progress, stop_, [&] {
      const auto table = output::open_sweep_table(out, sweep_->question());
      return output::to_json(sweep_->run(*table), out);
    });
  }

  Rows make(const Points& points) {
    const std::vector<std::int64_t> wanted(points.data(), points.data() + points.size());
    return interruptibly(told_, py::none(), stop_, [&] { return Rows{sweep_->make(wanted)}; });
  }

  /// Returns a list for each input.
  [[nodiscard]] py::list inputs(const Points& points) const {
    py::list columns;
    for (py::ssize_t p = 0; p < points.size(); ++p) {
      const std::vector<planner::SweepValue> cells = sweep_->inputs(points.at(p));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (p == 0) columns.append(py::list());
        columns[i].cast<py::list>().append(to_python(cells[i]));
      }
    }
    return columns;
  }

  [[nodiscard]] Told& told() { return told_; }

 private:
  core::Catalogue catalogue_;
  std::atomic<bool> stop_ = false;
  Told told_;
  std::unique_ptr<planner::Sweep> sweep_;
};

/// A sweep into a table whose rows other processes compute.
class Run {
 public:
  Run(Sweep& sweep, const std::string& out)
      : sweep_(sweep),
        out_(out),
        table_(output::open_sweep_table(out, sweep.sweep().question())),
        run_(sweep.sweep(), *table_) {}

  Points next(std::size_t most) {
    const std::vector<std::int64_t> points = run_.next(most);
    return Points(static_cast<py::ssize_t>(points.size()), points.data());
  }
  bool put(const Rows& rows) {
    const py::gil_scoped_release no_gil;
    return run_.put(rows.rows);
  }
  void tell(const py::object& progress) { sweep_.told().pass_on(progress); }
  std::string finish() {
    const py::gil_scoped_release no_gil;
    return output::to_json(run_.finish(), out_);
  }

 private:
  Sweep& sweep_;
  std::string out_;
  std::unique_ptr<planner::SweepTable> table_;
  planner::SweepRun run_;
};

std::vector<std::string> column_names(const Sweep& sweep) {
  std::vector<std::string> names;
  for (const auto& column : sweep.sweep().question().columns) names.push_back(column.name);
  return names;
}

std::vector<std::string> integer_columns(const Sweep& sweep) {
  std::vector<std::string> names;
  for (const auto& column : sweep.sweep().question().columns) {
    if (column.type == planner::ColumnType::kInteger) names.push_back(column.name);
  }
  return names;
}

/// Raises the thresholds at which this process returns freed memory. Dask makes its workers return
/// it at once (MALLOC_TRIM_THRESHOLD_), and the kernel then takes most of a simulation's time.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
}

std::string merge(const std::string& out, const Strings& pieces) {
  return output::to_json(output::merge_sweep_tables(out, pieces), out);
}

}  // namespace

void bind_sweep(py::module_& module) {
  bind_rows(module);
  py::class_<Sweep>(module, "Sweep")
      .def(py::init([](const Source& source, const Strings& vary, bool estimate, bool with_run,
                       const std::string& shard, int num_threads, std::int64_t max_points,
                       const Strings& roots) {
             planner::SweepOptions options{.method = method_of(estimate),
                                           .with_run = with_run,
                                           .version = RAILWRIGHT_VERSION,
                                           .num_threads = checked_threads(num_threads)};
             if (!shard.empty()) options.shard = planner::read_shard(shard);
             if (max_points > 0) options.max_points = max_points;
             return std::make_unique<Sweep>(source, vary, std::move(options), roots);
           }),
           py::arg("source"), py::arg("vary"), py::arg("estimate"), py::arg("with_run"),
           py::arg("shard"), py::arg("num_threads"), py::arg("max_points"), py::arg("roots"))
      .def_property_readonly("fingerprint",
                             [](const Sweep& s) { return s.sweep().question().fingerprint; })
      .def_property_readonly("num_points",
                             [](const Sweep& s) { return s.sweep().question().num_points; })
      .def_property_readonly("columns", &column_names)
      .def_property_readonly("integer_columns", &integer_columns)
      .def("run", &Sweep::run, py::arg("out"), py::arg("progress"))
      .def("make", &Sweep::make, py::arg("points"))
      .def("inputs", &Sweep::inputs, py::arg("points"));
  py::class_<Run>(module, "SweepRun")
      .def(py::init<Sweep&, const std::string&>(), py::arg("sweep"), py::arg("out"),
           py::keep_alive<1, 2>())
      .def("next", &Run::next, py::arg("most"))
      .def("put", &Run::put, py::arg("rows"))
      .def("tell", &Run::tell, py::arg("progress"))
      .def("finish", &Run::finish);
  module.def("merge", &merge, py::arg("out"), py::arg("pieces"),
             py::call_guard<py::gil_scoped_release>());
  module.def("keep_freed_memory", &keep_freed_memory);
  module.def("varies_fast", &planner::varies_fast, py::arg("key"));
}

}  // namespace railwright::python
