// SPDX-License-Identifier: Apache-2.0
#include "storage_text.hpp"

#include <fmt/format.h>

#include <string_view>

#include "../words/result_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/workloads/training/outputs.hpp"

namespace railwright::output {

using core::to_text;
using simulation::CopyDestination;

std::string storage_text(const simulation::StorageRun& storage) {
  std::string text;
  const auto fact = [&text](std::string_view label, const std::string& what) {
    text += fmt::format("{:<16}{}\n", label, what);
  };
  const auto rates = [](core::Bandwidth peak, core::Bandwidth percentile, core::Bandwidth mean) {
    return fmt::format("{} peak, {} 95th percentile, {} mean", to_text(peak), to_text(percentile),
                       to_text(mean));
  };
  fact("storage reads", rates(storage.peak_read, storage.percentile_95_read, storage.mean_read));
  fact("storage writes",
       rates(storage.peak_write, storage.percentile_95_write, storage.mean_write));
  fact("busiest node",
       fmt::format("{} read, {} written at the peak", to_text(storage.peak_node_read),
                   to_text(storage.peak_node_write)));
  fact("its processors",
       fmt::format("{:.1f} % at the peak, {:.0f} operations/s", 100.0 * storage.peak_processor_load,
                   storage.peak_operations_per_s));
  fact("its capacity", fmt::format("{} used of {}, {} raw", to_text(storage.max_used),
                                   to_text(storage.usable), to_text(storage.raw)));
  const auto copies = [&](CopyDestination destination, std::string_view label,
                          const std::string& beside) {
    const simulation::CopyRun& to = storage.copies_to(destination);
    if (!to.exists) return;
    fact(label, fmt::format("{} copied, each there {} behind its checkpoint at most{}",
                            to_text(to.bytes), to_text(to.max_age), beside));
  };
  copies(CopyDestination::kOtherSite, "other site", "");
  copies(CopyDestination::kArchive, "archive",
         fmt::format(", {} used of {}", to_text(storage.max_archived),
                     to_text(storage.archive_usable)));
  if (storage.num_nodes == 0) return text;
  return text + lines_of(simulation::storage_numbers(), storage, simulation::TextPart::kStorage);
}

std::string needs_text(std::span<const simulation::StorageNeed> needs) {
  std::string text;
  for (const simulation::StorageNeed& need : needs) {
    const std::string nodes =
        need.num_nodes > 0 ? std::to_string(need.num_nodes) : std::string("no number suffices");
    text += fmt::format("{:<16}{} for the target of {}, limited by the {}\n", "nodes needed", nodes,
                        need.target, need.limit);
    if (need.missed.empty()) continue;
    text += fmt::format("{:<16}{}: {}\n", "", need.num_nodes > 0 ? "one less" : "the most",
                        need.missed);
  }
  return text;
}

}  // namespace railwright::output
