// SPDX-License-Identifier: Apache-2.0
// A value that its copies share: long tables of the catalogue, which many scenarios hold at once.
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
  /// `value` must not be null, and nobody may change it any more; `name` is its entry's.
  void share(std::shared_ptr<const T> value, std::string name) {
    value_ = std::const_pointer_cast<T>(std::move(value));
    name_ = std::move(name);
  }
  /// Of the catalogue's entry that this is; empty where it is none, or a changed one.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// To change it: others that share the value keep theirs. The reference is good until this is
  /// copied.
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
