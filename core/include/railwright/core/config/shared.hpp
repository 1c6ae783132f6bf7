// SPDX-License-Identifier: Apache-2.0
// A value that its copies share, for long tables of the catalogue that many scenarios hold at once.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace railwright::core {

template <class T>
class Shared {
 public:
  Shared() : value_(std::make_shared<T>()) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  [[nodiscard]] std::shared_ptr<const T> pointer() const { return value_; }
  /// Takes a value that is not null and that nobody changes any more, with its entry's `name`.
  void share(std::shared_ptr<const T> value, std::string name) {
    value_ = std::const_pointer_cast<T>(std::move(value));
    name_ = std::move(name);
  }
  /// Name of the catalogue entry this is; empty for another or a changed value.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Returns the value for changing; others that shared it keep theirs. The reference is valid
  /// until this object is copied.
  T& own() {
    name_.clear();
    if (value_.use_count() > 1) value_ = std::make_shared<T>(*value_);
    return *value_;
  }

 private:
  std::shared_ptr<T> value_;
  std::string name_;
};

template <class T>
struct IsShared : std::false_type {};
template <class T>
struct IsShared<Shared<T>> : std::true_type {
  using Value = T;
};

}  // namespace railwright::core
