#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "core/to_size.h"
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
        far_apart.assign(to_size(row_count), 7);
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
    return to_size(layout.channels) * info(dtype).size;
}

/// The content of memory before it is filled: bytes that occur in no table.
Bytes buffer(const ChannelLayout& layout, DType dtype, std::int64_t rows = row_count) {
    return Bytes(to_size(rows) * row_size(layout, dtype), std::byte{0xa5});
}

/// Returns `layout` filled with values of an interleaved table.
Bytes moved(const Bytes& interleaved_rows, const ChannelLayout& layout, DType dtype) {
    const std::size_t size = info(dtype).size;
    Bytes result(to_size(row_count) * row_size(layout, dtype));
    for (std::int64_t row = 0; row < row_count; ++row) {
        for (const ChannelRun& run : layout.runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                const std::int64_t from =
                    2 * (run.first_frequency + i * run.frequency_stride + row * frequency_count) +
                    (run.function == Function::cos);
                const std::int64_t to =
                    run.first_channel + i * run.channel_stride + row * layout.channels;
                std::memcpy(&result[to_size(to) * size], &interleaved_rows[to_size(from) * size],
                            size);
            }
        }
    }
    return result;
}

Bytes whole(const RowSource& rows, const ChannelLayout& layout, DType dtype) {
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
            const RowSource rows = sinusoid_rows(positions, frequencies(), layout, scale, dtype);
            CHECK(whole(rows, layout, dtype) == moved(values, layout, dtype));
        }
    });
}

TEST_CASE("layouts: tables that are computed together have the bits of each alone") {
    for_each_input([](const Positions& positions, double scale, DType dtype) {
        const JointRowSource joint =
            sinusoid_tables(positions, frequencies(), all_layouts(), scale, dtype);
        std::vector<Bytes> tables;
        for (const ChannelLayout& layout : all_layouts()) tables.push_back(buffer(layout, dtype));
        for (const RowRange range : {RowRange{0, 70}, {70, 1}, {71, 0}, {71, row_count - 71}}) {
            std::vector<std::span<std::byte>> parts;
            for (std::size_t t = 0; t < tables.size(); ++t) {
                const std::size_t row = row_size(all_layouts()[t], dtype);
                parts.push_back(std::span(tables[t]).subspan(to_size(range.first) * row,
                                                             to_size(range.count) * row));
            }
            joint(range, parts);
        }
        for (std::size_t t = 0; t < tables.size(); ++t) {
            CAPTURE(t);
            const ChannelLayout& layout = all_layouts()[t];
            CHECK(tables[t] == whole(sinusoid_rows(positions, frequencies(), layout, scale, dtype),
                                     layout, dtype));
        }
    });
}

TEST_CASE("layouts: a table may be left out") {
    const Positions positions(0, 1, row_count);
    const std::vector layouts{both_halves(Function::cos, 38), both_halves(Function::sin, 38)};
    const JointRowSource joint =
        sinusoid_tables(positions, frequencies(), layouts, 1, DType::float32);
    Bytes sin = buffer(layouts[1], DType::float32);
    joint({0, row_count}, std::vector{std::span<std::byte>(), std::span(sin)});
    CHECK(sin == whole(sinusoid_rows(positions, frequencies(), layouts[1], 1, DType::float32),
                       layouts[1], DType::float32));
}

TEST_CASE("layouts: stacked tables follow each other, for any cut of the rows") {
    const Positions positions(0, 1, row_count);
    const std::vector layouts{both_halves(Function::cos, 38), both_halves(Function::sin, 38)};
    const std::size_t row = row_size(layouts[0], DType::float32);
    Bytes expected;
    for (const ChannelLayout& layout : layouts) {
        const Bytes table =
            whole(sinusoid_rows(positions, frequencies(), layout, 1, DType::float32), layout,
                  DType::float32);
        expected.insert(expected.end(), table.begin(), table.end());
    }
    const RowSource rows = stacked(
        sinusoid_tables(positions, frequencies(), layouts, 1, DType::float32), 2, row_count);
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{7}, row_count, 2 * row_count}) {
        CAPTURE(step);
        Bytes found(expected.size());
        for (std::int64_t first = 0; first < 2 * row_count; first += step) {
            const std::int64_t count = std::min(step, 2 * row_count - first);
            rows({first, count},
                 std::span(found).subspan(to_size(first) * row, to_size(count) * row));
        }
        CHECK(found == expected);
    }
}
