// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/track_record.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/track_record_fields.hpp"

namespace railwright::simulation {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSteps = "training_steps";

/// Identity of a file's contents: another file, or the same one written again, differs.
struct Stamp {
  fs::path file;
  fs::file_time_type written;
  std::uintmax_t size = 0;

  bool operator==(const Stamp&) const = default;
};

/// Returns the stamp of the file that the catalogue would load; its path is empty if there is none.
Stamp stamp_of(const core::Catalogue& catalogue) {
  for (const std::string& root : catalogue.roots()) {
    const fs::path file = fs::path(root) / TrackRecord::kKind / (std::string(kSteps) + ".yaml");
    std::error_code error;
    if (!fs::is_regular_file(file, error)) continue;
    Stamp stamp{.file = fs::absolute(file, error), .written = fs::last_write_time(file, error)};
    stamp.size = fs::file_size(file, error);
    return stamp;
  }
  return {};
}

TrackRecord read(const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  TrackRecord record;
  reader.read(core::text_node(kSteps), "", record);
  reader.throw_if_any();
  return record;
}

struct Kept {
  std::mutex mutex;
  Stamp stamp;
  std::shared_ptr<const TrackRecord> record;
};

}  // namespace

std::shared_ptr<const TrackRecord> track_record(const core::Catalogue& catalogue) {
  const Stamp stamp = stamp_of(catalogue);
  if (stamp.file.empty()) return nullptr;
  static Kept kept;
  const std::lock_guard lock(kept.mutex);
  if (kept.record == nullptr || kept.stamp != stamp) {
    kept.record = std::make_shared<const TrackRecord>(read(catalogue));
    kept.stamp = stamp;
  }
  return kept.record;
}

std::optional<FamilyErrors> family_errors(StepClass of, const core::Catalogue& catalogue) {
  const std::shared_ptr<const TrackRecord> record = track_record(catalogue);
  if (record == nullptr) return {};
  const auto found = std::ranges::find(record->families_left_out, of, &FamilyErrors::of);
  if (found == record->families_left_out.end()) return {};
  return *found;
}

}  // namespace railwright::simulation
