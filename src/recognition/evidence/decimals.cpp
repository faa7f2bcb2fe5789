#include "recognition/evidence/decimals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>

namespace pegen::evidence {
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
