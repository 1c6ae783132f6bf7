// SPDX-License-Identifier: Apache-2.0
// Reads what benchmarks of file systems print: IOR and mdtest [@ior], elbencho [@elbencho], DLIO
// [@dlio], fio [@fio].
#pragma once

#include <string>
#include <string_view>

#include "railwright/validation/calibration/calibrate_storage.hpp"

namespace railwright::validation {

/// Whether a text has words that one of these tools writes.
bool is_storage_result(std::string_view text);

/// Reads the result of the tool whose words it has; without any, as fio's JSON. Of IOR and mdtest
/// the means of the summary, of elbencho the numbers of the last one to end. Throws ConfigError.
StorageReport read_storage_result(std::string_view text, const std::string& file);

}  // namespace railwright::validation
