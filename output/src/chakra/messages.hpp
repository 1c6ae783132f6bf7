// SPDX-License-Identifier: Apache-2.0
// Length-prefixed messages of Chakra's schema. [@chakra_schema]
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace railwright::output::chakra {

struct Attribute {
  /// Number of the field in the schema's AttributeProto that holds the value.
  enum class Type : std::uint8_t { kInt32 = 7, kInt64 = 9, kUint64 = 13, kBool = 27, kString = 29 };

  const char* name;
  Type type;
  std::int64_t number = 0;
  std::string text = {};
};

struct NodeMessage {
  std::uint64_t id = 0;
  std::string name;
  int type = 0;
  const std::vector<std::uint32_t>* data_deps = nullptr;
  std::uint64_t start_micros = 0;
  std::uint64_t duration_micros = 0;
  std::vector<Attribute> attributes;
};

/// Appends GlobalMetadata, the first message of a file.
void append_metadata(std::string& file, const std::vector<Attribute>& attributes);
void append_node(std::string& file, const NodeMessage& node);

}  // namespace railwright::output::chakra
