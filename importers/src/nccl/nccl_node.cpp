// SPDX-License-Identifier: Apache-2.0
#include "nccl_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <pugixml.hpp>
#include <set>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr int kMaxDepth = 32;
constexpr int kMaxElements = 100'000;
constexpr std::size_t kMaxAccelerators = 1024;

/// Returns the bandwidth (bytes/s) that NCCL assumes between sockets; 0 where it is not known here.
double socket_rate(std::string_view vendor, int model) {
  if (vendor == "AuthenticAMD") return 16e9;
  return vendor == "GenuineIntel" && model == 143 ? 22e9 : 0.0;  // Sapphire Rapids
}

class NodeWalk {
 public:
  NodeWalk(std::string_view text, Findings& findings) : text_(text), findings_(findings) {}

  NcclNode all() {
    const auto parsed = document_.load_buffer(text_.data(), text_.size(), pugi::parse_default);
    if (!parsed) {
      findings_.problem(
          core::place_in(text_, static_cast<std::size_t>(parsed.offset), findings_.file()), "",
          fmt::format("no XML from here on: {}", parsed.description()));
      findings_.throw_if_any();
    }
    const pugi::xml_node system = document_.child("system");
    if (!system) {
      findings_.problem_in_file("no <system>, as NCCL's topology has it",
                                "NCCL writes it where NCCL_TOPO_DUMP_FILE names a file");
      findings_.throw_if_any();
    }
    compute_node_.is_template = !document_.find_node(
        [](const pugi::xml_node& node) { return std::string_view(node.name()) == "gpu"; });
    for (const pugi::xml_node cpu : system.children("cpu")) add_cpu(cpu);
    if (compute_node_.gpus.empty() && !findings_.has_problems()) {
      findings_.problem(where(system), "", "no <gpu> in it and no PCI function of an accelerator");
    }
    findings_.throw_if_any();
    std::ranges::sort(compute_node_.gpus, {}, &NcclGpu::dev);
    compute_node_.node.num_hosts = num_hosts_;
    return std::move(compute_node_);
  }

 private:
  [[nodiscard]] core::Location where(const pugi::xml_node& node) const {
    if (findings_.is_full()) return {findings_.file()};  // placing a problem takes time
    const std::ptrdiff_t offset = node.offset_debug();
    return core::place_in(text_, offset > 0 ? static_cast<std::size_t>(offset) - 1 : 0,
                          findings_.file());
  }

  /// Reads a whole number of an attribute, also with 0x. Reports a problem and returns -1 for
  /// others.
  std::int64_t number(const pugi::xml_node& node, const char* name, std::int64_t most) {
    const std::string_view text = node.attribute(name).value();
    const bool is_hex = text.starts_with("0x");
    std::int64_t value = 0;
    const char* first = text.data() + (is_hex ? 2 : 0);
    const auto [end, error] =
        std::from_chars(first, text.data() + text.size(), value, is_hex ? 16 : 10);
    if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > most) {
      findings_.problem(where(node), "",
                        fmt::format("<{}> needs a {} from 0 to {}, got '{}'", node.name(), name,
                                    most, shown(text)));
      return -1;
    }
    return value;
  }
  std::int64_t number_or(const pugi::xml_node& node, const char* name, std::int64_t otherwise,
                         std::int64_t most) {
    return node.attribute(name).empty() ? otherwise : number(node, name, most);
  }

  void add_cpu(const pugi::xml_node& cpu) {
    const int host = num_hosts_++;
    const int model = static_cast<int>(number_or(cpu, "modelid", -1, 100'000));
    compute_node_.socket_rates.insert(socket_rate(cpu.attribute("vendor").value(), model));
    if (const auto hash = cpu.attribute("host_hash")) compute_node_.trays.insert(hash.value());
    for (const pugi::xml_node child : cpu.children()) {
      top_switch_ = -1;
      add(child, host, 0);
    }
  }

  /// Adds a `<pci>` bridge or function and its children.
  void add(const pugi::xml_node& node, int host, int depth) {
    if (node.type() != pugi::node_element) return;
    if (depth > kMaxDepth || ++num_elements_ > kMaxElements) {
      if (!is_too_much_) {
        findings_.problem(
            where(node), "",
            fmt::format("more than {} levels or {} elements", kMaxDepth, kMaxElements));
      }
      is_too_much_ = true;
      return;
    }
    const std::string_view name = node.name();
    if (name == "nic") {
      add_nic(node, host);
      return;
    }
    if (name != "pci") return;
    const std::string busid = node.attribute("busid").value();
    if (busid.empty() || !busids_.insert(busid).second) {
      findings_.problem(where(node), "",
                        busid.empty() ? "<pci> needs a busid"
                                      : fmt::format("busid {} is there twice", shown(busid)));
    }
    const std::string_view pci_class = node.attribute("class").value();
    // A template, which clouds give to NCCL, has PCI functions alone.
    const bool is_accelerator = compute_node_.is_template && (pci_class.starts_with("0x0300") ||
                                                              pci_class.starts_with("0x0302") ||
                                                              pci_class.starts_with("0x1200"));
    const pugi::xml_node gpu = is_accelerator ? node : node.child("gpu");
    const bool is_bridge = pci_class.starts_with("0x0604");
    if (depth == 0 && (is_bridge || gpu)) top_ = node;
    if (gpu) add_gpu(gpu, node, host);
    if (compute_node_.is_template && pci_class.starts_with("0x02")) {
      put_nic({.name = busid,
               .host = host,
               .device = std::string(nic_of(id_of(node))),
               .transport = transport_of(node, {}),
               .gpudirect = {}},
              busid.substr(0, busid.find('.')));
    }
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()) != "gpu") add(child, host, depth + 1);
    }
    // A NIC may precede the accelerators of its switch.
    if (depth == 0) {
      for (const std::size_t nic : waiting_) compute_node_.node.nics[nic].pcie_switch = top_switch_;
      waiting_.clear();
    }
  }

  void add_gpu(const pugi::xml_node& element, const pugi::xml_node& pci, int host) {
    if (compute_node_.gpus.size() >= kMaxAccelerators) {
      findings_.problem(where(element), "", fmt::format("more than {} <gpu>", kMaxAccelerators));
      return;
    }
    if (top_switch_ < 0) {
      top_switch_ = static_cast<int>(compute_node_.node.host_of.size());
      compute_node_.node.host_of.push_back(host);
      compute_node_.uplinks.insert(
          pcie_rate(top_.attribute("link_speed").value(),
                    core::number_of(top_.attribute("link_width").value())));
    }
    const auto next = static_cast<int>(compute_node_.gpus.size());
    NcclGpu gpu{
        .dev = compute_node_.is_template ? next : static_cast<int>(number(element, "dev", 1023)),
        .sm = static_cast<int>(number_or(element, "sm", 0, 10'000)),
        .pcie_switch = top_switch_,
        .busid = pci.attribute("busid").value(),
        .id = id_of(pci),
        .link = pcie_rate(pci.attribute("link_speed").value(),
                          core::number_of(pci.attribute("link_width").value())),
        .peers = {}};
    for (const char* kind : {"nvlink", "xgmi"}) {
      for (const pugi::xml_node link : element.children(kind)) {
        const int count = static_cast<int>(number(link, "count", 1000));
        const std::string_view peer_class = link.attribute("tclass").value();
        if (peer_class.starts_with("0x0680")) {
          gpu.to_switch += count;
        } else {
          gpu.peers[link.attribute("target").value()] += count;
        }
      }
    }
    if (std::ranges::count(compute_node_.gpus, gpu.dev, &NcclGpu::dev) > 0) {
      findings_.problem(where(element), "", fmt::format("<gpu> dev {} is there twice", gpu.dev));
    }
    compute_node_.gpus.push_back(std::move(gpu));
  }

  PciId id_of(const pugi::xml_node& pci) {
    return {static_cast<std::uint32_t>(number_or(pci, "vendor", 0, 0xffff)),
            static_cast<std::uint32_t>(number_or(pci, "device", 0, 0xffff))};
  }

  void add_nic(const pugi::xml_node& element, int host) {
    const pugi::xml_node pci = element.parent();
    const bool is_function = std::string_view(pci.name()) == "pci";
    const std::string busid = pci.attribute("busid").value();
    const std::string adapter = busid.substr(0, busid.find('.'));
    for (const pugi::xml_node net : element.children("net")) {
      const double rate = static_cast<double>(number_or(net, "speed", 0, 100'000'000)) * 1e6 / 8.0;
      FoundNic nic{.name = net.attribute("name").value(),
                   .host = host,
                   .port_rate = rate,
                   .device = is_function ? std::string(nic_of(id_of(pci))) : "",
                   .transport = transport_of(pci, net),
                   .gpudirect = {}};
      if (net.attribute("gdr")) nic.gpudirect = number(net, "gdr", 1) == 1;
      if (is_function) {
        put_nic(std::move(nic), adapter);
      } else {
        compute_node_.node.nics.push_back(std::move(nic));
      }
    }
  }

  /// Adds a NIC, or a port: an adapter's ports are functions of one device, or ports of one
  /// function.
  void put_nic(FoundNic nic, const std::string& adapter) {
    const std::size_t here = compute_node_.node.nics.size();
    const auto [place, is_new] = adapters_.try_emplace(adapter, here);
    if (!is_new) {
      ++compute_node_.node.nics[place->second].num_ports;
      return;
    }
    waiting_.push_back(here);
    compute_node_.node.nics.push_back(std::move(nic));
  }

  static std::string transport_of(const pugi::xml_node& pci, const pugi::xml_node& net) {
    const std::string_view pci_class = pci.attribute("class").value();
    const std::string_view vendor = pci.attribute("vendor").value();
    const std::string_view name = net.attribute("name").value();
    if (pci_class.starts_with("0x0207")) return "infiniband";
    if (vendor == "0x1d0f" || name.starts_with("efa") || name.starts_with("rdmap")) return "efa";
    if (name.starts_with("mlx5") || name.starts_with("bnxt_re") || name.starts_with("irdma")) {
      return pci_class.starts_with("0x0200") ? "roce" : "";
    }
    return name.starts_with("e") || name.starts_with("bond") ? "tcp" : "";
  }

  std::string_view text_;
  Findings& findings_;
  pugi::xml_document document_;
  pugi::xml_node top_;
  NcclNode compute_node_;
  std::vector<std::size_t> waiting_;             ///< NICs of the branch being read
  std::map<std::string, std::size_t> adapters_;  ///< NICs by domain, bus and device
  std::set<std::string> busids_;
  int num_hosts_ = 0;
  int num_elements_ = 0;
  int top_switch_ = -1;
  bool is_too_much_ = false;
};

}  // namespace

NcclNode read_nccl_node(std::string_view text, Findings& findings) {
  return NodeWalk(text, findings).all();
}

}  // namespace railwright::importers
