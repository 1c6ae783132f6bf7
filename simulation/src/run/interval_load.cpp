// SPDX-License-Identifier: Apache-2.0
#include "interval_load.hpp"

#include <algorithm>

namespace railwright::simulation::replication {

IntervalLoad::IntervalLoad(core::RunTime start, core::RunTime end, int num_nodes_up, double used)
    : sample_{.start = start, .end = end, .used = used},
      seconds_((end - start).duration().base()),
      share_of_node_(1.0 / std::max(1, num_nodes_up)) {}

void IntervalLoad::add(ActiveFlow& flow, double left, double peak_factor) {
  const double moved = static_cast<double>(flow.size) - left;
  const double bytes = (moved - flow.sampled) * flow.bytes_per_unit;
  flow.sampled = moved;
  sample_.operations += bytes / flow.request;
  const double at_node = bytes / seconds_ * share_of_node_ * flow.busiest_node;
  if (flow.is_write) {
    sample_.written_bytes += bytes;
    sample_.peak_write += bytes / seconds_ * peak_factor;
    sample_.peak_node_write += at_node * peak_factor;
  } else {
    sample_.read_bytes += bytes;
    sample_.peak_node_read += at_node;
  }
}

}  // namespace railwright::simulation::replication
