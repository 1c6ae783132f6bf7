// SPDX-License-Identifier: Apache-2.0
// The files of the what-if page (web/pages), embedded when railwright is built.
#pragma once

#include <span>

#include "railwright/output/html/page_files.hpp"

namespace railwright::web {

std::span<const output::PageFile> page_files();

}  // namespace railwright::web
