#include "recognition/evidence/precision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cmath>
#include <cstdint>

#include "core/dtype.h"

namespace pegen::evidence {
namespace {

/// The formats, narrowest first. bfloat16 has the range of float32, float16 has not.
constexpr std::array formats{
    Precision{DType::bfloat16, 8, -133},
    Precision{DType::float16, 11, -24},
    Precision{DType::float32, 24, -149},
    Precision{DType::float64, 53, -1074},
};

template <class T>
bool holds(double value) {
    return widen(round_to<T>(value)) == value;
}

bool holds(const Precision& format, double value) {
    switch (format.dtype) {
        case DType::bfloat16:
            return holds<bfloat16>(value);
        case DType::float16:
            return holds<float16>(value);
        case DType::float32:
            return holds<float>(value);
        default:
            return true;
    }
}

}  // namespace

Precision precision_of(DType dtype) {
    const auto* const found = std::ranges::find(formats, dtype, &Precision::dtype);
    return found == formats.end() ? formats.back() : *found;
}

Precision narrowest(std::span<const double> values, DType dtype) {
    const Precision own = precision_of(dtype);
    // A value shows something about the format unless it is a small whole number or a simple
    // fraction of one, which all formats hold.
    const auto is_telling = [](double value) {
        return std::isfinite(value) && std::rint(value * 64) != value * 64;
    };
    constexpr std::ptrdiff_t enough = 12;
    if (std::ranges::count_if(values, is_telling) < enough) return own;
    for (const Precision& format : formats) {
        if (format.digits >= own.digits) break;
        const auto is_held = [&](double value) {
            return !std::isfinite(value) || holds(format, value);
        };
        if (std::ranges::all_of(values, is_held)) return format;
    }
    return own;
}

double unit_of(double value, const Precision& precision) {
    // The bits are read directly, because ilogb and ldexp are too slow to call for each value.
    constexpr int digits = 52, bias = 1023, of_no_number = 0x7ff;
    const auto exponent_bits =
        static_cast<int>(std::bit_cast<std::uint64_t>(value) >> digits & of_no_number);
    const bool is_usual = exponent_bits != 0 && exponent_bits != of_no_number;
    // No unit is subnormal: arithmetic with such numbers takes a hundred times as long.
    const int least = std::max(precision.least_exponent, 1 - bias);
    const int exponent =
        std::max(is_usual ? exponent_bits - bias - (precision.digits - 1) : least, least);
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + bias) << digits);
}

double largest_magnitude(std::span<const double> values) {
    double largest = 0;
    for (const double value : values) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    return largest;
}

namespace {

/// Returns the exponent of ten of the last decimal digit of a value.
int last_place(double value, const Decimals& decimals) {
    if (!decimals.are_significant) return -decimals.digits;
    return static_cast<int>(std::floor(std::log10(std::abs(value)))) - decimals.digits + 1;
}

/// True if the values have no further digits and if their last digits are of many kinds, which the
/// last digits of simple fractions are not. All values together must tell this from chance: a
/// number of float32 near 1 is as near to one of 6 decimals in one of four cases.
bool are_rounded(std::span<const double> values, const Decimals& decimals,
                 const Precision& precision) {
    constexpr std::size_t many = 8, some_values = 4096;
    constexpr double enough_bits = 40;
    std::bitset<10> last_digits;
    std::size_t seen = 0;
    double bits = 0;
    for (const double value : values) {
        if (value == 0 || !std::isfinite(value)) continue;
        if (++seen == some_values && last_digits.count() < many) return false;
        const double scale = std::pow(10.0, -last_place(value, decimals));
        const double count = std::rint(value * scale);
        const double unit = unit_of(value, precision) * scale;
        if (!(std::abs(value * scale - count) <= unit)) return false;
        bits -= std::log2(std::min(1.0, 2 * unit));
        last_digits.set(static_cast<std::size_t>(std::fmod(std::abs(count), 10)));
    }
    return last_digits.count() >= many && bits >= enough_bits;
}

}  // namespace

std::optional<Decimals> decimals_of(std::span<const double> values, DType dtype) {
    constexpr std::array roundings{Decimals{3, false}, Decimals{4, false}, Decimals{4, true},
                                   Decimals{5, false}, Decimals{5, true},  Decimals{6, false},
                                   Decimals{6, true}};
    const Precision own = precision_of(dtype);
    const auto* const found = std::ranges::find_if(
        roundings, [&](const Decimals& decimals) { return are_rounded(values, decimals, own); });
    if (found == roundings.end()) return {};
    return *found;
}

Precision precision_of(const Decimals& decimals, double largest, DType dtype) {
    const double bits_of_digit = std::log2(10.0);
    if (decimals.are_significant) {
        const int digits = static_cast<int>(std::floor((decimals.digits - 1) * bits_of_digit)) + 1;
        return {dtype, digits, precision_of(dtype).least_exponent};
    }
    const int least = -static_cast<int>(std::floor(decimals.digits * bits_of_digit));
    const int digits = std::max(1, std::ilogb(largest) - least + 1);
    return {dtype, digits, least};
}

std::string to_string(const Decimals& decimals) {
    return fmt::format("{} {}", decimals.digits,
                       decimals.are_significant ? "significant digits" : "decimals");
}

}  // namespace pegen::evidence
