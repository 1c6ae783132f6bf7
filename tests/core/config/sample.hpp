// SPDX-License-Identifier: Apache-2.0
// A small problem language with every kind of field, and the ways to read it in a test.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../support/temporary_folder.hpp"
#include "railwright/core/config/reader.hpp"

namespace railwright::core {

namespace sample {

enum class Shape { kRing, kTree, kStar };

constexpr auto enum_words(Shape) {
  using enum Shape;
  return core::words<Shape>({{"ring", kRing}, {"tree", kTree}, {"star", kStar}});
}

struct Memory {
  Sourced<DataSize> capacity;
  Sourced<Bandwidth> bandwidth;

  static constexpr auto fields() {
    return field_list(field("capacity", &Memory::capacity, "Bytes a device holds.", positive),
                      field("bandwidth", &Memory::bandwidth, "Peak rate.", positive));
  }
};

struct Accelerator {
  std::string name;
  ComputeRate bf16_rate;
  Memory memory;
  Power power = Power::from_base(700.0);

  static constexpr std::string_view kKind = "accelerators";
  static constexpr auto fields() {
    return field_list(field("name", &Accelerator::name, "Name on the data sheet."),
                      field("bf16_rate", &Accelerator::bf16_rate, "Dense BF16 rate.", positive),
                      field("memory", &Accelerator::memory, "Device memory."),
                      field("power", &Accelerator::power, "At full load.", non_negative, optional));
  }
};

struct ComputeNode {
  std::string name;
  Accelerator accelerator;
  int num_accelerators = 8;

  static constexpr std::string_view kKind = "nodes";
  static constexpr auto fields() {
    return field_list(field("name", &ComputeNode::name, "Name."),
                      field("accelerator", &ComputeNode::accelerator, "What it holds."),
                      field("num_accelerators", &ComputeNode::num_accelerators, "How many.",
                            between(1, 16), optional));
  }
};

struct Plain {
  bool on = false;
  int count = 1;
  std::int64_t tokens = 0;
  std::size_t bytes = 0;
  double factor = 0.5;
  double load = 0.0;
  std::string label;
  Bandwidth rate = Bandwidth::infinity();
  Duration delay = Duration::from_base(10e-6);
  Shape shape = Shape::kRing;
  std::optional<double> maybe;
  std::vector<int> sizes;
  std::map<std::string, DataSize> volumes;
  Node extra;

  static constexpr auto fields() {
    return field_list(
        field("on", &Plain::on, "On.", optional),
        field("count", &Plain::count, "Count.", at_least(1), optional),
        field("tokens", &Plain::tokens, "Tokens.", non_negative, optional),
        field("bytes", &Plain::bytes, "Bytes.", optional),
        field("factor", &Plain::factor, "Factor.", fraction, optional),
        field("load", &Plain::load, "Any number.", optional),
        field("label", &Plain::label, "Label.", optional),
        field("rate", &Plain::rate, "Rate.", positive, optional),
        field("delay", &Plain::delay, "Delay.", Range{.min = 1e-6, .max = 1e-3}, optional),
        field("shape", &Plain::shape, "Shape.", optional),
        field("maybe", &Plain::maybe, "Maybe.", positive),
        field("sizes", &Plain::sizes, "Sizes.", positive, optional),
        field("volumes", &Plain::volumes, "Volumes.", positive, optional),
        field("extra", &Plain::extra, "Anything.", optional));
  }
};

struct Cluster {
  ComputeNode node;
  int num_nodes = 1;
  Plain options;

  static constexpr auto fields() {
    return field_list(field("node", &Cluster::node, "The node."),
                      field("num_nodes", &Cluster::num_nodes, "Nodes.", at_least(1), optional),
                      field("options", &Cluster::options, "Options.", optional));
  }
};

}  // namespace sample

namespace sample {

inline std::vector<std::string> lines(const ConfigError& error) {
  std::vector<std::string> result;
  for (const Diagnostic& problem : error.diagnostics()) result.push_back(to_string(problem));
  return result;
}

/// What `call` reports, one text a problem.
template <class Call>
std::vector<std::string> problems(Call&& call) {
  try {
    call();
  } catch (const ConfigError& error) {
    return lines(error);
  }
  return {};
}

template <class T>
T read_as(std::string_view yaml, const Catalogue* catalogue = nullptr) {
  Reader reader(catalogue);
  T value;
  reader.read(parse_yaml(yaml, "x.yaml"), "", value);
  reader.throw_if_any();
  return value;
}

template <class T>
std::vector<std::string> problems_of(std::string_view yaml, const Catalogue* catalogue = nullptr) {
  return problems([&] { read_as<T>(yaml, catalogue); });
}

using Lines = std::vector<std::string>;

/// A folder of its own for each test, removed at its end.
class FolderTest : public testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

  /// The messages without the folder's name.
  template <class Call>
  std::vector<std::string> problems_here(Call&& call) const {
    std::vector<std::string> result = problems(call);
    for (std::string& line : result) line = folder_.shortened(std::move(line));
    return result;
  }

 private:
  test::TemporaryFolder folder_;
};

/// A catalogue with two accelerators and a node.
class CatalogueTest : public FolderTest {
 protected:
  CatalogueTest() {
    write("accelerators/h100-sxm.yaml",
          "name: H100 SXM\n"
          "bf16_rate: 989.4 TFLOP/s\n"
          "memory:\n"
          "  capacity: {value: 80 GB, source: data sheet}\n"
          "  bandwidth: {value: 3.35 TB/s, source: data sheet, estimate: true}\n");
    write("accelerators/h200-sxm.yaml",
          "model: h100-sxm\n"
          "name: H200 SXM\n"
          "memory: {capacity: {value: 141 GB, source: data sheet}}\n");
    write("nodes/xe9680.yaml", "name: XE9680\naccelerator: h100-sxm\n");
  }
  [[nodiscard]] Catalogue catalogue() const { return Catalogue({path("")}); }

  template <class T>
  T read_here(std::string_view yaml) const {
    const Catalogue known = catalogue();
    return read_as<T>(yaml, &known);
  }
};

}  // namespace sample
}  // namespace railwright::core
