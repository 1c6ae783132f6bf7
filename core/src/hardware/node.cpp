// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/hardware/node.hpp"

namespace railwright::core {

ComputeNode::ComputeNode() = default;
ComputeNode::ComputeNode(const ComputeNode&) = default;
ComputeNode::ComputeNode(ComputeNode&&) noexcept = default;
ComputeNode& ComputeNode::operator=(const ComputeNode&) = default;
ComputeNode& ComputeNode::operator=(ComputeNode&&) noexcept = default;
ComputeNode::~ComputeNode() = default;

}  // namespace railwright::core
