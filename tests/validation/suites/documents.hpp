// SPDX-License-Identifier: Apache-2.0
// The suite of the five documents, run once in a program.
#pragma once

#include "../../support/source_tree.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {

inline const validation::ValidationResult& documents() {
  static const validation::ValidationResult kResult =
      validation::validate(documents_suite(), source_catalogue());
  return kResult;
}

}  // namespace railwright::test
