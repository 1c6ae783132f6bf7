// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/hardware/devices.hpp"

namespace railwright::core {

Accelerator::Accelerator() = default;
Accelerator::Accelerator(const Accelerator&) = default;
Accelerator::Accelerator(Accelerator&&) noexcept = default;
Accelerator& Accelerator::operator=(const Accelerator&) = default;
Accelerator& Accelerator::operator=(Accelerator&&) noexcept = default;
Accelerator::~Accelerator() = default;

}  // namespace railwright::core
