// SPDX-License-Identifier: Apache-2.0
#include "simgrid_run.hpp"

#include <simgrid/s4u.hpp>
#include <string>

#include "../processor_time.hpp"

namespace railwright::workloads {

namespace {

namespace sg = simgrid::s4u;

void configure(SimGridMode mode) {
  // Neither TCP's window nor protocol overheads nor cross traffic: links are shared max-min.
  for (const char* option :
       {"network/model:CM02", "network/latency-factor:1", "network/bandwidth-factor:1",
        "network/TCP-gamma:1e18", "network/crosstraffic:0", "network/weight-S:1"}) {
    sg::Engine::set_config(option);
  }
  sg::Engine::set_config(mode == SimGridMode::kFull ? "network/optim:Full" : "network/optim:Lazy");
}

/// The fat tree routes by destination modulo 16, as TwoTier does.
std::vector<sg::Host*> build_platform(sg::Engine& engine, int num_hosts) {
  const auto leaves = static_cast<unsigned>(num_hosts / TwoTier::kHostsPerLeaf);
  auto* root = engine.get_netzone_root();
  auto* zone = root->add_netzone_fatTree("fat_tree", 2, {TwoTier::kHostsPerLeaf, leaves},
                                         {1, TwoTier::kSpines}, {1, 1}, TwoTier::kBytesPerSecond,
                                         0.0, sg::Link::SharingPolicy::SPLITDUPLEX);
  zone->set_host_cb([](sg::NetZone* in, const std::vector<unsigned long>&, unsigned long id) {
    return in->add_host("host" + std::to_string(id), 1e9);
  });
  zone->seal();
  root->seal();
  std::vector<sg::Host*> hosts;
  for (int i = 0; i < num_hosts; ++i) {
    hosts.push_back(engine.host_by_name("host" + std::to_string(i)));
  }
  return hosts;
}

void run_steps(const Workload& workload, const std::vector<sg::Host*>& hosts) {
  const auto host = [&](std::int32_t i) { return hosts[static_cast<std::size_t>(i)]; };
  std::vector<sg::CommPtr> under_way;
  under_way.reserve(workload.transfers.size());
  for (int step = 0; step < workload.num_steps; ++step) {
    const double begin = sg::Engine::get_clock();
    for (const Transfer& transfer : workload.transfers) {
      const double start = begin + transfer.start_s;
      if (start > sg::Engine::get_clock()) sg::this_actor::sleep_until(start);
      under_way.push_back(sg::Comm::sendto_async(host(transfer.from), host(transfer.to),
                                                 static_cast<std::uint64_t>(transfer.size)));
    }
    for (const sg::CommPtr& transfer : under_way) transfer->wait();
    under_way.clear();
  }
}

}  // namespace

SimGridRun run_simgrid(const Workload& workload, SimGridMode mode) {
  std::string name = "simgrid_comparison";
  std::string quiet = "--log=root.thresh:warning";
  int argc = 2;
  std::array<char*, 3> argv{name.data(), quiet.data(), nullptr};
  sg::Engine engine(&argc, argv.data());
  configure(mode);
  const std::vector<sg::Host*> hosts = build_platform(engine, workload.num_hosts);
  hosts.front()->add_actor("sender", [&] { run_steps(workload, hosts); });
  const double begin = processor_seconds();
  engine.run();
  return {sg::Engine::get_clock(), processor_seconds() - begin};
}

}  // namespace railwright::workloads
