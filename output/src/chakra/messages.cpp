// SPDX-License-Identifier: Apache-2.0
#include "messages.hpp"

#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

namespace railwright::output::chakra {

namespace {

/// Version of the schema in mlc-chakra 1.0.0.
constexpr const char* kVersion = "1.0.0";

/// Field numbers. [@chakra_schema]
namespace field {
enum Metadata : std::uint8_t { kVersionText = 1, kMetadataAttribute = 2 };
enum Node : std::uint8_t {
  kId = 1,
  kName = 2,
  kType = 3,
  kDataDeps = 5,
  kStartMicros = 6,
  kDurationMicros = 7,
  kAttribute = 10,
};
enum Attribute : std::uint8_t { kAttributeName = 1 };
}  // namespace field

void add_attribute(protozero::pbf_writer& message, protozero::pbf_tag_type tag,
                   const Attribute& attribute) {
  protozero::pbf_writer writer(message, tag);
  writer.add_string(field::kAttributeName, attribute.name);
  const auto value = static_cast<protozero::pbf_tag_type>(attribute.type);
  switch (attribute.type) {
    case Attribute::Type::kInt32:
      writer.add_int32(value, static_cast<std::int32_t>(attribute.number));
      break;
    case Attribute::Type::kInt64:
      writer.add_int64(value, attribute.number);
      break;
    case Attribute::Type::kUint64:
      writer.add_uint64(value, static_cast<std::uint64_t>(attribute.number));
      break;
    case Attribute::Type::kBool:
      writer.add_bool(value, attribute.number != 0);
      break;
    case Attribute::Type::kString:
      writer.add_string(value, attribute.text);
      break;
  }
}

void append_message(std::string& file, const std::string& message) {
  protozero::add_varint_to_buffer(&file, message.size());
  file += message;
}

}  // namespace

void append_metadata(std::string& file, const std::vector<Attribute>& attributes) {
  std::string message;
  protozero::pbf_writer writer(message);
  writer.add_string(field::kVersionText, kVersion);
  for (const Attribute& one : attributes) add_attribute(writer, field::kMetadataAttribute, one);
  append_message(file, message);
}

void append_node(std::string& file, const NodeMessage& node) {
  std::string message;
  protozero::pbf_writer writer(message);
  writer.add_uint64(field::kId, node.id);
  writer.add_string(field::kName, node.name);
  writer.add_enum(field::kType, node.type);
  if (!node.data_deps->empty()) {
    writer.add_packed_uint64(field::kDataDeps, node.data_deps->begin(), node.data_deps->end());
  }
  writer.add_uint64(field::kStartMicros, node.start_micros);
  writer.add_uint64(field::kDurationMicros, node.duration_micros);
  for (const Attribute& one : node.attributes) add_attribute(writer, field::kAttribute, one);
  append_message(file, message);
}

}  // namespace railwright::output::chakra
