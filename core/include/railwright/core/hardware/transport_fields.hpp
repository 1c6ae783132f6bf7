// SPDX-License-Identifier: Apache-2.0
// The keys of transport.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/transport.hpp"

namespace railwright::core {

constexpr auto Transport::fields() {
  return field_list(
      field("name", &Transport::name, "Name in the catalogue."),
      field("description", &Transport::description, "The protocol in words."),
      field("efficiency", &Transport::efficiency,
            "Share of the line rate that large transfers reach.", fraction),
      field("half_size", &Transport::half_size,
            "Message size at which a flow reaches half of what large messages do.", non_negative),
      field("latency", &Transport::latency, "One way, beyond what the adapters and switches take.",
            non_negative),
      field("host_cost", &Transport::host_cost,
            "Processor time a byte, at the end where it is larger.", non_negative),
      field("rdma", &Transport::rdma,
            "Whether adapters read and write memory by themselves. Without, data goes through "
            "host memory whatever `gpudirect` says.",
            optional),
      field("link_protocols", &Transport::link_protocols,
            "Link protocols that carry it; any where absent.", optional));
}

}  // namespace railwright::core
