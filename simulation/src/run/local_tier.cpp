// SPDX-License-Identifier: Apache-2.0
#include "local_tier.hpp"

#include <algorithm>

#include "railwright/core/arithmetic.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

using core::Bandwidth;
using core::Duration;

namespace {

std::string_view name_of_tier() {
  return models::kStorageLinkNames[static_cast<std::size_t>(models::StorageLinkKind::kLocalTier)];
}

std::string_view limit_of(double by_writers, double by_tier, double by_nics) {
  if (by_nics > std::max(by_writers, by_tier)) return "scale-out NICs";
  return by_writers >= by_tier ? "writers" : name_of_tier();
}

std::vector<double> bytes_by_node(std::span<const models::CheckpointFile> files) {
  std::vector<double> of_node;
  for (const models::CheckpointFile& file : files) {
    const auto node = static_cast<std::size_t>(file.node);
    if (node >= of_node.size()) of_node.resize(node + 1);
    of_node[node] += static_cast<double>(file.bytes);
  }
  return of_node;
}

}  // namespace

double bytes_of_fullest(std::span<const models::CheckpointFile> files) {
  return std::ranges::max(bytes_by_node(files));
}

int parts_of_fullest(std::span<const models::CheckpointFile> files, int copies, int num_nodes) {
  const std::vector<double> of_node = bytes_by_node(files);
  const auto num_with_parts =
      static_cast<int>(std::ranges::count_if(of_node, [](double bytes) { return bytes > 0.0; }));
  return core::ceil_div(num_with_parts * copies, num_nodes);
}

LocalTier::LocalTier(const RunJob& job, std::span<const models::CheckpointFile> files,
                     core::LinkId first_link)
    : plan_(*job.checked->scenario.checkpoint.local),
      format_(job.checked->scenario.software.checkpoint),
      node_(job.checked->scenario.cluster.node),
      first_link_(first_link + job.first_node),
      of_node_(bytes_by_node(files)),
      num_parts_(parts_of_fullest(files, plan_.copies, job.checked->scenario.cluster.num_nodes)),
      num_writers_(static_cast<int>(files.size())),
      num_files_(num_writers_ * std::int64_t{job.checked->scenario.checkpoint.files_per_writer}) {
  for (const models::CheckpointFile& file : files) {
    bytes_ += file.bytes;
    largest_ = std::max(largest_, static_cast<double>(file.bytes));
  }
}

Bandwidth LocalTier::writer_rate() const {
  return plan_.writer_rate.value_or(format_.writer_rate.value);
}

Bandwidth LocalTier::reader_rate() const {
  if (plan_.reader_rate) return *plan_.reader_rate;
  if (plan_.writer_rate) return *plan_.writer_rate;
  return format_.reader_rate ? format_.reader_rate->value : format_.writer_rate.value;
}

double LocalTier::seconds_to_peer() const {
  return std::ranges::max(of_node_) / node_.nics.payload_rate().base();
}

std::vector<core::LinkUse> LocalTier::uses(Bandwidth rate) const {
  std::vector<core::LinkUse> uses;
  for (std::size_t node = 0; node < of_node_.size(); ++node) {
    if (of_node_[node] == 0.0) continue;
    uses.push_back({first_link_ + static_cast<core::LinkId>(node),
                    of_node_[node] / static_cast<double>(bytes_) / rate.base()});
  }
  return uses;
}

Transfer LocalTier::checkpoint(CheckpointResult& result) const {
  const Bandwidth tier_rate = models::write_rate(plan_.tier, node_);
  const double serialized = largest_ / format_.serialization_rate.value.base();
  const double by_writers = largest_ / writer_rate().base();
  const double by_tier = std::ranges::max(of_node_) * num_parts_ / tier_rate.base();
  const int num_elsewhere = plan_.copies - 1;
  const double by_nics = num_elsewhere == 0 ? 0.0 : seconds_to_peer() * num_elsewhere;
  const double written = std::max({by_writers, by_tier, by_nics});
  const auto bytes = static_cast<double>(bytes_);
  const double time = serialized + written;
  result = {.bytes = bytes_,
            .num_writers = num_writers_,
            .num_files = num_files_,
            .time = Duration::from_base(time),
            .mean_write = Bandwidth::from_base(bytes / time),
            .peak_write = Bandwidth::from_base(bytes / written),
            .limit = limit_of(by_writers, by_tier, by_nics)};
  return {.bytes = bytes_,
          .uses = uses(tier_rate / static_cast<double>(num_parts_)),
          .ceiling = bytes / time,
          .is_local = true};
}

Transfer LocalTier::restore(RestoreResult& result) const {
  const Bandwidth tier_rate = models::read_rate(plan_.tier, node_);
  const double by_readers = largest_ / reader_rate().base();
  const double by_tier = std::ranges::max(of_node_) / tier_rate.base();
  result = {.bytes = bytes_,
            .num_readers = num_writers_,
            .time = Duration::from_base(std::max(by_readers, by_tier)),
            .limit = by_readers >= by_tier ? "readers" : name_of_tier()};
  return {.bytes = bytes_,
          .uses = uses(tier_rate),
          .ceiling = static_cast<double>(bytes_) / by_readers,
          .is_local = true};
}

Transfer LocalTier::peer_restore(Duration& time) const {
  if (plan_.copies == 1) return {};
  RestoreResult alone;
  Transfer transfer = restore(alone);
  const double sent = seconds_to_peer();
  time = std::max(alone.time, Duration::from_base(sent));
  transfer.ceiling = std::min(transfer.ceiling, static_cast<double>(bytes_) / sent);
  return transfer;
}

}  // namespace railwright::simulation
