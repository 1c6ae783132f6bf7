// SPDX-License-Identifier: Apache-2.0
#include "local_tier.hpp"

#include <algorithm>

namespace railwright::simulation {

using core::Bandwidth;
using core::Duration;

namespace {

std::string_view name_of_tier() {
  return models::kStorageLinkNames[static_cast<std::size_t>(models::StorageLinkKind::kLocalTier)];
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

LocalTier::LocalTier(const RunJob& job, std::span<const models::CheckpointFile> files,
                     core::LinkId first_link)
    : plan_(*job.checked->scenario.checkpoint.local),
      format_(job.checked->scenario.software.checkpoint),
      node_(job.checked->scenario.cluster.node),
      first_link_(first_link + job.first_node),
      of_node_(bytes_by_node(files)),
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
  const double by_tier = std::ranges::max(of_node_) / tier_rate.base();
  const double written = std::max(by_writers, by_tier);
  const auto bytes = static_cast<double>(bytes_);
  const double time = serialized + written;
  result = {.bytes = bytes_,
            .num_writers = num_writers_,
            .num_files = num_files_,
            .time = Duration::from_base(time),
            .mean_write = Bandwidth::from_base(bytes / time),
            .peak_write = Bandwidth::from_base(bytes / written),
            .limit = by_writers >= by_tier ? "writers" : name_of_tier()};
  return {.bytes = bytes_, .uses = uses(tier_rate), .ceiling = bytes / time, .is_local = true};
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

}  // namespace railwright::simulation
