// SPDX-License-Identifier: Apache-2.0
#include "verbs.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <variant>

#include "answer.hpp"
#include "inputs.hpp"
#include "interruptible.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"
#include "railwright/output/html/html_report.hpp"
#include "railwright/output/json/diagnosis_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/offer_json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/output/text/mixes_text.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/planner/compare/compare.hpp"
#include "railwright/planner/compare/side_by_side_any.hpp"
#include "railwright/planner/diagnose/diagnose.hpp"
#include "railwright/planner/explain/explain.hpp"
#include "railwright/planner/search/search_any.hpp"
#include "railwright/planner/size/size_any.hpp"
#include "railwright/planner/so_far.hpp"
#include "railwright/simulation/results/topology.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/pools.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/validation/calibration/fit_suite.hpp"
#include "railwright/validation/calibration/leave_out_families.hpp"
#include "railwright/validation/measurements/calibrate_file.hpp"
#include "railwright/validation/offers/check_offer.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::python {

namespace py = pybind11;

namespace {

core::Catalogue catalogue_at(const Strings& roots) {
  return core::Catalogue(simulation::catalogue_roots(roots));
}

Answer compare(const Source& source, bool estimate, bool assumptions, int num_threads,
               const Strings& roots) {
  return interruptibly([&] {
    const core::ThreadsScope threads(checked_threads(num_threads));
    core::Node tree = tree_of(source);
    planner::ComparisonResult result =
        planner::compare(tree, catalogue_at(roots), method_of(estimate), assumptions);
    return answer_of(std::move(result), {std::move(tree), {}}, roots);
  });
}

Answer side_by_side(const std::vector<Source>& sources, const Strings& vary, bool estimate,
                    int num_threads, const Strings& roots) {
  return interruptibly([&] {
    const core::ThreadsScope threads(checked_threads(num_threads));
    const core::Catalogue catalogue = catalogue_at(roots);
    std::vector<planner::Design> designs;
    for (const Source& source : sources) {
      core::Node tree = tree_of(source);
      std::string name = name_of(tree, source);
      designs.push_back({std::move(name), std::move(tree)});
    }
    core::Node first = designs.front().tree;
    designs = planner::vary(designs, simulation::read_variations(vary));
    return std::visit(
        [&](auto one) { return answer_of(std::move(one), {std::move(first), {}}, roots); },
        planner::side_by_side_any(designs, catalogue, method_of(estimate)));
  });
}

Answer explain(const Source& source, bool estimate, int num_threads, const Strings& roots) {
  return interruptibly([&] {
    const core::Catalogue catalogue = catalogue_at(roots);
    planner::Filled filled = filled_of(source, catalogue, planner::Asked::kDesign);
    planner::Explanation result =
        planner::explain(filled.tree, catalogue, method_of(estimate), checked_threads(num_threads));
    return answer_of(std::move(result), std::move(filled), roots);
  });
}

std::string diagnose(const Source& source, const std::string& measured, bool estimate,
                     int num_threads, const Strings& roots) {
  return interruptibly([&] {
    const core::ThreadsScope threads(checked_threads(num_threads));
    const core::Catalogue catalogue = catalogue_at(roots);
    const planner::Filled filled = filled_of(source, catalogue, planner::Asked::kDesign);
    const auto made = planner::diagnose(
        filled.tree, catalogue, planner::measured_time(measured, "measured"), method_of(estimate));
    return output::with_chosen(output::to_json(made), filled.chosen);
  });
}

/// Returns the bill of the fabric and its drawing.
std::pair<std::string, std::string> topology(const Source& source, bool with_load,
                                             const Strings& roots) {
  return interruptibly([&] {
    const core::Catalogue catalogue = catalogue_at(roots);
    const planner::Filled filled = filled_of(source, catalogue, planner::Asked::kFabric);
    // A step loads the links: what it needs besides the fabric is chosen, too.
    const core::Node loaded =
        with_load && !simulation::has_pools(filled.tree)
            ? planner::fill_in(filled.tree, catalogue, planner::Asked::kDesign).tree
            : filled.tree;
    std::string bill = output::to_json(simulation::topology(filled.tree, catalogue));
    return std::pair(output::with_chosen(std::move(bill), filled.chosen),
                     output::topology_json({loaded, catalogue}, with_load));
  });
}

auto teller(Told& told) {
  return [&told](std::string_view what, std::int64_t done, std::int64_t all) {
    if (done != planner::kSoFar) told.tell(what, done, all);
  };
}

// NOLINTNEXTLINE(readability-function-size): an argument for each of the function's in Python
Answer search(const Source& source, int num_best, int num_simulated, bool front, int num_threads,
              const py::object& progress, const Strings& roots) {
  Told told;
  std::atomic<bool> stop = false;
  return interruptibly(told, progress, stop, [&] {
    const core::Catalogue catalogue = catalogue_at(roots);
    planner::Filled filled = filled_of(source, catalogue, planner::Asked::kSearch);
    const planner::SearchOptions options{
        .num_best = in_range("top", num_best, 1, 1000),
        .num_simulated = in_range("simulate", num_simulated, 0, 1000),
        .front = front,
        .num_threads = checked_threads(num_threads),
        .progress = teller(told)};
    return std::visit(
        [&](auto result) { return answer_of(std::move(result), std::move(filled), roots); },
        planner::search_any(filled.tree, catalogue, options));
  });
}

Answer size(const Source& source, int num_threads, const py::object& progress,
            const Strings& roots) {
  Told told;
  std::atomic<bool> stop = false;
  return interruptibly(told, progress, stop, [&] {
    const core::Catalogue catalogue = catalogue_at(roots);
    planner::Filled filled = filled_of(source, catalogue, planner::Asked::kSize);
    const planner::SizeOptions options{.num_threads = checked_threads(num_threads),
                                       .progress = teller(told)};
    if (auto sized = planner::size_any(filled.tree, catalogue, options)) {
      return answer_of(std::move(*sized), std::move(filled), roots);
    }
    planner::SizingResult result = planner::size(filled.tree, catalogue, options);
    return answer_of(std::move(result), std::move(filled), roots);
  });
}

/// Returns JSON text, and the YAML of an installation; the latter is empty if the fit is refused or
/// there is no fit.
// NOLINTNEXTLINE(readability-function-size): an argument for each of the function's in Python
std::pair<std::string, std::string> calibrate(const std::string& measured,
                                              const std::optional<Source>& scenario,
                                              const Strings& settings, const Strings& hold,
                                              bool estimate, const std::string& name,
                                              int num_threads, const py::object& progress,
                                              const Strings& roots) {
  Told told;
  std::atomic<bool> stop = false;
  return interruptibly(told, progress, stop, [&]() -> std::pair<std::string, std::string> {
    const core::ThreadsScope threads(checked_threads(num_threads));
    validation::BaseScenario base{.tree = {}, .settings = settings};
    if (scenario) base.tree = tree_of(*scenario);
    validation::CalibrationOptions options{.method = method_of(estimate)};
    for (const std::string& held : hold) {
      (held == "nic_efficiency" ? options.hold_nic : options.hold_compute) = true;
    }
    options.tell = [&](std::int64_t done, std::int64_t all) { told.tell("fits", done, all); };
    const auto calibrated =
        validation::calibrate_file(measured, base, catalogue_at(roots), options);
    if (const auto* fit = std::get_if<validation::SiteFit>(&calibrated)) {
      return {output::to_json(*fit),
              fit->is_refused() ? std::string() : output::installation_yaml(*fit, name)};
    }
    return {output::to_json(std::get<validation::StorageReport>(calibrated)), {}};
  });
}

std::string fit_suite(const std::string& path, const std::string& left_out, int num_threads,
                      const Strings& roots) {
  return interruptibly([&] {
    const core::ThreadsScope threads(checked_threads(num_threads));
    const core::Node suite = core::load_yaml(path);
    const core::Catalogue catalogue = catalogue_at(roots);
    if (left_out == validation::kEachFamily) {
      return output::to_json(validation::leave_out_families(suite, catalogue));
    }
    return output::to_json(validation::fit_suite(suite, catalogue, left_out));
  });
}

bool is_suite(const std::string& path) { return validation::is_suite(core::load_yaml(path)); }

std::string validate(const std::string& path, bool ignore_memory, bool without_recipe,
                     const Strings& roots) {
  return interruptibly([&] {
    return output::to_json(
        validation::validate(core::load_yaml(path), catalogue_at(roots),
                             {.ignore_memory = ignore_memory, .without_recipe = without_recipe}));
  });
}

std::string check_offer(const std::string& path, int num_threads, const Strings& roots) {
  return interruptibly([&] {
    const core::ThreadsScope threads(checked_threads(num_threads));
    return output::to_json(validation::check_offer(core::load_yaml(path), catalogue_at(roots)));
  });
}

std::string catalogue_list(const std::string& kind, const Strings& roots) {
  return output::to_json(output::list_catalogue(catalogue_at(roots), kind));
}

std::string catalogue_show(const std::string& name, const Strings& roots) {
  return output::to_json(output::show_entry(catalogue_at(roots), name));
}

std::string html_report(const std::string& verb, const std::string& version,
                        const std::string& json) {
  const std::string date = output::today();
  return output::html_report({.verb = verb, .version = version, .date = date}, json);
}

}  // namespace

void bind_verbs(py::module_& module) {
  py::class_<Answer>(module, "Answer")
      .def_readonly("json", &Answer::json)
      .def("report_json", [](const Answer& answer) { return interruptibly(answer.report_json); })
      .def(
          "summary",
          [](const Answer& answer, bool tables, std::size_t width) {
            return answer.summary(tables, width);
          },
          py::arg("tables"), py::arg("width"));
  module.def("compare", &compare, py::arg("source"), py::arg("estimate"), py::arg("assumptions"),
             py::arg("num_threads"), py::arg("roots"));
  module.def("side_by_side", &side_by_side, py::arg("sources"), py::arg("vary"),
             py::arg("estimate"), py::arg("num_threads"), py::arg("roots"));
  module.def("explain", &explain, py::arg("source"), py::arg("estimate"), py::arg("num_threads"),
             py::arg("roots"));
  module.def("diagnose", &diagnose, py::arg("source"), py::arg("measured"), py::arg("estimate"),
             py::arg("num_threads"), py::arg("roots"));
  module.def("search", &search, py::arg("source"), py::arg("num_best"), py::arg("num_simulated"),
             py::arg("front"), py::arg("num_threads"), py::arg("progress"), py::arg("roots"));
  module.def("size", &size, py::arg("source"), py::arg("num_threads"), py::arg("progress"),
             py::arg("roots"));
  module.def("calibrate", &calibrate, py::arg("measured"), py::arg("scenario"), py::arg("settings"),
             py::arg("hold"), py::arg("estimate"), py::arg("name"), py::arg("num_threads"),
             py::arg("progress"), py::arg("roots"));
  module.def("fit_suite", &fit_suite, py::arg("path"), py::arg("left_out"), py::arg("num_threads"),
             py::arg("roots"));
  module.def("topology", &topology, py::arg("source"), py::arg("with_load"), py::arg("roots"));
  module.def("is_suite", &is_suite, py::arg("path"));
  module.def("validate", &validate, py::arg("path"), py::arg("ignore_memory"),
             py::arg("without_recipe"), py::arg("roots"));
  module.def("check_offer", &check_offer, py::arg("path"), py::arg("num_threads"),
             py::arg("roots"));
  using NoGil = py::call_guard<py::gil_scoped_release>;
  module.def("html_report", &html_report, NoGil(), py::arg("verb"), py::arg("version"),
             py::arg("json"));
  module.def("numbers_json", &output::numbers_json, NoGil());
  module.def("catalogue_list", &catalogue_list, NoGil(), py::arg("kind"), py::arg("roots"));
  module.def("catalogue_show", &catalogue_show, NoGil(), py::arg("name"), py::arg("roots"));
}

}  // namespace railwright::python
