// SPDX-License-Identifier: Apache-2.0
// Physical quantities whose dimension is part of their type.
#pragma once

#include <compare>
#include <limits>
#include <type_traits>

namespace railwright::core {

/// Exponents of the base units second, byte, floating-point operation, joule and US dollar.
template <int Time, int Data, int Work, int Energy, int Money>
struct Dim {
  static constexpr int kTime = Time;
  static constexpr int kData = Data;
  static constexpr int kWork = Work;
  static constexpr int kEnergy = Energy;
  static constexpr int kMoney = Money;
};

template <class A, class B>
using DimProduct = Dim<A::kTime + B::kTime, A::kData + B::kData, A::kWork + B::kWork,
                       A::kEnergy + B::kEnergy, A::kMoney + B::kMoney>;
template <class A, class B>
using DimRatio = Dim<A::kTime - B::kTime, A::kData - B::kData, A::kWork - B::kWork,
                     A::kEnergy - B::kEnergy, A::kMoney - B::kMoney>;
using Dimensionless = Dim<0, 0, 0, 0, 0>;

/// One double in base units (s, B, FLOP, J, USD). A ratio of two equal dimensions is a plain
/// double.
template <class D>
class Quantity {
 public:
  using dimension = D;

  constexpr Quantity() = default;
  static constexpr Quantity from_base(double value) { return Quantity(value); }
  static constexpr Quantity infinity() { return Quantity(std::numeric_limits<double>::infinity()); }

  /// The value in base units.
  [[nodiscard]] constexpr double base() const { return value_; }

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity other) {
    value_ += other.value_;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    value_ -= other.value_;
    return *this;
  }
  constexpr Quantity& operator*=(double factor) {
    value_ *= factor;
    return *this;
  }
  constexpr Quantity& operator/=(double divisor) {
    value_ /= divisor;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.value_); }
  friend constexpr Quantity operator*(Quantity a, double factor) { return a *= factor; }
  friend constexpr Quantity operator*(double factor, Quantity a) { return a *= factor; }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return a /= divisor; }

 private:
  explicit constexpr Quantity(double value) : value_(value) {}
  double value_ = 0.0;
};

template <class A, class B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  using Product = DimProduct<A, B>;
  if constexpr (std::is_same_v<Product, Dimensionless>) {
    return a.base() * b.base();
  } else {
    return Quantity<Product>::from_base(a.base() * b.base());
  }
}

template <class A, class B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  using Ratio = DimRatio<A, B>;
  if constexpr (std::is_same_v<Ratio, Dimensionless>) {
    return a.base() / b.base();
  } else {
    return Quantity<Ratio>::from_base(a.base() / b.base());
  }
}

using Duration = Quantity<Dim<1, 0, 0, 0, 0>>;
using DataSize = Quantity<Dim<0, 1, 0, 0, 0>>;
using Bandwidth = Quantity<Dim<-1, 1, 0, 0, 0>>;
using Work = Quantity<Dim<0, 0, 1, 0, 0>>;
using ComputeRate = Quantity<Dim<-1, 0, 1, 0, 0>>;
using Energy = Quantity<Dim<0, 0, 0, 1, 0>>;
using Power = Quantity<Dim<-1, 0, 0, 1, 0>>;
using Money = Quantity<Dim<0, 0, 0, 0, 1>>;

template <class T>
struct IsQuantity : std::false_type {};
template <class D>
struct IsQuantity<Quantity<D>> : std::true_type {};

}  // namespace railwright::core
