// SPDX-License-Identifier: Apache-2.0
#include "baselines.hpp"

#include <map>
#include <tuple>
#include <utility>

#include "training_facts.hpp"

namespace railwright::validation {

namespace {

struct Sum {
  double total = 0.0;
  int count = 0;

  void add(double value) {
    total += value;
    ++count;
  }
  [[nodiscard]] double mean() const { return total / count; }
};

using Kind = std::tuple<std::string, std::string, core::Precision, std::string>;

Kind kind_of(const ValidationCase& c) {
  const simulation::StepTraits& traits = c.training->traits;
  return {c.group, traits.accelerator, traits.precision, c.training->model};
}

/// Returns the error of a step at this utilization: it takes own / utilization times as long.
double error_at(double own, double utilization) { return own / utilization - 1.0; }

/// Adds the baseline of product rows: the mean of other products in the same group.
void add_means_of_other_products(std::vector<ValidationCase>& cases) {
  using Group = std::pair<std::string, std::string>;
  std::map<Group, Sum> groups;
  std::map<std::pair<Group, std::string>, Sum> products;
  for (const ValidationCase& c : cases) {
    if (c.product.empty() || c.role == ClaimRole::kReject) continue;
    const Group group{c.group, c.quantity};
    groups[group].add(c.published);
    products[{group, c.product}].add(c.published);
  }
  for (ValidationCase& c : cases) {
    if (c.product.empty() || c.role == ClaimRole::kReject) continue;
    const Group group{c.group, c.quantity};
    const Sum& own = products.at({group, c.product});
    const Sum others{groups.at(group).total - own.total, groups.at(group).count - own.count};
    if (others.count > 0) c.constant_baseline = others.mean() / c.published - 1.0;
  }
}

}  // namespace

std::string work_class(const TrainingFacts& facts) {
  const core::Precision precision = facts.traits.precision == core::Precision::kFp16
                                        ? core::Precision::kBf16
                                        : facts.traits.precision;
  return std::string(core::to_string(precision)) + (facts.of_images ? " images" : "");
}

void add_null_models(std::vector<ValidationCase>& cases) {
  add_means_of_other_products(cases);
  std::map<Kind, Sum> kinds;
  std::map<std::string, std::map<std::string, Sum>> classes;  // by class of work, then by family
  for (const ValidationCase& c : cases) {
    if (!is_training_step(c)) continue;
    const double own = utilization(*c.training, c.published);
    kinds[kind_of(c)].add(own);
    classes[work_class(*c.training)][c.group].add(own);
  }
  for (ValidationCase& c : cases) {
    if (!is_training_step(c)) continue;
    const double own = utilization(*c.training, c.published);
    const Sum& kind = kinds.at(kind_of(c));
    if (kind.count > 1) c.same_baseline = error_at(own, (kind.total - own) / (kind.count - 1));
    Sum others;
    for (const auto& [family, sum] : classes.at(work_class(*c.training))) {
      if (family != c.group) others.add(sum.mean());
    }
    if (others.count > 0) c.constant_baseline = error_at(own, others.mean());
  }
}

}  // namespace railwright::validation
