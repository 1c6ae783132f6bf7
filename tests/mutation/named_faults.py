# SPDX-License-Identifier: Apache-2.0
"""Faults that a simulator of training must not survive: name, file, text, what stands for it."""

NAMED_FAULTS = [
    (
        "dp inside the node where tp should be",
        "models/src/parallelism/rank_order.cpp",
        "  const auto names = split(order);\n"
        "  if (!names_each_dimension_once(names)) return false;\n",
        "  auto names = split(order);\n"
        "  if (!names_each_dimension_once(names)) return false;\n"
        '  std::swap(*std::ranges::find(names, "tp"), *std::ranges::find(names, "dp"));\n',
    ),
    (
        "NIC count ignored",
        "topologies/src/assembly/nic_plan.cpp",
        "const int count = node.nics.count;",
        "const int count = node.nics.count == 0 ? 0 : num_accelerators;",
    ),
    (
        "PXN through foreign GPUs",
        "models/src/collective/loads.cpp",
        "  for (const auto& node : groups.nodes) {\n"
        "    for (const int member : node) {\n"
        "      on_rail[",
        "  {\n"
        "    for (int member = 0; member < fabric.num_accelerators(); ++member) {\n"
        "      on_rail[",
    ),
    (
        "GiB read as GB",
        "core/src/units/unit_table.cpp",
        '{"GiB", kKi* kKi* kKi, kData}',
        '{"GiB", 1e9, kData}',
    ),
    (
        "causal and full attention swapped",
        "models/src/compute/attention.cpp",
        "scores.causal ? 0.5 * keys : keys",
        "scores.causal ? keys : 0.5 * keys",
    ),
    (
        "overlap always perfect, estimate",
        "simulation/src/closed_form/closed_form.cpp",
        "return std::max(time.last, time.all - window);",
        "return std::min(time.last, time.all - window);",
    ),
    (
        "gradients always overlap",
        "simulation/src/step/costs.cpp",
        "costs.overlap_gradient_reduce = software.overlap_gradient_reduce.value;",
        "costs.overlap_gradient_reduce = true;",
    ),
    (
        "overlap slows nothing down",
        "simulation/src/step/layer_passes.cpp",
        ": slowdown(software.overlap_slowdown.value) {",
        ": slowdown(0.0 * software.overlap_slowdown.value + 1.0) {",
    ),
    (
        "checkpoint bytes fixed",
        "models/src/checkpoint/checkpoint.cpp",
        "return std::llround(static_cast<double>(num_trained_parameters(training)) *\n"
        "                      format.bytes_per_parameter.value);",
        "return std::llround(98e9 + 0.0 * static_cast<double>(num_trained_parameters(training)) *\n"
        "                      format.bytes_per_parameter.value);",
    ),
    (
        "a rejected claim accepted",
        "validation/src/suites/validate.cpp",
        "if (!c.reason.empty()) c.role = ClaimRole::kReject;",
        "c.reason.clear();",
    ),
]
