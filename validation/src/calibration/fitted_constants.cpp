// SPDX-License-Identifier: Apache-2.0
#include "fitted_constants.hpp"

#include <fmt/format.h>

#include <optional>
#include <type_traits>

#include "railwright/core/config/writer.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/kernel_constants_fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::validation {

namespace {

constexpr double kMinConstant = 1e-12;  ///< a constant up to this does not apply to the kernel
/// The share of the peak by which other devices scale times; fitted, it would stand in for the
/// rate.
constexpr std::string_view kLevel = "efficiency";

template <class T>
constexpr bool kIsMeasured =
    std::is_same_v<T, core::Duration> || std::is_same_v<T, core::Bandwidth>;

template <class Constants>
void add_numbers(Constants& constants, std::vector<FreeConstant>& numbers) {
  core::for_each_field<Constants>([&]<class F>(const F& f) {
    auto& member = constants.*(f.member);
    using T = typename F::value_type;
    if constexpr (std::is_same_v<T, double> || kIsMeasured<T>) {
      // A quantity is a single double, in its base unit.
      static_assert(sizeof(T) == sizeof(double));
      auto* number = reinterpret_cast<double*>(&member);
      if (*number > kMinConstant && f.name != kLevel) numbers.push_back({number, f.range});
    } else if constexpr (core::HasFields<T>) {
      add_numbers(member, numbers);
    }
  });
}

template <class Constants>
void add(const std::string& path, Constants& constants, std::vector<FittedConstants>& found) {
  FittedConstants entry{.path = path, .numbers = {}, .yaml = [&constants] {
                          return core::to_yaml(core::to_node(constants));
                        }};
  add_numbers(constants, entry.numbers);
  found.push_back(std::move(entry));
}

/// Returns what a member holds; null for an empty one.
template <class T>
T* held(T& member) {
  return &member;
}
template <class T>
T* held(std::optional<T>& member) {
  return member ? &*member : nullptr;
}

/// Returns the first constants of a section that are of a type and there; null if none are.
template <class T, class Section>
const T* first_of(Section& section) {
  const T* first = nullptr;
  core::for_each_field<Section>([&](const auto& f) {
    auto* constants = held(section.*(f.member));
    if constexpr (std::is_same_v<decltype(constants), T*>) {
      if (first == nullptr) first = constants;
    }
  });
  return first;
}

template <class Section>
void add_of_section(Section& section, const std::string& path, std::string_view name, bool is_only,
                    std::vector<FittedConstants>& found) {
  core::for_each_field<Section>([&](const auto& f) {
    auto& member = section.*(f.member);
    using T = std::remove_pointer_t<decltype(held(member))>;
    if constexpr (core::HasFields<T>) {
      if (f.name != name) return;
      if constexpr (!std::is_same_v<T, std::remove_reference_t<decltype(member)>>) {
        const T* start = first_of<T>(section);
        if (!member && is_only && start != nullptr) member = *start;
      }
      if (T* constants = held(member)) add(path, *constants, found);
    }
  });
}

}  // namespace

std::vector<std::string> constants_of(std::string_view kind, std::string_view format) {
  const auto at = [&](std::string_view pattern) {
    return fmt::format(fmt::runtime(pattern), format);
  };
  if (kind == "gemm" || kind == "attention" || kind == "experts" || kind == "casts") {
    return {fmt::format("{}.{}", kind, format)};
  }
  if (kind == "training_attention") {
    return {format.starts_with("native") ? "attention.training" : "attention.flash_2"};
  }
  if (kind == "latent_attention") return {at("attention.latent_{}")};
  if (kind == "latent_decode") return {at("decode.latent_{}_cache")};
  if (kind == "decode") {
    return {at("decode.{}_cache"), at("decode.{}_cache_single_head"),
            at("decode.{}_cache_many_heads")};
  }
  if (kind.ends_with("_exchange")) return {"expert_exchange"};
  if (kind == "direct_all_reduce") return {std::string(kind)};
  return {};
}

std::vector<FittedConstants> find_constants(core::KernelConstants& kernels,
                                            const std::vector<std::string>& paths) {
  std::vector<FittedConstants> found;
  for (const std::string& path : paths) {
    const std::size_t dot = path.find('.');
    const std::string_view top = std::string_view(path).substr(0, dot);
    core::for_each_field<core::KernelConstants>([&](const auto& f) {
      if (f.name != top) return;
      auto* section = held(kernels.*(f.member));
      using Section = std::remove_pointer_t<decltype(section)>;
      if constexpr (core::HasFields<Section>) {
        if (section == nullptr) return;
        if (dot == std::string::npos) return add(path, *section, found);
        add_of_section(*section, path, std::string_view(path).substr(dot + 1), paths.size() == 1,
                       found);
      }
    });
  }
  return found;
}

}  // namespace railwright::validation
