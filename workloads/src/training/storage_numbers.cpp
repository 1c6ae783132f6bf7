// SPDX-License-Identifier: Apache-2.0
// Numbers of the load of the storage cluster over a run.
#include <algorithm>
#include <string>

#include "number_groups.hpp"
#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation {

namespace {

using Format = NumberFormat;

Number<StorageRun> rate(const std::string& key, std::string word,
                        core::Bandwidth StorageRun::* value) {
  return {.path = "storage." + key,
          .word = std::move(word),
          .format = Format::kBytesPerSecond,
          .read = [value](const StorageRun& of) { return of.*value; }};
}

Numbers<StorageRun> rate_numbers() {
  Number<StorageRun> read =
      rate("run_peak_read_bytes_per_s", "reads, peak", &StorageRun::peak_read);
  Number<StorageRun> write =
      rate("run_peak_write_bytes_per_s", "writes, peak", &StorageRun::peak_write);
  write.beside = {"peak write", 25};
  read.beside = {"peak read", 26};
  return {
      read,
      write,
      rate("run_95th_read_bytes_per_s", "reads, 95th percentile", &StorageRun::percentile_95_read),
      rate("run_95th_write_bytes_per_s", "writes, 95th percentile",
           &StorageRun::percentile_95_write),
      rate("run_mean_read_bytes_per_s", "reads, mean", &StorageRun::mean_read),
      rate("run_mean_write_bytes_per_s", "writes, mean", &StorageRun::mean_write),
      rate("run_peak_node_read_bytes_per_s", "busiest storage node, reads",
           &StorageRun::peak_node_read),
      rate("run_peak_node_write_bytes_per_s", "busiest storage node, writes",
           &StorageRun::peak_node_write)};
}

/// Adds the numbers of copies to a destination; they read nothing without it.
void add_copies(Numbers<StorageRun>& all, CopyDestination destination, const std::string& key,
                const std::string& word) {
  const auto add = [&](const char* what, const std::string& words, Format format, auto value) {
    all.push_back({.path = "storage." + key + what,
                   .word = words,
                   .format = format,
                   .read = [destination, value](const StorageRun& of) {
                     const CopyRun& copies = of.copies_to(destination);
                     return copies.exists ? NumberValue(copies.*value) : NumberValue();
                   }});
  };
  add("_bytes", "copied to the " + word, Format::kBytes, &CopyRun::bytes);
  add("_left_bytes", "not yet on the " + word + " at the end", Format::kBytes, &CopyRun::left);
  add("_backlog_bytes", "most that waited for the " + word, Format::kBytes, &CopyRun::max_backlog);
  add("_max_age_s", "longest until on the " + word, Format::kTime, &CopyRun::max_age);
}

void add_archive(Numbers<StorageRun>& all) {
  const auto add = [&](const char* path, const char* word, core::DataSize StorageRun::* value) {
    all.push_back({.path = path,
                   .word = word,
                   .format = Format::kBytes,
                   .read = [value](const StorageRun& of) {
                     const bool exists = of.archive_usable > core::DataSize{};
                     return exists ? NumberValue(of.*value) : NumberValue();
                   }});
  };
  add("storage.archive_max_used_bytes", "most used of the archive", &StorageRun::max_archived);
  add("storage.archive_usable_bytes", "capacity of the archive", &StorageRun::archive_usable);
}

}  // namespace

Numbers<StorageRun> storage_numbers() {
  Numbers<StorageRun> all = rate_numbers();
  all.push_back({.path = "storage.run_peak_operations_per_s",
                 .word = "operations, peak a second",
                 .format = Format::kCount,
                 .read = [](const StorageRun& of) { return of.peak_operations_per_s; }});
  all.push_back({.path = "storage.peak_processor_load",
                 .word = "load of its processors, peak",
                 .format = Format::kShare,
                 .read = [](const StorageRun& of) { return of.peak_processor_load; }});
  all.push_back({.path = "storage.max_used_bytes",
                 .word = "most used",
                 .format = Format::kBytes,
                 .read = [](const StorageRun& of) { return of.max_used; }});
  all.push_back({.path = "storage.full_after_s",
                 .word = "full after",
                 .format = Format::kTime,
                 .text_part = TextPart::kStorage,
                 .line = "full after",
                 .read = [](const StorageRun& of) {
                   const core::Duration time = of.full_after;
                   const bool fills = time < core::Duration::infinity();
                   return fills ? NumberValue(time) : NumberValue();
                 }});
  add_copies(all, CopyDestination::kOtherSite, "replication", "other site");
  add_copies(all, CopyDestination::kArchive, "archive", "archive");
  add_archive(all);
  return all;
}

}  // namespace railwright::simulation
