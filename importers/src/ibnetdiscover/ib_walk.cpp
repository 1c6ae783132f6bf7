// SPDX-License-Identifier: Apache-2.0
#include "ib_walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr int kMaxPorts = 4096;

/// Returns the bit/s of a lane by the name of its speed.
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

/// Reads one line from left to right.
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
    if (error != std::errc{} || value < 0 || value > kMaxPorts) return {};
    line_.remove_prefix(static_cast<std::size_t>(end - line_.data()));
    return value;
  }
  /// Returns the text before `c` and skips `c`; nothing where `c` does not follow.
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

class NetworkWalk {
 public:
  explicit NetworkWalk(Findings& findings) : findings_(findings) {}

  IbWalk all(std::string_view text) {
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) take(line, ++number);
    if (walk_.elements.empty() && !findings_.has_problems()) {
      findings_.problem_in_file("no line 'Switch ...' or 'Ca ...'", "ibnetdiscover prints them");
    }
    findings_.throw_if_any();
    check_links();
    findings_.throw_if_any();
    return std::move(walk_);
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
    IbElement element{.line = number};
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
    const auto [place, is_new] = walk_.elements.try_emplace(*id, std::move(element));
    if (!is_new) {
      findings_.problem_at_line(number, fmt::format("{} is there twice, first on line {}",
                                                    shown(*id), place->second.line));
      return;
    }
    walk_.order.push_back(*id);
    current_ = &place->second;
  }

  /// `[1]	"H-..."[1](guid) 		# "node HCA-1" lid 5 4xHDR`, or `[1](guid)
  /// "S-..."[1] ...` of a Ca.
  void take_port(std::string_view line, int number) {
    if (current_ == nullptr) {
      if (walk_.elements.empty()) findings_.problem_at_line(number, "a port of no device");
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
    const auto words = core::words_of(cursor.rest());
    const double rate = words.empty() ? 0.0 : rate_of(words.back());
    if (!current_->ports.try_emplace(*port, IbPort{*peer, *peer_port, rate, number}).second) {
      findings_.problem_at_line(number, fmt::format("port {} is there twice", *port));
    }
  }

  /// "4xHDR".
  static double rate_of(std::string_view word) {
    const std::size_t x = word.find('x');
    if (x == std::string_view::npos) return 0.0;
    const double lanes = core::number_of(word.substr(0, x));
    return lanes >= 1.0 && lanes <= 12.0 ? lanes * lane_rate(word.substr(x + 1)) / 8.0 : 0.0;
  }

  /// Checks that each cable is listed at both of its ends.
  void check_links() {
    for (const auto& [id, element] : walk_.elements) {
      for (const auto& [number, port] : element.ports) {
        const auto other = walk_.elements.find(port.peer);
        if (other == walk_.elements.end()) {
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

  Findings& findings_;
  IbWalk walk_;
  IbElement* current_ = nullptr;
  std::uint32_t device_ = 0;
};

}  // namespace

IbWalk read_ib_walk(std::string_view text, Findings& findings) {
  return NetworkWalk(findings).all(text);
}

}  // namespace railwright::importers
