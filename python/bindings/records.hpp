// SPDX-License-Identifier: Apache-2.0
// Vectors of structs as NumPy structured arrays, without a copy.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <string>
#include <vector>

namespace railwright::python {

/// A member of a struct: its name, NumPy format and offset.
struct RecordField {
  const char* name;
  const char* format;
  std::size_t offset;
};

/// Returns a read-only view of `records` that keeps `owner` alive.
template <class Record>
pybind11::array view_of(const std::vector<Record>& records, const std::vector<RecordField>& fields,
                        const pybind11::object& owner) {
  namespace py = pybind11;
  py::list names;
  py::list formats;
  py::list offsets;
  for (const RecordField& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  const py::dtype type(names, formats, offsets, static_cast<py::ssize_t>(sizeof(Record)));
  py::array view(type, {static_cast<py::ssize_t>(records.size())},
                 {static_cast<py::ssize_t>(sizeof(Record))}, records.data(), owner);
  view.attr("flags").attr("writeable") = false;
  return view;
}

}  // namespace railwright::python
