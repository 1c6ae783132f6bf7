// SPDX-License-Identifier: Apache-2.0
#include "pbs_nodes.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "../../importers/src/common/findings.hpp"
#include "../../importers/src/common/looks_like.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::string_view kAccelerators = "resources_available.ngpus = ";

}  // namespace

bool is_pbs_nodes(std::string_view head) { return has_line(head, kAccelerators); }

Imported import_pbs_nodes(std::string_view text, const std::string& file,
                          const core::Node& /*known*/) {
  Findings findings(file);
  int num_nodes = 0;
  std::set<std::string_view> counts;
  for (std::string_view line : core::lines_of(text)) {
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with(kAccelerators)) continue;
    ++num_nodes;
    counts.insert(line.substr(kAccelerators.size()));
  }
  if (counts.empty()) findings.problem_in_file("no node with accelerators");
  if (counts.size() > 1) findings.problem_in_file("nodes with different numbers of accelerators");
  findings.throw_if_any();
  findings.know("cluster.nodes", num_nodes, "nodes with accelerators");
  findings.know("cluster.node.num_accelerators", core::scalar_node(std::string(*counts.begin())),
                "ngpus");
  findings.unknown("cluster.fabric", "PBS knows nodes alone");
  return findings.take();
}

}  // namespace railwright::importers
