// SPDX-License-Identifier: Apache-2.0
// What `ibnetdiscover` prints of an InfiniBand fabric. [@ibnetdiscover]
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "../text_file.hpp"
#include "fabric_part.hpp"
#include "pci_devices.hpp"
#include "readers.hpp"

namespace railwright::planner {

namespace {

constexpr std::uint32_t kMellanox = 0x15b3;  ///< PCI's number; its OUI here is 0x2c9
constexpr int kMostPorts = 4096;

/// Bits a second of a lane by the name of its speed.
double lane_rate(std::string_view name) {
  struct Speed {
    std::string_view name;
    double rate;
  };
  for (const Speed& speed : {Speed{"SDR", 2.5e9},
                             {"DDR", 5e9},
                             {"QDR", 10e9},
                             {"FDR10", 10e9},
                             {"FDR", 14e9},
                             {"EDR", 25e9},
                             {"HDR", 50e9},
                             {"NDR", 100e9},
                             {"XDR", 200e9}}) {
    if (speed.name == name) return speed.rate;
  }
  return 0.0;
}

struct Port {
  std::string peer;  ///< "H-b8599f0300fc6de4"
  int peer_port = 0;
  double rate = 0.0;  ///< bytes a second
  int line = 0;
};

struct Element {
  std::string id;
  char kind = ' ';  ///< S, H or R
  int num_ports = 0;
  std::string description;
  std::uint32_t device = 0;
  std::map<int, Port> ports;
  int line = 0;
};

/// Walks over one line.
class Cursor {
 public:
  explicit Cursor(std::string_view line) : line_(line) {}

  void blanks() {
    while (!line_.empty() && (line_.front() == ' ' || line_.front() == '\t'))
      line_.remove_prefix(1);
  }
  bool take(char c) {
    if (line_.empty() || line_.front() != c) return false;
    line_.remove_prefix(1);
    return true;
  }
  std::optional<int> number() {
    int value = 0;
    const auto [end, error] = std::from_chars(line_.data(), line_.data() + line_.size(), value);
    if (error != std::errc{} || value < 0 || value > kMostPorts) return {};
    line_.remove_prefix(static_cast<std::size_t>(end - line_.data()));
    return value;
  }
  /// Up to a character, which is passed over; nothing where it does not come.
  std::optional<std::string> until(char c) {
    const std::size_t end = line_.find(c);
    if (end == std::string_view::npos) return {};
    std::string text(line_.substr(0, end));
    line_.remove_prefix(end + 1);
    return text;
  }
  /// "[12]".
  std::optional<int> index() {
    if (!take('[')) return {};
    const auto value = number();
    return value && take(']') ? value : std::nullopt;
  }
  /// "S-0002c9...".
  std::optional<std::string> id() {
    if (!take('"')) return {};
    auto text = until('"');
    const bool good = text && text->size() > 2 && text->size() < 64 && (*text)[1] == '-' &&
                      ((*text)[0] == 'S' || (*text)[0] == 'H' || (*text)[0] == 'R');
    return good ? text : std::nullopt;
  }
  [[nodiscard]] std::string_view rest() const { return line_; }

 private:
  std::string_view line_;
};

class Reading {
 public:
  Reading(std::string_view text, const std::string& file)
      : text_(text), findings_(ImportKind::kIbNetDiscover, file) {}

  Imported all() {
    int number = 0;
    for (const std::string_view line : lines_of(text_)) take(line, ++number);
    if (elements_.empty() && !findings_.has_problems()) {
      findings_.problem_in_file("no line 'Switch ...' or 'Ca ...'", "ibnetdiscover prints them");
    }
    findings_.throw_if_any();
    check_links();
    findings_.throw_if_any();
    write();
    return findings_.take();
  }

 private:
  void take(std::string_view line, int number) {
    if (line.starts_with("devid=")) {
      Cursor cursor(line);
      cursor.until('=');
      device_ = 0;
      std::string_view value = cursor.rest();
      if (value.starts_with("0x")) value.remove_prefix(2);
      std::from_chars(value.data(), value.data() + value.size(), device_, 16);
    } else if (line.starts_with("Switch") || line.starts_with("Ca") || line.starts_with("Rt")) {
      take_element(line, number);
    } else if (line.starts_with("[")) {
      take_port(line, number);
    }
  }

  /// `Switch	41 "S-..."		# "description" enhanced port 0 lid 3 lmc 0`
  void take_element(std::string_view line, int number) {
    Cursor cursor(line);
    Element element{.line = number};
    const std::size_t word = line.find_first_of(" \t");
    for (std::size_t i = 0; i < std::min(word, line.size()); ++i) cursor.take(line[i]);
    cursor.blanks();
    const auto ports = cursor.number();
    cursor.blanks();
    const auto id = cursor.id();
    current_ = nullptr;
    if (!ports || *ports == 0 || !id) {
      findings_.problem_at_line(number, "expected the number of ports and the id of the device");
      return;
    }
    element.num_ports = *ports;
    element.id = *id;
    element.kind = id->front();
    element.device = device_;
    device_ = 0;
    if (cursor.until('"')) element.description = cursor.until('"').value_or("");
    const auto [place, is_new] = elements_.try_emplace(*id, std::move(element));
    if (!is_new) {
      findings_.problem_at_line(number, fmt::format("{} is there twice, first on line {}",
                                                    shown(*id), place->second.line));
      return;
    }
    order_.push_back(*id);
    current_ = &place->second;
  }

  /// `[1]	"H-..."[1](guid) 		# "node HCA-1" lid 5 4xHDR`, or `[1](guid)
  /// "S-..."[1] ...` of a Ca.
  void take_port(std::string_view line, int number) {
    if (current_ == nullptr) {
      if (elements_.empty()) findings_.problem_at_line(number, "a port of no device");
      return;
    }
    Cursor cursor(line);
    const auto port = cursor.index();
    if (cursor.take('[')) cursor.until(']');  // [ext 5]
    if (cursor.take('(')) cursor.until(')');
    cursor.blanks();
    const auto peer = cursor.id();
    const auto peer_port = cursor.index();
    if (!port || !peer || !peer_port) {
      findings_.problem_at_line(number, "expected [port] \"id\"[port]", "the line is cut off");
      return;
    }
    if (*port > current_->num_ports) {
      findings_.problem_at_line(
          number, fmt::format("port {} of a device with {}", *port, current_->num_ports));
      return;
    }
    const auto words = words_of(cursor.rest());
    const double rate = words.empty() ? 0.0 : rate_of(words.back());
    if (!current_->ports.try_emplace(*port, Port{*peer, *peer_port, rate, number}).second) {
      findings_.problem_at_line(number, fmt::format("port {} is there twice", *port));
    }
  }

  /// "4xHDR".
  static double rate_of(std::string_view word) {
    const std::size_t x = word.find('x');
    if (x == std::string_view::npos) return 0.0;
    const double lanes = number_of(word.substr(0, x));
    return lanes >= 1.0 && lanes <= 12.0 ? lanes * lane_rate(word.substr(x + 1)) / 8.0 : 0.0;
  }

  /// Each cable stands at both of its ends.
  void check_links() {
    for (const auto& [id, element] : elements_) {
      for (const auto& [number, port] : element.ports) {
        const auto other = elements_.find(port.peer);
        if (other == elements_.end()) {
          findings_.problem_at_line(port.line,
                                    fmt::format("{} is not in the file", shown(port.peer)),
                                    "the file is cut off");
          continue;
        }
        const auto back = other->second.ports.find(port.peer_port);
        if (back == other->second.ports.end() || back->second.peer != id ||
            back->second.peer_port != number) {
          findings_.problem_at_line(port.line, fmt::format("port {} of {} does not lead back",
                                                           port.peer_port, shown(port.peer)));
        }
      }
    }
  }

  static bool is_aggregation(const Element& element) {
    return element.device == 0xcf09 ||
           element.description.find("Aggregation Node") != std::string::npos;
  }

  /// Named by its description, else by its number; that says which of two like switches no more.
  static std::string switch_of(const Element& element) {
    struct Known {
      std::string_view model;
      std::string_view name;
    };
    for (const Known& known :
         {Known{"MQM8700", "qm8700"}, {"MQM9700", "qm9700"}, {"MQM9790", "qm9790"}}) {
      if (element.description.find(known.model) != std::string::npos)
        return std::string(known.name);
    }
    // An externally managed one has the name of its chip.
    if (element.device == 0xd2f2) return "qm9790";
    return element.device == 0xd2f0 ? "qm8700" : "";
  }

  void write() {
    FoundFabric fabric;
    std::map<std::string, int> number;
    for (const std::string& id : order_) {
      const Element& element = elements_.at(id);
      if (element.kind != 'S') continue;
      number[id] = static_cast<int>(fabric.switches.size());
      fabric.switches.push_back({.device = switch_of(element), .links = {}});
    }
    for (const auto& [id, s] : number) {
      for (const auto& [port, link] : elements_.at(id).ports) {
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

  /// Channel adapters of one host have its name in front: "node01 HCA-1", "node01 mlx5_0".
  void add_hosts(const std::map<std::string, int>& number, FoundFabric& fabric) {
    struct Adapter {
      std::string name;
      const Element* element;
    };
    std::map<std::string, std::vector<Adapter>> by_host;
    int unnamed = 0;
    for (const std::string& id : order_) {
      const Element& element = elements_.at(id);
      if (element.kind != 'H' || is_aggregation(element) || element.ports.empty()) continue;
      const auto words = words_of(element.description);
      const bool is_named = words.size() >= 2 && words.back() != "Technologies";
      unnamed += is_named ? 0 : 1;
      const std::string host = is_named ? std::string(words.front()) : id;
      by_host[host].push_back({is_named ? std::string(words.back()) : "", &element});
    }
    for (auto& [host, adapters] : by_host) {
      // HCA-2 before HCA-10.
      std::ranges::stable_sort(adapters, [](const Adapter& a, const Adapter& b) {
        return std::pair(a.name.size(), a.name) < std::pair(b.name.size(), b.name);
      });
      FoundHost found;
      for (const Adapter& adapter : adapters) {
        found.ports_per_nic = static_cast<int>(adapter.element->ports.size());
        ++num_adapters_;
        for (const auto& [port, link] : adapter.element->ports) {
          const auto place = number.find(link.peer);
          if (place == number.end()) continue;  // back to back
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
          "{} channel adapters without their host's name: each is taken for a server of its own",
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
    int most_adapters = 0;
    for (const auto& [number, adapters] : devices_) {
      if (adapters > most_adapters) device = nic_of({kMellanox, number});
      most_adapters = std::max(most_adapters, adapters);
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
    findings_.know("cluster.node.nics.transport", std::string("infiniband"), "ibnetdiscover");
  }

  std::string_view text_;
  Findings findings_;
  std::map<std::string, Element> elements_;
  std::vector<std::string> order_;
  Element* current_ = nullptr;
  std::uint32_t device_ = 0;
  std::map<std::uint32_t, int> devices_;  ///< adapters by devid
  int num_adapters_ = 0;
};

}  // namespace

Imported import_ibnetdiscover(std::string_view text, const std::string& file) {
  return Reading(text, file).all();
}

}  // namespace railwright::planner
