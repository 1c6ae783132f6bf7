// SPDX-License-Identifier: Apache-2.0
// Colours that colour-blind readers can distinguish (after Okabe and Ito), by role and tier.
#pragma once

#include <string_view>

#include "drawing.hpp"
#include "railwright/core/fabric/fabric.hpp"

namespace railwright::output {

struct Colors {
  std::string_view fill;
  std::string_view line;
};

constexpr Colors colors_of(Paint paint) {
  switch (paint) {
    case Paint::kCore:
      return {"#d5cfee", "#332288"};
    case Paint::kSpine:
      return {"#b5d3ea", "#0072b2"};
    case Paint::kLeaf:
      return {"#d9eefa", "#2f93cc"};
    case Paint::kNic:
      return {"#bfe6d9", "#009e73"};
    case Paint::kPcie:
      return {"#e6e6e6", "#777777"};
    case Paint::kHost:
      return {"#fbe0ae", "#c07c00"};
    case Paint::kAccelerator:
      return {"#fdf7b5", "#9a8a00"};
    case Paint::kScaleUp:
      return {"#efd3e3", "#aa4488"};
    case Paint::kFrontEnd:
      return {"#f3ddc9", "#a0622d"};
    case Paint::kFailed:
      return {"#ffffff", "#d00000"};
    case Paint::kShort:
      return {"#fbd0d0", "#c00000"};
    case Paint::kNode:
      break;
  }
  return {"#f7f7f7", "#555555"};
}

constexpr Paint paint_of(core::Role role, int level) {
  switch (role) {
    case core::Role::kAccelerator:
      return Paint::kAccelerator;
    case core::Role::kScaleUpSwitch:
      return Paint::kScaleUp;
    case core::Role::kPcieSwitch:
      return Paint::kPcie;
    case core::Role::kHost:
    case core::Role::kHostBridge:
      return Paint::kHost;
    case core::Role::kNic:
      return Paint::kNic;
    case core::Role::kSwitch:
      return level <= 0 ? Paint::kLeaf : level == 1 ? Paint::kSpine : Paint::kCore;
    case core::Role::kFrontEndNic:
    case core::Role::kFrontEndSwitch:
    case core::Role::kStorageNode:
      return Paint::kFrontEnd;
  }
  return Paint::kNode;
}

constexpr Paint paint_of(core::Tier tier, int level) {
  switch (tier) {
    case core::Tier::kScaleUp:
      return Paint::kScaleUp;
    case core::Tier::kPcie:
      return Paint::kPcie;
    case core::Tier::kHost:
      return Paint::kHost;
    case core::Tier::kInjection:
      return Paint::kNic;
    case core::Tier::kFabric:
      return level <= 1 ? Paint::kSpine : Paint::kCore;
    case core::Tier::kFrontEnd:
    case core::Tier::kStorage:
      return Paint::kFrontEnd;
  }
  return Paint::kNode;
}

}  // namespace railwright::output
