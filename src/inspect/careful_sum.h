#pragma once

namespace pegen {

/// A sum of doubles that keeps track of its rounding errors. Source: Knuth's two-sum.
class CarefulSum {
  public:
    void add(double value) {
        const double total = high_ + value;
        const double of_value = total - high_;
        low_ += (high_ - (total - of_value)) + (value - of_value);
        high_ = total;
    }
    void add(const CarefulSum& other) {
        add(other.high_);
        low_ += other.low_;
    }
    double value() const { return high_ + low_; }
    double over(double count) const { return high_ / count + low_ / count; }

  private:
    double high_ = 0;
    double low_ = 0;
};

}  // namespace pegen
