#include "pegen/numerics/sinusoid.h"

#include <cmath>

#include "numerics/reals.h"

namespace pegen::numerics {
namespace {

struct SinCos {
    double sin;
    double cos;
};

/// A frequency as the unevaluated sum of two doubles.
struct SplitFrequency {
    double high;
    double low;
};

SplitFrequency split(const Real& frequency) {
    const double high = mpfr_get_d(frequency.get(), MPFR_RNDN);
    Real rest = frequency;
    mpfr_sub_d(rest.get(), rest.get(), high, MPFR_RNDN);
    return {high, mpfr_get_d(rest.get(), MPFR_RNDN)};
}

/// Beyond these the two doubles of a split frequency are too few, and MPFR takes over.
constexpr double largest_split_angle = 0x1p50;
constexpr double smallest_split_frequency = 0x1p-900;

bool is_split_enough(double position, const SplitFrequency& frequency) {
    return std::fabs(position * frequency.high) <= largest_split_angle &&
           std::fabs(frequency.high) >= smallest_split_frequency;
}

/// Of angle = position * (high + low) = near + rest, with near the nearest double.
SinCos by_split(double position, const SplitFrequency& frequency) {
    const double near = position * frequency.high;
    const double rest = std::fma(position, frequency.high, -near) + position * frequency.low;
    const double sin_near = std::sin(near), cos_near = std::cos(near);
    // The rest is not small against 1 when the angle is large: the full theorem of addition.
    const double sin_rest = std::sin(rest), cos_rest = std::cos(rest);
    return {sin_near * cos_rest + cos_near * sin_rest, cos_near * cos_rest - sin_near * sin_rest};
}

SinCos by_mpfr(double position, const Real& frequency) {
    Real angle;
    mpfr_mul_d(angle.get(), frequency.get(), position, MPFR_RNDN);
    Real sin, cos;
    mpfr_sin_cos(sin.get(), cos.get(), angle.get(), MPFR_RNDN);
    return {mpfr_get_d(sin.get(), MPFR_RNDN), mpfr_get_d(cos.get(), MPFR_RNDN)};
}

class Kernel {
  public:
    Kernel(Positions positions, Frequencies frequencies, ChannelLayout layout, double out_scale)
        : positions_(std::move(positions)),
          frequencies_(std::move(frequencies)),
          layout_(std::move(layout)),
          out_scale_(out_scale) {
        for (const Real& frequency : frequencies_.reals().values) {
            split_.push_back(split(frequency));
        }
    }

    void operator()(RowRange range, std::span<double> out) const {
        std::vector<SinCos> pairs(split_.size());
        const auto channels = static_cast<std::size_t>(layout_.channels);
        for (std::int64_t row = 0; row < range.count; ++row) {
            evaluate(positions_[range.first + row], pairs);
            place(pairs, out.subspan(static_cast<std::size_t>(row) * channels, channels));
        }
    }

  private:
    void evaluate(double position, std::span<SinCos> pairs) const {
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            pairs[k] = is_split_enough(position, split_[k])
                           ? by_split(position, split_[k])
                           : by_mpfr(position, frequencies_.reals().values[k]);
        }
    }

    void place(std::span<const SinCos> pairs, std::span<double> row) const {
        std::fill(row.begin(), row.end(), 0.0);
        for (const ChannelRun& run : layout_.runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                const SinCos& pair =
                    pairs[static_cast<std::size_t>(run.first_frequency + i * run.frequency_stride)];
                row[static_cast<std::size_t>(run.first_channel + i * run.channel_stride)] =
                    out_scale_ * (run.function == Function::sin ? pair.sin : pair.cos);
            }
        }
    }

    Positions positions_;
    Frequencies frequencies_;
    std::vector<SplitFrequency> split_;
    ChannelLayout layout_;
    double out_scale_;
};

}  // namespace

RowSource sinusoid_rows(Positions positions, Frequencies frequencies, ChannelLayout layout,
                        double out_scale, DType dtype) {
    const std::int64_t channels = layout.channels;
    return rounded(
        Kernel(std::move(positions), std::move(frequencies), std::move(layout), out_scale),
        channels, dtype);
}

}  // namespace pegen::numerics
