// SPDX-License-Identifier: Apache-2.0
// Imports the XML that NCCL and RCCL write with NCCL_TOPO_DUMP_FILE, and the templates that clouds
// give to NCCL_TOPO_FILE. [@nccl]
#include "nccl_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "../common/looks_like.hpp"
#include "nccl_node.hpp"

namespace railwright::importers {

namespace {

/// Returns bytes/s of one NVLink in one direction, by compute capability. [@stas_bekman]
double nvlink_rate(int sm) {
  if (sm == 70 || sm == 80 || sm == 90) return 25e9;
  return sm == 100 ? 50e9 : 0.0;
}

class TopologyReading {
 public:
  TopologyReading(std::string_view text, const std::string& file)
      : findings_(file), node_(read_nccl_node(text, findings_)) {}

  Imported all() {
    write();
    return findings_.take();
  }

 private:
  void write() {
    for (const NcclGpu& gpu : node_.gpus) node_.node.switch_of.push_back(gpu.pcie_switch);
    find_scale_up();
    add_node_part(
        node_.node,
        fmt::format("{} {}", node_.gpus.size(),
                    node_.is_template ? "PCI functions of accelerators" : "<gpu> elements"),
        findings_);
    write_accelerator();
    write_rates();
    if (node_.trays.size() > 1) {
      findings_.know("cluster.node.num_trays", static_cast<int>(node_.trays.size()),
                     "<cpu> elements of so many host_hash");
    }
    findings_.unknown("cluster.nodes", "the XML is of one node");
    findings_.unknown("cluster.fabric", "NCCL does not see switches beyond the node");
  }

  void find_scale_up() {
    if (node_.is_template) {
      node_.node.scale_up_origin = "a template names no links between accelerators";
      return;
    }
    const bool switched =
        std::ranges::all_of(node_.gpus, [](const NcclGpu& gpu) { return gpu.to_switch > 0; });
    std::vector<std::vector<int>> links(node_.gpus.size(), std::vector<int>(node_.gpus.size(), 0));
    for (std::size_t a = 0; a < node_.gpus.size(); ++a) {
      for (std::size_t b = 0; b < node_.gpus.size(); ++b) {
        const auto found = node_.gpus[a].peers.find(node_.gpus[b].busid);
        if (found != node_.gpus[a].peers.end()) links[a][b] = found->second;
      }
    }
    node_.node.scale_up = switched ? core::ScaleUp::kSwitch : scale_up_of(links);
    node_.node.scale_up_origin =
        switched               ? "links to NVSwitches"
        : !node_.node.scale_up ? "links between accelerators follow no pattern here"
        : *node_.node.scale_up == core::ScaleUp::kNone ? "no links between accelerators"
                                                       : "links between accelerators";
    add_link_rate(switched, links);
  }

  void add_link_rate(bool switched, const std::vector<std::vector<int>>& links) {
    std::set<int> totals;
    for (std::size_t a = 0; a < node_.gpus.size(); ++a) {
      int total = switched ? node_.gpus[a].to_switch : 0;
      for (const int count : links[a]) total += count;
      totals.insert(total);
    }
    if (*totals.rbegin() == 0) return;
    if (totals.size() > 1) {
      findings_.not_expressed(
          fmt::format("accelerators have {} to {} links each; the fewest are taken for all",
                      *totals.begin(), *totals.rbegin()));
    }
    const double rate = nvlink_rate(node_.gpus.front().sm);
    if (rate > 0.0 && *totals.begin() > 0) {
      link_rate_ = rate * *totals.begin();
      link_origin_ = fmt::format("{} NVLinks of {:g} GB/s", *totals.begin(), rate * 1e-9);
    }
  }

  void write_accelerator() {
    std::set<std::string_view> names;
    for (const NcclGpu& gpu : node_.gpus) names.insert(accelerator_of(gpu.id));
    const int sm = node_.gpus.front().sm;
    if (names.size() > 1) {
      findings_.unknown("cluster.node.accelerator", "several kinds are in the file");
    } else if (names.begin()->empty()) {
      findings_.unknown("cluster.node.accelerator",
                        node_.is_template
                            ? std::string("the file has no device that is known here")
                            : fmt::format("the file tells compute capability {}.{} but no device "
                                          "that is known here",
                                          sm / 10, sm % 10));
    } else {
      findings_.know("cluster.node.accelerator", std::string(*names.begin()),
                     "vendor and device of the PCI function");
    }
    if (link_rate_ > 0.0) {
      findings_.know("cluster.node.accelerator.scale_up_bandwidth",
                     core::Bandwidth::from_base(link_rate_), link_origin_);
    }
  }

  void write_rates() {
    const auto reached = [&](const std::string& path, double nominal) {
      if (nominal > 0.0) {
        findings_.assume(
            path, core::scalar_node(fmt::format("{:.3g} GB/s", nominal * 1e-9 * kPcieReached)),
            fmt::format("{:.3g} GB/s by speed and width of the link, of which 55 of "
                        "63 are measured to arrive",
                        nominal * 1e-9));
      } else {
        findings_.unknown(path, "no speed and width of the link");
      }
    };
    double slowest = node_.gpus.front().link;
    for (const NcclGpu& gpu : node_.gpus) slowest = std::min(slowest, gpu.link);
    reached("cluster.node.accelerator.pcie_bandwidth", slowest);
    reached("cluster.node.pcie_uplink_bandwidth", *node_.uplinks.begin());
    if (node_.uplinks.size() > 1) {
      findings_.not_expressed("PCIe switches have different links; the slowest is taken for all");
    }
    if (*node_.socket_rates.begin() > 0.0) {
      findings_.assume("cluster.node.host_bandwidth",
                       core::Bandwidth::from_base(*node_.socket_rates.begin()),
                       "NCCL's own model of traffic between sockets of this processor");
    } else {
      findings_.unknown("cluster.node.host_bandwidth", "not known of this processor");
    }
  }

  Findings findings_;
  NcclNode node_;
  double link_rate_ = 0.0;
  std::string link_origin_;
};

}  // namespace

bool is_nccl_topology(std::string_view head) {
  return contains(head, "<system") && contains(head, "<cpu");
}

Imported import_nccl_topology(std::string_view text, const std::string& file,
                              const core::Node& /*known*/) {
  return TopologyReading(text, file).all();
}

}  // namespace railwright::importers
