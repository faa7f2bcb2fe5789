#include "encodings/parameters/arith.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "core/number.h"
#include "numerics/float32_angles.h"
#include "numerics/sinusoid.h"

namespace pegen::encodings {

void check_angles(const Positions& positions, const numerics::Frequencies& frequencies,
                  std::string_view options) {
    const double angle = positions.largest() * frequencies.largest();
    if (angle <= numerics::largest_angle) return;
    throw UsageError(fmt::format("{}: an angle would be {} radians; they end at 2^100", options,
                                 shortest(angle)));
}

void check_holds(DType dtype, double value, std::string_view what) {
    if (std::fabs(value) <= info(dtype).largest) return;
    throw UsageError(fmt::format("--dtype {}: cannot hold {}, {}; its largest value is {}",
                                 info(dtype).name, what, shortest(value),
                                 shortest(info(dtype).largest)));
}

using numerics::GeometricProgression;

namespace {

/// Returns the format of 16 bits in which --arith computes; nothing for other choices.
std::optional<DType> narrow_format(const Parameters& p) {
    const std::string& arith = p.word("arith");
    for (const DType format : {DType::bfloat16, DType::float16}) {
        if (arith == info(format).name) return format;
    }
    return std::nullopt;
}

/// True if --rounded names these numbers.
bool rounds(const Parameters& p, std::string_view numbers) {
    const std::string& rounded = p.word("rounded");
    return rounded == "all" || rounded.find(numbers) != rounded.npos;
}

}  // namespace

bool is_exact(const Parameters& p) { return p.word("arith") == "exact"; }

void check_rounded(const Parameters& p) {
    if (narrow_format(p) || !p.given("rounded")) return;
    throw UsageError(
        fmt::format("--rounded {}: is for --arith bfloat16 and float16; give one of "
                    "them, or leave it out",
                    p.word("rounded")));
}

std::vector<float> rounded_by(const Parameters& p, std::vector<float> frequencies) {
    const std::optional<DType> format = narrow_format(p);
    if (format && rounds(p, "frequencies")) numerics::round_all(frequencies, *format);
    return frequencies;
}

void check_narrow_angles(const Parameters& p, const Positions& positions,
                         const std::function<numerics::Frequencies()>& frequencies) {
    const std::optional<DType> format = narrow_format(p);
    if (!format) return;
    double largest = rounds(p, "positions") ? positions.largest() : 0;
    if (rounds(p, "angles")) {
        largest = std::max(largest, positions.largest() * frequencies().largest());
    }
    if (largest <= info(*format).largest) return;
    throw UsageError(
        fmt::format("--arith {}: an angle or a position would be {}, beyond its "
                    "largest number, {}; use --arith bfloat16 or exact",
                    p.word("arith"), shortest(largest), shortest(info(*format).largest)));
}

numerics::Float32Angles angles_by(const Parameters& p, const Positions& positions,
                                  std::vector<float> frequencies, float factor) {
    const std::optional<DType> format = narrow_format(p);
    if (!format) return numerics::angle_products(positions, std::move(frequencies), factor);
    return numerics::angle_products(positions, rounded_by(p, std::move(frequencies)), factor,
                                    {*format, rounds(p, "positions"), rounds(p, "angles")});
}

float to_float32(std::string_view name, double value) {
    using Limits = std::numeric_limits<float>;
    const double magnitude = std::fabs(value);
    if (value != 0 && !(magnitude >= Limits::min() && magnitude <= Limits::max())) {
        throw UsageError(fmt::format("--{} {}: must be a normal float32 number; use --arith exact",
                                     name, shortest(value)));
    }
    return static_cast<float>(value);
}

void check_float32(double size, std::string_view options) {
    if (size <= std::numeric_limits<float>::max()) return;
    throw UsageError(fmt::format("{}: {} is beyond the float32 numbers; use --arith exact", options,
                                 shortest(size)));
}

std::vector<float> checked_frequencies(std::vector<float> frequencies) {
    if (!std::ranges::all_of(frequencies, [](float w) { return std::isfinite(w); })) {
        throw UsageError(
            "--arith float32: a frequency is not a finite float32 number; use --arith exact");
    }
    return frequencies;
}

std::vector<float> float32_powers(std::string_view name, const GeometricProgression& progression) {
    const float base = to_float32(name, progression.base);
    const auto width =
        static_cast<float>(static_cast<double>(progression.width) - progression.shift);
    std::vector<float> powers{1.0F};
    for (std::int64_t k = 1; k < progression.count; ++k) {
        const auto u = static_cast<float>(progression.step * static_cast<double>(k));
        powers.push_back(numerics::float32_pow(base, u / width));
    }
    return powers;
}

std::vector<float> float32_frequencies(std::string_view name, GeometricProgression progression) {
    const bool is_growing = progression.base < 1;
    if (is_growing) progression.base = 1 / progression.base;
    std::vector<float> frequencies = float32_powers(name, progression);
    if (!is_growing) {
        for (float& frequency : frequencies) frequency = 1 / frequency;
    }
    return checked_frequencies(std::move(frequencies));
}

numerics::Frequencies exactly(std::vector<float> frequencies) {
    return numerics::Frequencies([numbers = std::move(frequencies)] {
        return std::vector<numerics::Real>(numbers.begin(), numbers.end());
    });
}

}  // namespace pegen::encodings
