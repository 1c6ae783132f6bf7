// SPDX-License-Identifier: Apache-2.0
#include "iblinkinfo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "../common/looks_like.hpp"
#include "../ibnetdiscover/ib_fabric.hpp"
#include "../ibnetdiscover/ib_walk.hpp"
#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr std::string_view kArrow = ")==>";
constexpr int kMaxPort = 4096;

/// Data rate of a lane by its signalling rate, which iblinkinfo prints, in Gb/s.
struct Lane {
  double signal;
  double data;
};
constexpr auto kLanes = std::to_array<Lane>({{2.5, 2.5},
                                             {5.0, 5.0},
                                             {10.0, 10.0},
                                             {10.3125, 10.0},
                                             {14.0625, 14.0},
                                             {25.78125, 25.0},
                                             {53.125, 50.0},
                                             {106.25, 100.0},
                                             {212.5, 200.0}});

/// One end of a cable: "101 1[  ]".
struct End {
  int lid = 0;
  int port = 0;
};

/// A line with a cable.
struct Cable {
  End from;
  End to;
  double rate = 0.0;  ///< bytes/s
  std::string peer;   ///< description of the other end
  int line = 0;
};

/// Reads the last two numbers before a "[".
std::optional<End> end_of(std::string_view text) {
  const auto words = core::words_of(text.substr(0, text.find('[')));
  if (words.size() < 2) return std::nullopt;
  const auto lid = core::digits_of(words[words.size() - 2]);
  const auto port = core::digits_of(words.back());
  if (!lid || !port || *lid == 0 || *port == 0 || *port > kMaxPort) return std::nullopt;
  return End{*lid, *port};
}

/// "4X 53.125 Gbps Active/ LinkUp".
double rate_of(std::string_view text) {
  const auto words = core::words_of(text);
  if (words.size() < 2 || !words[0].ends_with('X')) return 0.0;
  const double lanes = core::number_of(words[0].substr(0, words[0].size() - 1));
  const double signal = core::number_of(words[1]);
  if (!(lanes >= 1.0 && lanes <= 12.0)) return 0.0;
  for (const Lane& lane : kLanes) {
    // Printed with two digits by some releases.
    if (std::abs(lane.signal - signal) < 0.006) return lanes * lane.data * 1e9 / 8.0;
  }
  return 0.0;
}

/// Reads the devices and cables: blocks under "Switch: guid description:" and "CA: description:".
class LinkInfo {
 public:
  explicit LinkInfo(Findings& findings) : findings_(findings) {}

  IbWalk read(std::string_view text) {
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) take(line, ++number);
    if (switches_.empty() && !findings_.has_problems()) {
      findings_.problem_in_file("no block 'Switch: ...'", "iblinkinfo without --line prints them");
    }
    findings_.throw_if_any();
    for (const auto& [lid, block] : switches_) add_switch(lid, block);
    for (const auto& [lid, block] : switches_) add_cables(lid, block);
    findings_.throw_if_any();
    return std::move(walk_);
  }

 private:
  struct Block {
    std::string description;
    std::vector<Cable> cables;
  };

  void take(std::string_view line, int number) {
    if (line.starts_with("Switch:") || line.starts_with("CA:") || line.starts_with("Router:")) {
      is_switch_ = line.starts_with("Switch:");
      description_ = line.substr(line.find(':') + 1);
      const std::size_t name = description_.find("0x");
      if (is_switch_ && name != std::string::npos) {
        const std::size_t blank = description_.find(' ', name);
        description_.erase(0, blank == std::string::npos ? description_.size() : blank + 1);
      }
      while (description_.ends_with(':') || description_.ends_with(' ')) description_.pop_back();
      return;
    }
    const std::size_t arrow = line.find(kArrow);
    if (arrow == std::string_view::npos || !is_switch_) return;
    take_cable(line, arrow, number);
  }

  void take_cable(std::string_view line, std::size_t arrow, int number) {
    const std::size_t open = line.find("==(");
    if (open == std::string_view::npos || open > arrow) {
      findings_.problem_at_line(number, "expected a port, ==( and a link");
      return;
    }
    const std::string_view link = line.substr(open + 3, arrow - open - 3);
    const std::string_view behind = line.substr(arrow + kArrow.size());
    const auto from = end_of(line.substr(0, open));
    if (!from) {
      findings_.problem_at_line(number, "expected the LID and port of the switch");
      return;
    }
    Block& block = switches_[from->lid];
    block.description = description_;
    if (!contains(link, "LinkUp")) return;
    const auto to = end_of(behind);
    const std::size_t quote = behind.find('"');
    const std::size_t end = quote == std::string_view::npos ? quote : behind.find('"', quote + 1);
    if (!to || end == std::string_view::npos) {
      findings_.problem_at_line(number, "expected the LID, port and name of the other end",
                                "the line is cut off");
      return;
    }
    Cable cable{*from, *to, rate_of(link), std::string(behind.substr(quote + 1, end - quote - 1)),
                number};
    if (cable.rate == 0.0) {
      findings_.problem_at_line(number, "no width and speed of InfiniBand: '" + shown(link) + "'");
      return;
    }
    block.cables.push_back(std::move(cable));
  }

  static std::string id_of(int lid) { return fmt::format("S-{}", lid); }

  void add_switch(int lid, const Block& block) {
    const std::string id = id_of(lid);
    IbElement& element = walk_.elements[id];
    element.id = id;
    element.kind = 'S';
    element.description = block.description;
    walk_.order.push_back(id);
  }

  void add_cables(int lid, const Block& block) {
    for (const Cable& cable : block.cables) {
      const std::string other =
          switches_.contains(cable.to.lid) ? id_of(cable.to.lid) : adapter_of(cable);
      add_port(id_of(lid), cable.from.port, other, cable.to.port, cable);
      if (!switches_.contains(cable.to.lid)) {
        add_port(other, cable.to.port, id_of(lid), cable.from.port, cable);
      } else if (!leads_back(cable)) {
        findings_.problem_at_line(
            cable.line,
            fmt::format("port {} of switch {} does not lead back", cable.to.port, cable.to.lid),
            "the file is cut off");
      }
    }
  }

  [[nodiscard]] bool leads_back(const Cable& cable) const {
    return std::ranges::any_of(switches_.at(cable.to.lid).cables, [&](const Cable& other) {
      return other.from.port == cable.to.port && other.to.lid == cable.from.lid &&
             other.to.port == cable.from.port;
    });
  }

  /// Ports of one adapter have LIDs of their own and one name: "node01 mlx5_0".
  std::string adapter_of(const Cable& cable) {
    const auto words = core::words_of(cable.peer);
    const bool is_named = words.size() >= 2 && words.back() != "Technologies";
    const std::string id = is_named ? "H-" + cable.peer : fmt::format("H-{}", cable.to.lid);
    const auto [place, is_new] = walk_.elements.try_emplace(id);
    if (is_new) {
      place->second.id = id;
      place->second.kind = 'H';
      place->second.description = cable.peer;
      walk_.order.push_back(id);
    }
    return id;
  }

  void add_port(const std::string& id, int port, const std::string& peer, int peer_port,
                const Cable& cable) {
    IbElement& element = walk_.elements.at(id);
    element.num_ports = std::max(element.num_ports, port);
    if (!element.ports.try_emplace(port, IbPort{peer, peer_port, cable.rate, cable.line}).second) {
      findings_.problem_at_line(cable.line,
                                fmt::format("port {} of {} is there twice", port, shown(id)));
    }
  }

  Findings& findings_;
  std::map<int, Block> switches_;  ///< by LID
  IbWalk walk_;
  bool is_switch_ = false;
  std::string description_;
};

}  // namespace

bool is_iblinkinfo(std::string_view head) {
  return contains(head, kArrow) && (has_line(head, "Switch: ") || has_line(head, "CA: "));
}

Imported import_iblinkinfo(std::string_view text, const std::string& file,
                           const core::Node& /*known*/) {
  Findings findings(file);
  add_ib_fabric(LinkInfo(findings).read(text), "iblinkinfo", findings);
  return findings.take();
}

}  // namespace railwright::importers
