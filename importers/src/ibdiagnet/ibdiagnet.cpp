// SPDX-License-Identifier: Apache-2.0
#include "ibdiagnet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "../common/looks_like.hpp"
#include "../ibnetdiscover/ib_fabric.hpp"
#include "../ibnetdiscover/ib_walk.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

/// Speeds of a lane in Gb/s.
constexpr auto kLaneSpeeds =
    std::to_array<double>({2.5, 5.0, 10.0, 14.0, 25.0, 50.0, 100.0, 200.0});

/// One end of a cable.
struct ListedPort {
  char kind = ' ';  ///< S (switch), H (channel adapter) or R (router)
  std::string guid;
  std::string description;
  std::uint32_t device = 0;
  int port = 0;
};

/// Reads a hexadecimal number of all of a text.
std::optional<std::uint32_t> hexadecimal(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Reads "{ CA Ports:01 SystemGUID:x NodeGUID:x ... DevID:1021 Rev:0 {node01 HCA-1} LID:0005 PN:01
/// }" and drops it from the front of a line. Numbers are hexadecimal; the description may be
/// missing.
std::optional<ListedPort> take_port(std::string_view& line) {
  constexpr std::string_view kEnd = " PN:";
  const std::size_t number = line.find(kEnd);
  if (!line.starts_with("{ ") || number == std::string_view::npos) return std::nullopt;
  const std::size_t end = line.find('}', number);
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view head = line.substr(2, number - 2);
  const auto digits = core::words_of(line.substr(number + kEnd.size(), end - number - kEnd.size()));
  line.remove_prefix(end + 1);
  ListedPort made;
  if (const std::size_t open = head.find('{'); open != std::string_view::npos) {
    const std::size_t close = head.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    made.description = head.substr(open + 1, close - open - 1);
    head = head.substr(0, open);
  }
  for (const std::string_view word : core::words_of(head)) {
    if (word == "CA") made.kind = 'H';
    if (word == "SW") made.kind = 'S';
    if (word == "RTR") made.kind = 'R';
    if (word.starts_with("NodeGUID:")) made.guid = word.substr(9);
    if (word.starts_with("DevID:")) made.device = hexadecimal(word.substr(6)).value_or(0);
  }
  const auto port = digits.empty() ? std::nullopt : hexadecimal(digits[0]);
  constexpr std::uint32_t kMaxPort = 4096;
  if (made.kind == ' ' || made.guid.empty() || !port || *port == 0 || *port > kMaxPort) {
    return std::nullopt;
  }
  made.port = static_cast<int>(*port);
  return made;
}

/// Reads "PHY=4x LOG=ACT SPD=25" as bytes/s; 0 without a speed, nothing for what is neither.
std::optional<double> link_rate(std::string_view text) {
  double lanes = 0.0;
  double speed = 2.5;  // the tool leaves out the slowest
  for (const std::string_view word : core::words_of(text)) {
    if (word.starts_with("PHY=") && word.ends_with('x')) {
      lanes = core::number_of(word.substr(4, word.size() - 5));
    }
    if (word == "SPD=?") return 0.0;
    if (word.starts_with("SPD=")) speed = core::number_of(word.substr(4));
  }
  if (!(lanes >= 1.0 && lanes <= 12.0) || std::ranges::count(kLaneSpeeds, speed) == 0) {
    return std::nullopt;
  }
  return lanes * speed * 1e9 / 8.0;
}

/// Reads the cables, each of which may be listed from both of its ends.
class CableFile {
 public:
  explicit CableFile(Findings& findings) : findings_(findings) {}

  IbWalk read(std::string_view text) {
    int number = 0;
    for (std::string_view line : core::lines_of(text)) {
      ++number;
      if (line.starts_with("{ ")) take(line, number);
      if (findings_.is_full()) break;
    }
    if (walk_.elements.empty() && !findings_.has_problems()) {
      findings_.problem_in_file("no cable '{ CA ... } { SW ... }'", "ibdiagnet2.lst has them");
    }
    findings_.throw_if_any();
    return std::move(walk_);
  }

 private:
  void take(std::string_view line, int number) {
    const auto from = take_port(line);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const auto to = from ? take_port(line) : std::nullopt;
    if (!to) {
      findings_.problem_at_line(number, "expected the two ends of a cable", "the line is cut off");
      return;
    }
    const auto rate = link_rate(line);
    if (!rate) {
      findings_.problem_at_line(number, "no width and speed of InfiniBand: '" + shown(line) + "'");
      return;
    }
    add(*from, *to, *rate, number);
    add(*to, *from, *rate, number);
  }

  static std::string id_of(const ListedPort& end) {
    return std::string(1, end.kind) + "-" + end.guid;
  }

  void add(const ListedPort& from, const ListedPort& to, double rate, int line) {
    const std::string id = id_of(from);
    const auto [place, is_new] = walk_.elements.try_emplace(id);
    IbElement& element = place->second;
    if (is_new) {
      element.id = id;
      element.kind = from.kind;
      element.device = from.device;
      element.line = line;
      walk_.order.push_back(id);
    }
    if (element.description.empty()) element.description = from.description;
    element.num_ports = std::max(element.num_ports, from.port);
    const auto [port, is_free] =
        element.ports.try_emplace(from.port, IbPort{id_of(to), to.port, rate, line});
    if (!is_free && (port->second.peer != id_of(to) || port->second.peer_port != to.port)) {
      findings_.problem_at_line(line, fmt::format("port {} of {} is there twice, first on line {}",
                                                  from.port, shown(id), port->second.line));
    }
  }

  Findings& findings_;
  IbWalk walk_;
};

}  // namespace

bool is_ibdiagnet(std::string_view head) {
  return contains(head, "NodeGUID:") && contains(head, "PHY=") && contains(head, "LOG=");
}

Imported import_ibdiagnet(std::string_view text, const std::string& file,
                          const core::Node& /*known*/) {
  Findings findings(file);
  add_ib_fabric(CableFile(findings).read(text), "ibdiagnet", findings);
  return findings.take();
}

}  // namespace railwright::importers
