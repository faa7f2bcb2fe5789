#include "numerics/self_test.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <vector>

#include "core/error.h"

namespace pegen::numerics {

std::span<const KnownValue> hard_values() {
    static constexpr std::array values{
        KnownValue{2127657, Function::cos, 0x3f30b318},
        KnownValue{5428171, Function::sin, 0x3f7ff108},
        KnownValue{46204913, Function::sin, 0x3f73ec58},
        KnownValue{59297659, Function::cos, 0xbf767120},
        KnownValue{61553337, Function::sin, 0xbf519575},
        KnownValue{76292798, Function::cos, 0x3f635f14},
        KnownValue{128848729, Function::sin, 0x3f3c36ac},
        KnownValue{129143378, Function::sin, 0xbe18045e},
        KnownValue{138780721, Function::cos, 0x3c9ac6f4},
        KnownValue{143299045, Function::cos, 0xbf1930a0},
        KnownValue{151511057, Function::cos, 0xbf106351},
        KnownValue{167905059, Function::sin, 0x3f2329e2},
        KnownValue{232845366, Function::cos, 0x3f7cd55f},
        KnownValue{251783930, Function::cos, 0x3f732b2b},
    };
    return values;
}

void self_test(std::span<const KnownValue> values) {
    std::vector<double> positions;
    for (const KnownValue& value : values) positions.push_back(value.position);
    // There are enough frequencies, all 1, to test the vectorised part of the loops.
    constexpr std::int64_t count = 16;
    constexpr std::int64_t width = 2 * count;
    const Frequencies ones(std::vector<Ratio>(count, {1, 1}));
    const Rows rows =
        sinusoid_rows(Positions(positions), ones, interleaved(width), 1, DType::float32);
    std::vector<float> table(values.size() * width);
    rows({0, std::ssize(values)}, std::as_writable_bytes(std::span(table)));
    for (std::size_t i = 0; i < table.size(); ++i) {
        const KnownValue& known = values[i / width];
        const Function function = i % 2 ? Function::cos : Function::sin;
        const bool is_right = std::bit_cast<std::uint32_t>(table[i]) == known.bits;
        if (function != known.function || is_right) continue;
        throw InternalError(fmt::format(
            "this machine computes {}({}) as {:a}, which is {:a}; no table would be right",
            function == Function::sin ? "sin" : "cos", known.position, table[i],
            std::bit_cast<float>(known.bits)));
    }
}

}  // namespace pegen::numerics
