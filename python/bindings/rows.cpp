// SPDX-License-Identifier: Apache-2.0
#include "rows.hpp"

#include <pybind11/stl.h>

#include <cstring>
#include <string>
#include <utility>

namespace railwright::python {

namespace py = pybind11;

namespace {

using planner::PointState;
using planner::SweepRow;
using Strings = std::vector<std::string>;

/// Returns a view of the numbers of all rows, one row per point.
py::array_t<double> numbers_of(const py::object& self) {
  const auto& rows = self.cast<const Rows&>().rows;
  const double* first = rows.empty() ? nullptr : rows.front().numbers.data();
  py::array_t<double> view(
      {static_cast<py::ssize_t>(rows.size()), static_cast<py::ssize_t>(planner::kMaxSweepNumbers)},
      {static_cast<py::ssize_t>(sizeof(SweepRow)), static_cast<py::ssize_t>(sizeof(double))}, first,
      self);
  view.attr("flags").attr("writeable") = false;
  return view;
}

py::array_t<std::uint8_t> states_of(const Rows& rows) {
  py::array_t<std::uint8_t> states(static_cast<py::ssize_t>(rows.rows.size()));
  auto out = states.mutable_unchecked<1>();
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    out(static_cast<py::ssize_t>(i)) = static_cast<std::uint8_t>(rows.rows[i].state);
  }
  return states;
}

Strings notes_of(const Rows& rows) {
  Strings notes;
  notes.reserve(rows.rows.size());
  for (const SweepRow& row : rows.rows) notes.push_back(row.note);
  return notes;
}

Points points_of(const Rows& rows) {
  Points points(static_cast<py::ssize_t>(rows.rows.size()));
  auto out = points.mutable_unchecked<1>();
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    out(static_cast<py::ssize_t>(i)) = rows.rows[i].point;
  }
  return points;
}

py::tuple frozen(const py::object& self) {
  const auto& rows = self.cast<const Rows&>();
  return py::make_tuple(points_of(rows), states_of(rows), notes_of(rows),
                        numbers_of(self).attr("tobytes")());
}

Rows thawed(const py::tuple& state) {
  const auto points = state[0].cast<Points>();
  const auto states = state[1].cast<py::array_t<std::uint8_t>>();
  const auto notes = state[2].cast<Strings>();
  const auto bytes = state[3].cast<std::string>();
  const std::size_t num_bytes = planner::kMaxSweepNumbers * sizeof(double);
  const std::size_t count = notes.size();
  if (static_cast<std::size_t>(points.size()) != count ||
      static_cast<std::size_t>(states.size()) != count || bytes.size() != count * num_bytes) {
    throw py::value_error("rows of another version of railwright");
  }
  Rows rows;
  rows.rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    SweepRow row(points.at(static_cast<py::ssize_t>(i)));
    row.state = static_cast<PointState>(states.at(static_cast<py::ssize_t>(i)));
    row.note = notes[i];
    std::memcpy(row.numbers.data(), bytes.data() + i * num_bytes, num_bytes);
    rows.rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

void bind_rows(py::module_& module) {
  py::class_<Rows>(module, "Rows")
      .def("__len__", [](const Rows& rows) { return rows.rows.size(); })
      .def("numbers", [](const py::object& self) { return numbers_of(self); })
      .def("states", &states_of)
      .def("notes", &notes_of)
      .def("points", &points_of)
      .def(py::pickle([](const py::object& self) { return frozen(self); }, &thawed));
}

}  // namespace railwright::python
