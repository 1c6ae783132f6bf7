// SPDX-License-Identifier: Apache-2.0
#include "slurm_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "../common/findings.hpp"
#include "../common/looks_like.hpp"
#include "../slurm/hostlist.hpp"
#include "railwright/core/config/date_time.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::importers {

namespace {

constexpr int kMaxGres = 1024;

/// Accelerators of a node: "gpu:h100:8".
struct Gres {
  std::string type;  ///< "" where not told
  int count = 0;
  bool operator<(const Gres& other) const {
    return std::pair(count, type) < std::pair(other.count, other.type);
  }
};

std::string in_words(const Gres& gres) {
  if (gres.count == 0) return "without accelerators";
  return fmt::format("of {}{}{}", gres.count, gres.type.empty() ? "" : " ", gres.type);
}

/// Types that stand for one device of the catalogue: others have a card and a module of a name.
struct KnownType {
  std::string_view type;
  std::string_view device;
};
constexpr auto kKnownTypes = std::to_array<KnownType>({{"b200", "b200-sxm"},
                                                       {"b300", "b300-sxm"},
                                                       {"gb200", "gb200"},
                                                       {"gb300", "gb300"},
                                                       {"h20", "h20-sxm"},
                                                       {"l4", "l4"},
                                                       {"l40", "l40"},
                                                       {"l40s", "l40s"},
                                                       {"mi300x", "mi300x"},
                                                       {"mi325x", "mi325x"},
                                                       {"mi355x", "mi355x"}});

/// Lists of nodes with their accelerators, from any of the three forms.
class NodeList {
 public:
  explicit NodeList(Findings& findings) : findings_(findings) {}

  std::map<std::string, Gres> read(std::string_view text) {
    if (has_line(text, "NodeName=") || has_line(text, "nodename=")) {
      read_records(text);
    } else {
      read_sinfo(text);
    }
    return std::move(nodes_);
  }
  [[nodiscard]] bool has_gres() const { return has_gres_; }
  [[nodiscard]] const std::map<std::string, std::string>& states() const { return states_; }

 private:
  /// slurm.conf has a record a line, which a backslash continues; scontrol indents what goes on.
  void read_records(std::string_view text) {
    has_gres_ = true;  // a node without it has none
    int number = 0;
    bool goes_on = false;
    for (std::string_view line : core::lines_of(text)) {
      ++number;
      const bool is_indented = line.starts_with(' ') || line.starts_with('\t');
      line = line.substr(0, line.find('#'));
      auto words = core::words_of(line);
      if (!goes_on && !is_indented) close();
      goes_on = !words.empty() && words.back().ends_with('\\');
      if (words.empty()) continue;
      for (const std::string_view word : words) take(word, number);
    }
    close();
  }

  void take(std::string_view word, int line) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return;
    const std::string key = core::lower_case(word.substr(0, equals));
    std::string_view value = word.substr(equals + 1);
    if (value.ends_with('\\')) value.remove_suffix(1);
    if (key == "nodename") {
      close();
      names_ = value;
      line_ = line;
    } else if (key == "gres" && !names_.empty()) {
      gres_ = value;
    } else if (key == "state" && !names_.empty()) {
      state_ = value;
    }
  }

  void close() {
    if (names_.empty()) return;
    const auto gres = gres_ ? gres_of(*gres_, line_) : default_;
    if (core::lower_case(names_) == "default") {
      default_ = gres;
    } else if (gres) {
      add(names_, *gres, state_, line_);
    }
    names_.clear();
    gres_.reset();
    state_.clear();
  }

  /// Columns by the names in their head; a list of nodes is the last word of its column.
  void read_sinfo(std::string_view text) {
    std::vector<std::string_view> names;
    int number = 0;
    for (const std::string_view line : core::lines_of(text)) {
      ++number;
      const auto words = core::words_of(line);
      if (words.empty()) continue;
      if (names.empty()) {
        names = words;
        if (!place_of(names, "NODELIST")) {
          findings_.problem_at_line(number, "no column NODELIST", "sinfo -N -o \"%N %G %t\"");
          return;
        }
        has_gres_ = place_of(names, "GRES").has_value();
        continue;
      }
      if (words.size() != names.size()) {
        findings_.problem_at_line(
            number, fmt::format("{} words under {} names", words.size(), names.size()));
        continue;
      }
      const auto state = place_of(names, "STATE");
      const auto gres =
          has_gres_ ? gres_of(words[*place_of(names, "GRES")], number) : std::optional(Gres{});
      if (!gres) continue;
      add(std::string(words[*place_of(names, "NODELIST")]), *gres,
          state ? std::string(words[*state]) : "", number);
    }
  }

  static std::optional<std::size_t> place_of(const std::vector<std::string_view>& names,
                                             std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
  }

  /// Reads "gpu:h100:8(S:0-1),shard:16", "gpu:8" and "(null)". Several types of one node add up.
  std::optional<Gres> gres_of(std::string_view text, int line) {
    Gres all;
    std::string plain;
    int depth = 0;
    for (const char c : text) {
      depth += c == '(' ? 1 : 0;
      if (depth == 0) plain += c;
      depth -= c == ')' ? 1 : 0;
    }
    for (const std::string_view one : core::cells_of(plain, ',')) {
      const auto parts = core::cells_of(one, ':');
      if (parts.front() != "gpu") continue;
      const auto count = parts.size() < 2 ? std::optional(1) : core::digits_of(parts.back());
      if (!count || *count > kMaxGres || parts.size() > 3) {
        findings_.problem_at_line(line, "Gres: no number of accelerators: '" + shown(one) + "'");
        return std::nullopt;
      }
      const std::string type = parts.size() == 3 ? core::lower_case(parts[1]) : "";
      all.type = all.count > 0 && all.type != type ? all.type + "+" + type : type;
      all.count += *count;
    }
    return all;
  }

  void add(const std::string& list, const Gres& gres, const std::string& state, int line) {
    std::vector<std::string> names;
    if (const std::string wrong = expand_hostlist(list, names); !wrong.empty()) {
      findings_.problem_at_line(line, wrong);
      return;
    }
    for (const std::string& name : names) {
      const auto [place, is_new] = nodes_.try_emplace(name, gres);
      // A node of several partitions is listed once for each.
      if (!is_new && (place->second < gres || gres < place->second)) {
        findings_.problem_at_line(line, shown(name) + " is there twice, with other accelerators");
      }
      states_[name] = state;
    }
  }

  Findings& findings_;
  std::map<std::string, Gres> nodes_;
  std::map<std::string, std::string> states_;
  std::string names_;  ///< of the record that is open; "" for none
  std::optional<std::string> gres_;
  std::string state_;
  std::optional<Gres> default_ = Gres{};
  int line_ = 0;
  bool has_gres_ = false;
};

/// Notes nodes that no job can use now; they are of the cluster all the same.
void note_states(const std::map<std::string, std::string>& states, Findings& findings) {
  std::size_t away = 0;
  for (const auto& [name, state] : states) {
    const std::string text = core::lower_case(state);
    away += contains(text, "down") || contains(text, "drain") || contains(text, "fail") ? 1 : 0;
  }
  if (away > 0) {
    findings.not_expressed(
        fmt::format("{} nodes are down or drained: counted as the others", away));
  }
}

void add_accelerator(const Gres& gres, Findings& findings) {
  findings.know("cluster.node.num_accelerators", gres.count, "Gres");
  const auto* const known = std::ranges::find(kKnownTypes, gres.type, &KnownType::type);
  if (known != kKnownTypes.end()) {
    findings.assume("cluster.node.accelerator", std::string(known->device),
                    "the type of Gres: " + shown(gres.type));
  } else {
    findings.unknown(
        "cluster.node.accelerator",
        gres.type.empty() ? "Gres has no type" : "which device '" + shown(gres.type) + "' is");
  }
}

}  // namespace

bool is_slurm_nodes(std::string_view head) {
  return has_line(head, "NodeName=") ||
         (contains(head.substr(0, head.find('\n')), "NODELIST") && !contains(head, "JOBID"));
}

Imported import_slurm_nodes(std::string_view text, const std::string& file,
                            const core::Node& /*known*/) {
  Findings findings(file);
  NodeList list(findings);
  const std::map<std::string, Gres> nodes = list.read(text);
  findings.throw_if_any();
  std::map<Gres, int> classes;
  for (const auto& [name, gres] : nodes) ++classes[gres];
  const auto most = std::ranges::max_element(classes, {}, [](const auto& entry) {
    return std::pair(entry.first.count > 0, entry.second);
  });
  if (most == classes.end() || (list.has_gres() && most->first.count == 0)) {
    findings.problem_in_file("no node with Gres=gpu");
    findings.throw_if_any();
  }
  if (!list.has_gres()) {
    findings.assume("cluster.nodes", most->second,
                    fmt::format("{} names, all taken for nodes with accelerators", most->second));
    findings.unknown("cluster.node.num_accelerators", "no column GRES: sinfo -N -o \"%N %G %t\"");
  } else {
    findings.say(classes.size() == 1, "cluster.nodes", most->second,
                 fmt::format("nodes {}{}", in_words(most->first),
                             classes.size() == 1 ? "" : ", the most of those with accelerators"));
    add_accelerator(most->first, findings);
    for (const auto& [gres, count] : classes) {
      if (gres < most->first || most->first < gres) {
        findings.not_expressed(fmt::format("{} nodes {}: left out", count, in_words(gres)));
      }
    }
  }
  note_states(list.states(), findings);
  findings.unknown("cluster.fabric", "Slurm's list of nodes tells no switches");
  findings.unknown("cluster.node.nics", "Slurm knows names alone");
  return findings.take();
}

}  // namespace railwright::importers
