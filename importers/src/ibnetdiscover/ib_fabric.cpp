// SPDX-License-Identifier: Apache-2.0
#include "ib_fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "../common/fabric_part.hpp"
#include "../common/pci_devices.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::uint32_t kMellanox = 0x15b3;  ///< PCI's number; its OUI here is 0x2c9

/// Turns devices and cables into a fabric.
class NetworkReading {
 public:
  NetworkReading(const IbWalk& walk, std::string_view tool, Findings& findings)
      : findings_(findings), walk_(walk), tool_(tool) {}

  void write() {
    FoundFabric fabric;
    std::map<std::string, int> number;
    for (const std::string& id : walk_.order) {
      const IbElement& element = walk_.elements.at(id);
      if (element.kind != 'S') continue;
      number[id] = static_cast<int>(fabric.switches.size());
      fabric.switches.push_back({.device = switch_of(element), .links = {}});
    }
    for (const auto& [id, s] : number) {
      for (const auto& [port, link] : walk_.elements.at(id).ports) {
        const auto other = number.find(link.peer);
        if (other != number.end() && other->second != s) {
          ++fabric.switches[static_cast<std::size_t>(s)].links[other->second];
        }
      }
    }
    add_hosts(number, fabric);
    if (fabric.hosts.empty()) {
      findings_.problem_in_file("no channel adapter on a switch");
      return;
    }
    add_fabric_part(fabric, fmt::format("{} channel adapters by their hosts' names", num_adapters_),
                    findings_);
    write_nics(fabric);
    findings_.unknown("cluster.node", "the fabric ends at the NICs");
  }

 private:
  static bool is_aggregation(const IbElement& element) {
    return element.device == 0xcf09 ||
           element.description.find("Aggregation Node") != std::string::npos;
  }

  /// Returns the catalogue's switch by the description, else by the device number. The number alone
  /// does not tell models with the same chip apart.
  static std::string switch_of(const IbElement& element) {
    struct KnownSwitch {
      std::string_view model;
      std::string_view name;
    };
    for (const KnownSwitch& known :
         {KnownSwitch{"MQM8700", "qm8700"}, {"MQM9700", "qm9700"}, {"MQM9790", "qm9790"}}) {
      if (element.description.find(known.model) != std::string::npos)
        return std::string(known.name);
    }
    // The description of an externally managed switch has the name of its chip only.
    if (element.device == 0xd2f2) return "qm9790";
    return element.device == 0xd2f0 ? "qm8700" : "";
  }

  /// Groups channel adapters by the host name in front: "node01 HCA-1", "node01 mlx5_0".
  void add_hosts(const std::map<std::string, int>& number, FoundFabric& fabric) {
    struct Adapter {
      std::string name;
      const IbElement* element;
    };
    std::map<std::string, std::vector<Adapter>> by_host;
    int unnamed = 0;
    for (const std::string& id : walk_.order) {
      const IbElement& element = walk_.elements.at(id);
      if (element.kind != 'H' || is_aggregation(element) || element.ports.empty()) continue;
      const auto words = core::words_of(element.description);
      const bool is_named = words.size() >= 2 && words.back() != "Technologies";
      unnamed += is_named ? 0 : 1;
      const std::string host = is_named ? std::string(words.front()) : id;
      by_host[host].push_back({is_named ? std::string(words.back()) : "", &element});
    }
    for (auto& [host, adapters] : by_host) {
      // Sorts HCA-2 before HCA-10.
      std::ranges::stable_sort(adapters, [](const Adapter& a, const Adapter& b) {
        return std::pair(a.name.size(), a.name) < std::pair(b.name.size(), b.name);
      });
      FoundHost found;
      found.name = host;
      for (const Adapter& adapter : adapters) {
        found.ports_per_nic = static_cast<int>(adapter.element->ports.size());
        ++num_adapters_;
        for (const auto& [port, link] : adapter.element->ports) {
          const auto place = number.find(link.peer);
          if (place == number.end()) continue;  // cabled to another adapter
          found.switches.push_back(place->second);
          found.slowest =
              found.switches.size() > 1 ? std::min(found.slowest, link.rate) : link.rate;
          found.fastest = std::max(found.fastest, link.rate);
        }
        devices_[adapter.element->device] += 1;
      }
      if (!found.switches.empty()) fabric.hosts.push_back(std::move(found));
    }
    if (unnamed > 0) {
      findings_.not_expressed(fmt::format(
          "{} channel adapters without their host's name: each is taken for a node of its own",
          unnamed));
    }
  }

  void write_nics(const FoundFabric& fabric) {
    std::map<std::pair<std::size_t, int>, int> counts;
    for (const FoundHost& host : fabric.hosts) {
      ++counts[{host.switches.size(), host.ports_per_nic}];
    }
    const auto most = std::ranges::max_element(
        counts, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
    const std::size_t ports = most->first.first;
    const int ports_per_nic = most->first.second;
    double slowest = 0.0;
    double fastest = 0.0;
    for (const FoundHost& host : fabric.hosts) {
      if (host.switches.size() != ports) continue;
      slowest = fastest > 0.0 ? std::min(slowest, host.slowest) : host.slowest;
      fastest = std::max(fastest, host.fastest);
    }
    findings_.know("cluster.node.nics.count", static_cast<int>(ports) / ports_per_nic,
                   "channel adapters of a host");
    std::string_view device;
    int max_adapters = 0;
    for (const auto& [number, adapters] : devices_) {
      if (adapters > max_adapters) device = nic_of({kMellanox, number});
      max_adapters = std::max(max_adapters, adapters);
    }
    if (device.empty()) {
      findings_.unknown("cluster.node.nics.nic", "which adapter it is");
    } else {
      findings_.know("cluster.node.nics.nic", std::string(device), "devid of the channel adapters");
    }
    if (fastest > 0.0) {
      findings_.know("cluster.node.nics.nic.line_rate",
                     core::scalar_node(fmt::format("{:g} Gb/s", fastest * 8e-9)),
                     "width and speed of the hosts' links");
      findings_.know("cluster.node.nics.nic.num_ports", ports_per_nic, "ports with a link");
    }
    if (slowest < fastest) {
      findings_.not_expressed(
          fmt::format("some hosts' links run at {:g} Gb/s only", slowest * 8e-9));
    }
    findings_.know("cluster.node.nics.transport", std::string("infiniband"), tool_);
  }

  Findings& findings_;
  const IbWalk& walk_;
  std::string_view tool_;
  std::map<std::uint32_t, int> devices_;  ///< adapters by devid
  int num_adapters_ = 0;
};

}  // namespace

void add_ib_fabric(const IbWalk& walk, std::string_view tool, Findings& findings) {
  NetworkReading(walk, tool, findings).write();
}

}  // namespace railwright::importers
