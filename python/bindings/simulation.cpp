// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <utility>

#include "inputs.hpp"
#include "interruptible.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/output/json/chosen_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/next_changes_json.hpp"
#include "railwright/output/json/ranges_json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/output/text/chosen_text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/output/words/lines.hpp"
#include "railwright/planner/next_change/next_changes.hpp"
#include "railwright/planner/ranges/hangs_on.hpp"
#include "railwright/planner/unsaid/unsaid.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/simulate_any.hpp"
#include "records.hpp"
#include "verbs.hpp"

namespace railwright::python {

namespace py = pybind11;

namespace {

using simulation::AnyResult;

/// A result that NumPy arrays are views of, with its inputs for a report.
struct Simulated {
  AnyResult result;
  core::Node tree;
  Strings roots;
  simulation::Method method = simulation::Method::kSimulate;
  std::vector<planner::HangsOn> hangs_on;
  std::vector<planner::Chosen> chosen;
};

std::string json_of(const Simulated& simulated, bool load) {
  const AnyResult& result = simulated.result;
  std::string json = std::visit(
      [&](const auto& one) {
        if constexpr (requires { output::to_json(one, load); }) {
          return output::to_json(one, load && simulation::run_of(result) != nullptr);
        } else {
          return output::to_json(one);
        }
      },
      result);
  return output::with_chosen(output::with_hangs_on(std::move(json), simulated.hangs_on),
                             simulated.chosen);
}

/// Returns the changes to try next, if they are asked for or that takes only seconds.
planner::AnyChangesTried changes_of(const Simulated& simulated, bool are_asked) {
  if (!are_asked && !planner::are_changes_quick(simulated.result)) return {};
  const core::Catalogue catalogue(simulation::catalogue_roots(simulated.roots));
  return planner::next_changes(simulated.tree, catalogue, simulated.result, simulated.method);
}

/// Returns the JSON of the program's --report, with an explanation if that takes only seconds.
std::string report_json(const Simulated& simulated) {
  return interruptibly([&] {
    const core::Catalogue catalogue(simulation::catalogue_roots(simulated.roots));
    const auto* training = std::get_if<simulation::SimulationResult>(&simulated.result);
    std::optional<planner::Explanation> explanation;
    if (training != nullptr && training->feasible() &&
        training->num_accelerators <= output::kMaxExplainedUnasked) {
      explanation = planner::explain(simulated.tree, catalogue, simulated.method);
    }
    const std::string json = output::report_json(
        simulated.result, explanation ? &*explanation : nullptr, {simulated.tree, catalogue});
    return output::with_verdict(
        json,
        output::verdict(simulated.result, changes_of(simulated, false), {}, simulated.hangs_on));
  });
}

/// Returns the list of advised changes, as the program's JSON has it; "null" for kinds without one.
std::string try_next_json(const Simulated& simulated) {
  return interruptibly([&] {
    const core::Catalogue catalogue(simulation::catalogue_roots(simulated.roots));
    return output::to_json(
        planner::next_changes(simulated.tree, catalogue, simulated.result, simulated.method));
  });
}

/// Returns what the program prints, in lines of at most `width` columns; 0 does not break them.
std::string summary(const Simulated& simulated, bool tables, std::size_t width) {
  return interruptibly([&] {
    const AnyResult& result = simulated.result;
    const planner::AnyChangesTried changes = changes_of(simulated, tables);
    const output::TextStyle style{.width = width};
    std::string text = output::verdict(result, changes, style, simulated.hangs_on);
    if (tables) {
      text +=
          '\n' + std::visit([&](const auto& one) { return output::to_text(one, style); }, result);
    }
    return output::wrapped(text + output::chosen_text(simulated.chosen), width);
  });
}

/// Returns null if nothing was traced.
const simulation::StepTrace* trace_of(const Simulated& simulated) {
  const auto* one = std::get_if<simulation::SimulationResult>(&simulated.result);
  return one != nullptr && one->trace ? &*one->trace : nullptr;
}

py::object load_bins(const py::object& self) {
  const simulation::RunResult* run = simulation::run_of(self.cast<const Simulated&>().result);
  if (run == nullptr || run->storage.bins.empty()) return py::none();
  using Bin = simulation::LoadBin;
  return view_of(run->storage.bins,
                 {{"read_bytes", "f8", offsetof(Bin, read_bytes)},
                  {"written_bytes", "f8", offsetof(Bin, written_bytes)},
                  {"operations", "f8", offsetof(Bin, operations)},
                  {"peak_read_bytes_per_s", "f8", offsetof(Bin, peak_read)},
                  {"peak_write_bytes_per_s", "f8", offsetof(Bin, peak_write)},
                  {"peak_node_read_bytes_per_s", "f8", offsetof(Bin, peak_node_read)},
                  {"peak_node_write_bytes_per_s", "f8", offsetof(Bin, peak_node_write)},
                  {"peak_operations_per_s", "f8", offsetof(Bin, peak_operations)},
                  {"peak_processor_load", "f8", offsetof(Bin, peak_processor_load)},
                  {"used_bytes", "f8", offsetof(Bin, used)}},
                 self);
}

py::object queue_jobs(const py::object& self) {
  const auto* queue = std::get_if<simulation::QueueResult>(&self.cast<const Simulated&>().result);
  if (queue == nullptr || !queue->has_run()) return py::none();
  using Past = simulation::JobHistory;
  using Job = simulation::QueuedJob;
  return view_of(queue->histories,
                 {{"submit_s", "f8", offsetof(Past, job) + offsetof(Job, submit)},
                  {"accelerators", "i4", offsetof(Past, job) + offsetof(Job, accelerators)},
                  {"duration_s", "f8", offsetof(Past, job) + offsetof(Job, duration)},
                  {"limit_s", "f8", offsetof(Past, job) + offsetof(Job, limit)},
                  {"start_s", "f8", offsetof(Past, start)},
                  {"end_s", "f8", offsetof(Past, end)},
                  {"ran_s", "f8", offsetof(Past, ran)},
                  {"num_interruptions", "i4", offsetof(Past, num_interruptions)},
                  {"num_leaves", "i4", offsetof(Past, num_leaves)}},
                 self);
}

double bin_width_s(const Simulated& simulated) {
  const simulation::RunResult* run = simulation::run_of(simulated.result);
  return run == nullptr ? 0.0 : run->storage.bin_width.base();
}

py::object step_spans(const py::object& self) {
  const simulation::StepTrace* trace = trace_of(self.cast<const Simulated&>());
  if (trace == nullptr) return py::none();
  using simulation::PassMark;
  using simulation::Span;
  return view_of(trace->spans,
                 {{"kind", "u1", offsetof(Span, kind)},
                  {"pass", "u1", offsetof(Span, mark) + offsetof(PassMark, pass)},
                  {"chunk", "i2", offsetof(Span, mark) + offsetof(PassMark, chunk)},
                  {"microbatch", "i4", offsetof(Span, mark) + offsetof(PassMark, microbatch)},
                  {"stream", "u1", offsetof(Span, stream)},
                  {"rank_class", "i4", offsetof(Span, rank_class)},
                  {"start_ps", "i8", offsetof(Span, start)},
                  {"end_ps", "i8", offsetof(Span, end)},
                  {"delay_ps", "i8", offsetof(Span, delay)},
                  {"bytes", "i8", offsetof(Span, bytes)}},
                 self);
}

std::vector<std::pair<int, std::int64_t>> rank_classes(const Simulated& simulated) {
  std::vector<std::pair<int, std::int64_t>> classes;
  if (const simulation::StepTrace* trace = trace_of(simulated)) {
    for (const auto& one : trace->rank_classes) classes.emplace_back(one.stage, one.num_ranks);
  }
  return classes;
}

Simulated simulate(const Source& source, bool estimate, bool unfolded, bool trace, int num_threads,
                   const Strings& roots) {
  return interruptibly([&] {
    const core::ThreadsScope threads(checked_threads(num_threads));
    const core::Catalogue catalogue(simulation::catalogue_roots(roots));
    const auto symmetry =
        unfolded ? simulation::Symmetry::kUnfolded : simulation::Symmetry::kFolded;
    const simulation::SimulateOptions options{
        .method = method_of(estimate), .symmetry = symmetry, .trace = trace};
    planner::Filled filled = filled_of(source, catalogue, planner::Asked::kDesign);
    AnyResult result = simulation::simulate(filled.tree, catalogue, options);
    auto hangs_on = planner::hangs_on(filled.tree, catalogue, result);
    return Simulated{std::move(result), std::move(filled.tree), roots,
                     options.method,    std::move(hangs_on),    std::move(filled.chosen)};
  });
}

}  // namespace

void bind_simulation(py::module_& module) {
  py::class_<Simulated>(module, "Simulated")
      .def("json", &json_of, py::arg("load"))
      .def("report_json", &report_json)
      .def("try_next_json", &try_next_json)
      .def("summary", &summary, py::arg("tables"), py::arg("width"))
      .def_property_readonly("bin_width_s", &bin_width_s)
      .def_property_readonly("rank_classes", &rank_classes)
      .def("load", [](const py::object& self) { return load_bins(self); })
      .def("jobs", [](const py::object& self) { return queue_jobs(self); })
      .def("spans", [](const py::object& self) { return step_spans(self); });
  module.attr("STREAMS") = py::tuple(py::cast(simulation::kStreamNames));
  module.attr("OPERATIONS") = py::tuple(py::cast(simulation::kOpNames));
  module.attr("PASSES") = py::tuple(py::cast(simulation::kPassNames));
  module.def("simulate", &simulate, py::arg("source"), py::arg("estimate"), py::arg("unfolded"),
             py::arg("trace"), py::arg("num_threads"), py::arg("roots"));
}

}  // namespace railwright::python
