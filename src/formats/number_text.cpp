#include "formats/number_text.h"

#include <atomic>
#include <cmath>

#include "core/dtype.h"

namespace pegen {
namespace {

/// The powers 10^0 to 10^45; exact up to 10^22.
constexpr auto powers_of_ten = [] {
    std::array<double, 46> powers{1.0};
    for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
    return powers;
}();

/// Returns count * 10^exponent, correctly rounded for powers up to 10^22. For larger powers the
/// last bit may be off, but no decimal this short is so near to the middle of two bfloat16s that it
/// would matter.
double scaled(double count, int exponent) {
    return exponent < 0 ? count / powers_of_ten[-exponent] : count * powers_of_ten[exponent];
}

/// Returns the decimal with the fewest digits between the midpoints to the element's neighbours,
/// and the nearest to the element among equally short ones. The element must not be negative.
template <class Half>
double nearest_short_decimal(Half element) {
    const double value = widen(element);
    if (value == 0 || !std::isfinite(value)) return value;

    const double below = widen(Half{static_cast<std::uint16_t>(bits(element) - 1)});
    double above = widen(Half{static_cast<std::uint16_t>(bits(element) + 1)});
    if (std::isinf(above)) above = value + (value - below);
    const double lowest = (below + value) / 2;
    const double highest = (value + above) / 2;
    const bool ends_belong = bits(element) % 2 == 0;  // a tie is read as the even neighbour

    for (int exponent = static_cast<int>(std::floor(std::log10(value)));; --exponent) {
        const double nearest = std::nearbyint(scaled(value, -exponent));
        // At a power of two the interval is wider above than below: the nearest decimal may lie
        // outside on one side while the next decimal lies inside on the other.
        const double other = nearest + (scaled(nearest, exponent) < value ? 1 : -1);
        for (const double count : {nearest, other}) {
            const double decimal = scaled(count, exponent);
            const bool inside = ends_belong ? lowest <= decimal && decimal <= highest
                                            : lowest < decimal && decimal < highest;
            if (inside && count > 0) return decimal;
        }
    }
}

/// Returns nearest_short_decimal(), for either sign, from a cache: there are few 16-bit floats, and
/// a table repeats them many times. Threads that write the same entry write the same number.
template <class Half>
double remembered_short_decimal(Half element) {
    static std::array<std::atomic<double>, 0x8000> known{};  // by magnitude; 0: not known yet
    std::atomic<double>& entry = known[bits(element) & 0x7fff];
    double decimal = entry.load(std::memory_order_relaxed);
    if (decimal == 0) {
        decimal = nearest_short_decimal(Half{static_cast<std::uint16_t>(bits(element) & 0x7fff)});
        entry.store(decimal, std::memory_order_relaxed);
    }
    return bits(element) & 0x8000 ? -decimal : decimal;
}

}  // namespace

double printable(float16 element) { return remembered_short_decimal(element); }

// A float holds the few digits of any bfloat16's decimal; a double might show the error of scaled()
// at 10^-40.
float printable(bfloat16 element) { return static_cast<float>(remembered_short_decimal(element)); }

}  // namespace pegen
