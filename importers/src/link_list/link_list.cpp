// SPDX-License-Identifier: Apache-2.0
#include "link_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "../common/fabric_part.hpp"
#include "../common/foreign_json.hpp"
#include "../common/looks_like.hpp"
#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

using Json = nlohmann::json;

/// A port of a device.
struct LinkEnd {
  std::string device;
  std::string port;
  bool operator<(const LinkEnd& other) const {
    return std::pair(device, port) < std::pair(other.device, other.port);
  }
};

/// Keys of an entry, as two programs name them.
struct LinkKeys {
  std::array<const char*, 2> device;
  std::array<const char*, 2> port;
  std::array<const char*, 2> peer;
  std::array<const char*, 2> peer_port;
  bool is_infiniband;
};
constexpr LinkKeys kNetq{{"hostname", "host_name"},
                         {"ifname", "if_name"},
                         {"peerHostname", "peer_hostname"},
                         {"peerIfname", "peer_ifname"},
                         false};
constexpr LinkKeys kUfm{{"source_port_node_description", "source_node_description"},
                        {"source_port", "source_port_number"},
                        {"destination_port_node_description", "destination_node_description"},
                        {"destination_port", "destination_port_number"},
                        true};

std::optional<std::string> first_text(const Json& entry, const std::array<const char*, 2>& keys) {
  for (const char* key : keys) {
    const Json* found = json_at(entry, key);
    if (found == nullptr) continue;
    if (found->is_string() && !found->get_ref<const std::string&>().empty()) {
      return found->get<std::string>();
    }
    if (found->is_number_unsigned()) return std::to_string(found->get<std::uint64_t>());
  }
  return std::nullopt;
}

bool is_switch_port(std::string_view port) {
  return port.starts_with("swp") || port.starts_with("Ethernet");
}

/// Splits "node01 mlx5_3" into the host and its adapter; nothing for a switch.
std::optional<LinkEnd> host_of(const std::string& description) {
  const auto words = core::words_of(description);
  if (words.size() < 2) return std::nullopt;
  if (!words.back().starts_with("mlx5_") && !words.back().starts_with("HCA-")) return std::nullopt;
  return LinkEnd{std::string(words.front()), std::string(words.back())};
}

/// Reads the cables, each listed at one of its ends or at both.
class CableList {
 public:
  CableList(const LinkKeys& keys, Findings& findings) : keys_(keys), findings_(findings) {}

  FoundFabric read(const Json& document) {
    const Json* list = list_of(document);
    if (list == nullptr) {
      findings_.problem_in_file("no list of cables in it");
      return {};
    }
    for (std::size_t i = 0; i < list->size() && !findings_.is_full(); ++i) {
      take((*list)[i], std::to_string(i));
    }
    if (findings_.has_problems()) return {};
    drop_management();
    return fabric();
  }

 private:
  static const Json* list_of(const Json& document) {
    if (document.is_array()) return &document;
    if (!document.is_object()) return nullptr;
    for (const auto& [key, value] : document.items()) {
      if (value.is_array()) return &value;
    }
    return nullptr;
  }

  void take(const Json& entry, const std::string& place) {
    const auto device = first_text(entry, keys_.device);
    const auto port = first_text(entry, keys_.port);
    const auto peer = first_text(entry, keys_.peer);
    const auto peer_port = first_text(entry, keys_.peer_port);
    if (!device || !port || !peer || !peer_port) {
      findings_.problem({findings_.file()}, place, "expected the names and ports of both ends");
      return;
    }
    LinkEnd one = end_of(*device, *port);
    LinkEnd other = end_of(*peer, *peer_port);
    cables_.insert(one < other ? std::pair(one, other) : std::pair(other, one));
  }

  /// Notes which devices are switches.
  LinkEnd end_of(const std::string& device, const std::string& port) {
    if (!keys_.is_infiniband) {
      if (is_switch_port(port)) switches_.insert(device);
      return {device, port};
    }
    if (const auto host = host_of(device)) return *host;
    // "leaf01:19" names the port once more.
    const std::size_t colon = device.rfind(':');
    const bool ends_in_port =
        colon != std::string::npos && core::digits_of(device.substr(colon + 1)).has_value();
    const std::string name = ends_in_port ? device.substr(0, colon) : device;
    switches_.insert(name);
    return {name, port};
  }

  /// Drops the network that manages switches: those that eth0 of a switch leads to.
  void drop_management() {
    std::set<std::string> managing;
    for (const auto& [one, other] : cables_) {
      if (switches_.contains(one.device) && one.port == "eth0") managing.insert(other.device);
      if (switches_.contains(other.device) && other.port == "eth0") managing.insert(one.device);
    }
    const std::size_t before = cables_.size();
    std::erase_if(cables_, [&](const auto& cable) {
      return managing.contains(cable.first.device) || managing.contains(cable.second.device);
    });
    for (const std::string& name : managing) switches_.erase(name);
    if (cables_.size() < before) {
      findings_.not_expressed(
          fmt::format("{} cables of the management network", before - cables_.size()));
    }
  }

  FoundFabric fabric() {
    FoundFabric made;
    std::map<std::string, int> numbers;
    for (const std::string& name : switches_) {
      numbers[name] = static_cast<int>(made.switches.size());
      made.switches.push_back({.device = "", .links = {}});
    }
    // A host may be known at the switch by another name of its port: a switch's port counts once.
    std::map<std::string, std::map<LinkEnd, std::string>> ports;
    std::size_t between_hosts = 0;
    for (const auto& [one, other] : cables_) {
      const auto a = numbers.find(one.device);
      const auto b = numbers.find(other.device);
      if (a != numbers.end() && b != numbers.end()) {
        if (a->second == b->second) continue;
        ++made.switches[static_cast<std::size_t>(a->second)].links[b->second];
        ++made.switches[static_cast<std::size_t>(b->second)].links[a->second];
      } else if (a == numbers.end() && b == numbers.end()) {
        ++between_hosts;
      } else {
        const LinkEnd& host = a == numbers.end() ? one : other;
        const LinkEnd& at = a == numbers.end() ? other : one;
        std::string& port = ports[host.device][at];
        // A name sorts rails; a hardware address does not.
        if (port.empty() || port.find(':') != std::string::npos) port = host.port;
      }
    }
    if (between_hosts > 0) {
      findings_.not_expressed(fmt::format("{} cables between no switches", between_hosts));
    }
    for (const auto& [name, cables] : ports) made.hosts.push_back(host(name, cables, numbers));
    return made;
  }

  static FoundHost host(const std::string& name, const std::map<LinkEnd, std::string>& cables,
                        const std::map<std::string, int>& numbers) {
    std::vector<std::pair<std::string, int>> sorted;
    for (const auto& [at, port] : cables) sorted.emplace_back(port, numbers.at(at.device));
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) {
      return std::pair(a.first.size(), a.first) < std::pair(b.first.size(), b.first);
    });
    FoundHost found;
    found.name = name;
    for (const auto& [port, number] : sorted) found.switches.push_back(number);
    return found;
  }

  const LinkKeys& keys_;
  Findings& findings_;
  std::set<std::pair<LinkEnd, LinkEnd>> cables_;
  std::set<std::string> switches_;
};

void add_adapters(const FoundFabric& fabric, bool is_infiniband, Findings& findings) {
  std::map<std::size_t, int> counts;
  for (const FoundHost& host : fabric.hosts) ++counts[host.switches.size()];
  const auto most = std::ranges::max_element(
      counts, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
  findings.assume("cluster.node.nics.count", static_cast<int>(most->first),
                  "cables of a host, each of an adapter of its own");
  findings.unknown("cluster.node.nics.nic.line_rate", "the list tells no rates");
  if (is_infiniband) {
    findings.know("cluster.node.nics.transport", std::string("infiniband"), "UFM");
  } else {
    findings.unknown("cluster.node.nics.transport", "RoCE or TCP is not told");
  }
  findings.unknown("cluster.node", "the fabric ends at the NICs");
  findings.unknown("cluster.fabric.switch", "the list does not name models");
}

bool is_ufm(std::string_view text) {
  return contains(text, "\"source_port_node_description\"") ||
         contains(text, "\"source_node_description\"");
}

}  // namespace

bool is_link_list(std::string_view head) {
  return is_ufm(head) ||
         ((contains(head, "\"peerHostname\"") || contains(head, "\"peer_hostname\"")) &&
          contains(head, "\"ifname\""));
}

Imported import_link_list(std::string_view text, const std::string& file,
                          const core::Node& /*known*/) {
  Findings findings(file);
  const LinkKeys& keys = is_ufm(text) ? kUfm : kNetq;
  const FoundFabric fabric = CableList(keys, findings).read(parse_large_json(text, file));
  if (fabric.hosts.empty() && !findings.has_problems()) {
    findings.problem_in_file("no cable from a host to a switch");
  }
  findings.throw_if_any();
  add_fabric_part(fabric, fmt::format("{} hosts by their names", fabric.hosts.size()), findings);
  add_adapters(fabric, keys.is_infiniband, findings);
  return findings.take();
}

}  // namespace railwright::importers
