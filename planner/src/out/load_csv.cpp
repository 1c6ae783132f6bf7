// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/out/load_csv.hpp"

#include <fmt/format.h>

#include <ostream>

namespace railwright::planner {

void write_load_csv(std::ostream& out, const StorageRun& storage) {
  out << "time_s,read_bytes_per_s,write_bytes_per_s,peak_read_bytes_per_s,peak_write_bytes_per_s\n";
  const double width = storage.bin_width.base();
  for (std::size_t i = 0; i < storage.bins.size(); ++i) {
    const LoadBin& bin = storage.bins[i];
    out << fmt::format("{},{},{},{},{}\n", static_cast<double>(i) * width, bin.read_bytes / width,
                       bin.written_bytes / width, bin.peak_read, bin.peak_write);
  }
}

}  // namespace railwright::planner
