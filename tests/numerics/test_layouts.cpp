#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "numerics/sinusoid.h"

using namespace pegen;
using namespace pegen::numerics;

// Other tests compare interleaved tables with MPFR, so other layouts are compared with interleaved
// tables here: a layout moves values and never changes their bits.

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::int64_t frequency_count = 19;  // no multiple of a vector register
constexpr std::int64_t row_count = 200;

/// Returns positions of four kinds: rows that share a base, rows that do not, position 0, and
/// positions that only MPFR can compute.
const std::vector<Positions>& all_positions() {
    static const std::vector<Positions> result = [] {
        std::vector<double> list, far_apart;
        for (int i = 0; i < row_count; ++i) list.push_back(0.1 * i * i);
        far_apart.assign(row_count, 7);
        far_apart.front() = 1e-300;
        return std::vector{Positions(-100, 1, row_count), Positions(list), Positions(far_apart)};
    }();
    return result;
}

const std::vector<ChannelLayout>& all_layouts() {
    constexpr std::int64_t n = frequency_count;
    static const std::vector<ChannelLayout> result{
        interleaved(2 * n),
        interleaved(2 * n, Function::cos),
        interleaved(2 * n - 1, Function::cos),
        halves(2 * n),
        halves(2 * n, Function::cos),
        halves(2 * n - 1),
        alternating(n),
        only(Function::sin, n),
        only(Function::cos, n),
        both_halves(Function::sin, 2 * n),
        both_halves(Function::cos, 2 * n - 1),
        both_of_pairs(Function::sin, 2 * n),
        both_of_pairs(Function::cos, 2 * n),
        padded(interleaved(2 * n, Function::cos), 2 * n + 3),
        strided(4 * n, 1, {.frequency = 4, .function = 1}, n, Function::cos),
        strided(2 * n, 0, {.frequency = 1, .function = n}, n - 2, Function::sin),
    };
    return result;
}

Frequencies frequencies() {
    return Frequencies({.base = 10000,
                        .step = 1,
                        .width = frequency_count,
                        .shift = 0,
                        .scale = 1,
                        .count = frequency_count});
}

std::size_t row_size(const ChannelLayout& layout, DType dtype) {
    return layout.channels * info(dtype).size;
}

/// The content of memory before it is filled: bytes that occur in no table.
Bytes buffer(const ChannelLayout& layout, DType dtype, std::int64_t rows = row_count) {
    return Bytes(rows * row_size(layout, dtype), std::byte{0xa5});
}

/// Returns `layout` filled with values of an interleaved table.
Bytes moved(const Bytes& interleaved_rows, const ChannelLayout& layout, DType dtype) {
    const std::size_t size = info(dtype).size;
    Bytes result(row_count * row_size(layout, dtype));
    for (std::int64_t row = 0; row < row_count; ++row) {
        for (const ChannelRun& run : layout.runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                const std::int64_t from =
                    2 * (run.first_frequency + i * run.frequency_stride + row * frequency_count) +
                    (run.function == Function::cos);
                const std::int64_t to =
                    run.first_channel + i * run.channel_stride + row * layout.channels;
                std::memcpy(&result[to * size], &interleaved_rows[from * size], size);
            }
        }
    }
    return result;
}

Bytes whole(const Rows& rows, const ChannelLayout& layout, DType dtype) {
    Bytes result = buffer(layout, dtype);
    rows({0, row_count}, result);
    return result;
}

template <class Check>
void for_each_input(const Check& check) {
    constexpr double scale = -0.3;
    for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
        for (const Positions& positions : all_positions()) {
            CAPTURE(info(dtype).name);
            CAPTURE(positions[1]);
            check(positions, scale, dtype);
        }
    }
}

}  // namespace

TEST_CASE("layouts: each has the bits of the interleaved table") {
    for_each_input([](const Positions& positions, double scale, DType dtype) {
        const ChannelLayout yardstick = interleaved(2 * frequency_count);
        const Bytes values = whole(sinusoid_rows(positions, frequencies(), yardstick, scale, dtype),
                                   yardstick, dtype);
        for (const ChannelLayout& layout : all_layouts()) {
            CAPTURE(&layout - all_layouts().data());
            const Rows rows = sinusoid_rows(positions, frequencies(), layout, scale, dtype);
            CHECK(whole(rows, layout, dtype) == moved(values, layout, dtype));
        }
    });
}

TEST_CASE("layouts: rows are the same for any cut") {
    for_each_input([](const Positions& positions, double scale, DType dtype) {
        for (const ChannelLayout& layout : all_layouts()) {
            CAPTURE(&layout - all_layouts().data());
            const Rows rows = sinusoid_rows(positions, frequencies(), layout, scale, dtype);
            const std::size_t row = row_size(layout, dtype);
            Bytes parts = buffer(layout, dtype);
            for (const RowRange range : {RowRange{0, 70}, {70, 1}, {71, 0}, {71, row_count - 71}}) {
                rows(range, std::span(parts).subspan(range.first * row, range.count * row));
            }
            CHECK(parts == whole(rows, layout, dtype));
        }
    });
}
