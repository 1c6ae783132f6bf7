// SPDX-License-Identifier: Apache-2.0
#include "run_flows.hpp"

namespace railwright::simulation::replication {

RunFlows::RunFlows(const RunModel& model, core::Engine<core::RunTime>& engine, EventTable& events)
    : model_(model), engine_(engine), events_(events) {
  for (std::int32_t link = 0; link < model.num_links; ++link) engine.network().add_link(1.0);
  offline_ = {engine.network().add_link(0.0), 1.0};
}

void RunFlows::start(ActiveFlow& flow, std::int64_t size, const FlowLoads& loads, double ceiling) {
  const bool needs_storage = !loads.uses.empty() && flow.bytes_per_unit > 0.0 && !flow.is_local;
  flow.size = size;
  flow.sampled = 0.0;
  flow.burst_uses = loads.burst_uses;
  flow.node_shares = loads.node_shares;
  flow.id =
      engine_.start({.route = needs_storage && is_offline() ? std::span(&offline_, 1) : loads.uses,
                     .size = size,
                     .ceiling = ceiling,
                     .weight = flow.weight},
                    flow.event);
}

void RunFlows::start(ActiveFlow& flow, const JobModel& job, Transfer JobTransfers::* transfer,
                     core::EventId event, bool is_write) {
  const Transfer& moved = transfers(job).*transfer;
  flow = {.event = event,
          .request = moved.request,
          .transfer = transfer,
          .is_write = is_write,
          .is_local = moved.is_local};
  start(flow, moved.bytes, loads_of(moved), moved.ceiling);
}

std::int64_t RunFlows::pause(ActiveFlow& flow) {
  const std::int64_t left = engine_.cancel(flow.id);
  flow.id = -1;
  return left;
}

std::int64_t RunFlows::stop(ActiveFlow& flow) {
  events_.remove(flow.event);
  return pause(flow);
}

void RunFlows::move_on(ActiveFlow& flow, const JobModel& job) {
  if (!flow.is_under_way()) return;
  const std::int64_t left = pause(flow);
  const Transfer& transfer = transfers(job).*flow.transfer;
  start(flow, left, loads_of(transfer), transfer.ceiling);
}

}  // namespace railwright::simulation::replication
