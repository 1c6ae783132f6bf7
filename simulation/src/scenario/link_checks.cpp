// SPDX-License-Identifier: Apache-2.0
#include "link_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/node_fields.hpp"

namespace railwright::simulation {

namespace {

using Problems = std::vector<core::Problem>;
using Protocols = std::vector<core::LinkProtocol>;

std::string words(const Protocols& protocols) {
  std::vector<std::string_view> names;
  for (const core::LinkProtocol one : protocols) names.push_back(core::to_string(one));
  return fmt::format("{}", fmt::join(names, " or "));
}

bool has(const Protocols& protocols, core::LinkProtocol one) {
  return std::ranges::find(protocols, one) != protocols.end();
}

/// Returns the protocols in both lists; an empty list stands for any.
Protocols common(const Protocols& a, const Protocols& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  Protocols both;
  std::ranges::copy_if(a, std::back_inserter(both), [&](auto one) { return has(b, one); });
  return both;
}

/// Returns the names of the catalogue's entries of this kind for which `fits` holds.
template <class T, class Fits>
std::string names_where(const core::Catalogue& catalogue, const Fits& fits) {
  std::vector<std::string> names;
  for (const std::string& name : catalogue.names(T::kKind)) {
    core::Reader reader(&catalogue);
    T entry;
    reader.read(core::text_node(name), "", entry);
    if (reader.diagnostics().empty() && fits(entry)) names.push_back(name);
  }
  return names.empty() ? "none of the catalogue" : fmt::format("{}", fmt::join(names, ", "));
}

std::string transports_of(const core::Nic& nic, const core::Catalogue& catalogue) {
  return names_where<core::Transport>(catalogue, [&](const core::Transport& transport) {
    return !common(nic.link_protocols, transport.link_protocols).empty();
  });
}

std::string switches_for(const Protocols& protocols, const core::Nic& nic,
                         const core::Catalogue& catalogue) {
  return names_where<core::Switch>(catalogue, [&](const core::Switch& model) {
    return model.link_protocol && has(protocols, model.link_protocol->value) &&
           model.port_rate.value >= nic.line_rate.value;
  });
}

/// Checks one set of NICs, and the switches that it leads to.
class Links {
 public:
  Links(const std::string& key, const core::NicSet& nics, const core::Catalogue& catalogue,
        Problems& problems)
      : nics_(nics),
        protocols_(common(nics.nic.link_protocols, nics.transport.link_protocols)),
        catalogue_(catalogue),
        problems_(problems) {
    const core::Transport& transport = nics.transport;
    if (!protocols_.empty() || transport.link_protocols.empty()) return;
    problems.push_back(
        {key + ".transport",
         fmt::format("{} runs over {}, and {} has {} ports: the transport may be {}",
                     transport.name, words(transport.link_protocols), nics.nic.name,
                     words(nics.nic.link_protocols), transports_of(nics.nic, catalogue))});
  }

  void check(const std::string& key, const core::Switch& model) const {
    if (protocols_.empty() || !model.link_protocol) return;
    if (has(protocols_, model.link_protocol->value)) return;
    problems_.push_back(
        {key, fmt::format("{} has {} ports, and {} with transport {} needs {}: use one of {}{}",
                          model.name, core::to_string(model.link_protocol->value), nics_.nic.name,
                          nics_.transport.name, words(protocols_),
                          switches_for(protocols_, nics_.nic, catalogue_),
                          other_transport(model.link_protocol->value))});
  }

  /// Checks the switches of a fabric and of the planes in it.
  void check_fabric(const std::string& path, const core::Node& fabric) const {
    for (const core::Entry& entry : fabric.entries) {
      const std::string key = core::join_path(path, entry.key);
      if (entry.key == "plane") check_fabric(key, entry.value);
      if (!entry.key.ends_with("switch")) continue;
      core::Reader reader(&catalogue_);
      core::Switch model;
      reader.read(entry.value, key, model);
      if (reader.diagnostics().empty()) check(key, model);
    }
  }

 private:
  /// Returns a hint that names the transport with which the adapter speaks the switch's protocol.
  [[nodiscard]] std::string other_transport(core::LinkProtocol protocol) const {
    if (!has(nics_.nic.link_protocols, protocol)) return {};
    const std::string name = protocol == core::LinkProtocol::kEthernet ? "roce" : "infiniband";
    if (!catalogue_.contains(core::Transport::kKind, name)) return {};
    return fmt::format(", or transport {}", name);
  }

  const core::NicSet& nics_;
  Protocols protocols_;  ///< shared by NIC and transport; empty if none are, or any will do
  const core::Catalogue& catalogue_;
  Problems& problems_;
};

}  // namespace

Problems link_problems(const topologies::Cluster& cluster, const core::Catalogue& catalogue) {
  Problems problems;
  const Links scale_out("cluster.node.nics", cluster.node.nics, catalogue, problems);
  scale_out.check_fabric("cluster.fabric", cluster.fabric);
  const Links front_end("cluster.node.front_end", cluster.node.front_end, catalogue, problems);
  if (!cluster.storage || !cluster.storage->front_end_switch) return problems;
  const auto check_front_end = [&](const Links& links) {
    links.check("cluster.storage.switch", *cluster.storage->front_end_switch);
  };
  check_front_end(front_end);
  const auto check_group = [&](const std::string& key, const auto& group) {
    if (!group) return;
    check_front_end(Links(key + ".node.front_end", group->node.front_end, catalogue, problems));
  };
  check_group("cluster.control_plane", cluster.control_plane);
  check_group("cluster.data_preparation", cluster.data_preparation);
  return problems;
}

}  // namespace railwright::simulation
