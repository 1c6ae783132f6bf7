// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/software/profile.hpp"

namespace railwright::models {

SoftwareProfile::SoftwareProfile() = default;
SoftwareProfile::SoftwareProfile(const SoftwareProfile&) = default;
SoftwareProfile::SoftwareProfile(SoftwareProfile&&) noexcept = default;
SoftwareProfile& SoftwareProfile::operator=(const SoftwareProfile&) = default;
SoftwareProfile& SoftwareProfile::operator=(SoftwareProfile&&) noexcept = default;
SoftwareProfile::~SoftwareProfile() = default;

}  // namespace railwright::models
