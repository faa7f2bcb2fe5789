// Tables in memory whose channel layouts differ from the interleaved one of the sinusoid.

#include <benchmark/benchmark.h>

#include <span>
#include <string>
#include <vector>

#include "core/to_size.h"
#include "numerics/sinusoid.h"
#include "tables.h"

namespace pegen::bench {
namespace {

using namespace numerics;

/// 256 MiB of float32, or as many bytes of another dtype.
constexpr std::int64_t bytes_of_table = std::int64_t{1} << 28;

std::int64_t rows_of(std::int64_t channels, DType dtype) {
    return bytes_of_table / (channels * static_cast<std::int64_t>(info(dtype).size));
}

Frequencies frequencies(std::int64_t d) {
    return Frequencies(
        {.base = 10000, .step = 2, .width = d, .shift = 0, .scale = 1, .count = d / 2});
}

Table table(const ChannelLayout& layout, DType dtype) {
    const std::int64_t d = layout.channels, len = rows_of(d, dtype);
    Table result;
    result.shape = {len, d};
    result.dtype = dtype;
    result.rows = sinusoid_rows(Positions(0, 1, len), frequencies(d), layout, 1, dtype);
    return result;
}

void beside(benchmark::State& state, const Table& ours, const std::string& name,
            const Table& yardstick) {
    std::vector<std::byte> buffer = buffer_for(ours);
    measure(
        state, name, [&] { return seconds([&] { fill(ours, buffer); }); },
        [&] { return seconds([&] { fill(yardstick, buffer); }); });
    set_amount(state, ours);
}

void interleaved_cos(benchmark::State& state, DType dtype) {
    const std::int64_t d = state.range(0);
    beside(state, table(interleaved(d, Function::cos), dtype), "sin first",
           table(interleaved(d), dtype));
}

void halves_cos(benchmark::State& state, DType dtype) {
    const std::int64_t d = state.range(0);
    beside(state, table(halves(d, Function::cos), dtype), "sin first", table(halves(d), dtype));
}

/// A function that returns the layout of the cos or the sin table of RoPE.
using RopeLayout = ChannelLayout (*)(Function function, std::int64_t channels);

/// Returns the rows of the cos and sin tables, which together have `bytes_of_table` bytes.
JointRowSource rope_tables(RopeLayout layout, std::int64_t d, DType dtype) {
    return sinusoid_tables(Positions(0, 1, rows_of(2 * d, dtype)), frequencies(d),
                           {layout(Function::cos, d), layout(Function::sin, d)}, 1, dtype);
}

void together(benchmark::State& state, RopeLayout layout, DType dtype) {
    const std::int64_t d = state.range(0);
    const Table yardstick = table(interleaved(d), dtype);
    // Each row of `promise` is a row of the cos table beside a row of the sin table.
    Table promise = yardstick;
    promise.shape = {rows_of(2 * d, dtype), 2 * d};
    const JointRowSource rope = rope_tables(layout, d, dtype);
    std::vector<std::byte> buffer = buffer_for(yardstick);
    const std::size_t half = buffer.size() / 2;
    const std::span cos = std::span(buffer).first(half), sin = std::span(buffer).last(half);
    const auto fill_both = [&] {
        for_each_tile(promise, [&](RowRange range) {
            const std::size_t row = to_size(row_bytes(yardstick));
            const std::size_t first = to_size(range.first) * row, size = to_size(range.count) * row;
            rope(range, std::vector{cos.subspan(first, size), sin.subspan(first, size)});
        });
    };
    measure(
        state, "one table, as many bytes", [&] { return seconds(fill_both); },
        [&] { return seconds([&] { fill(yardstick, buffer); }); });
    set_amount(state, promise);
}

void one_after_the_other(benchmark::State& state, RopeLayout layout, DType dtype) {
    const std::int64_t d = state.range(0);
    const Table yardstick = table(interleaved(d), dtype);
    const std::int64_t len = rows_of(2 * d, dtype);
    Table ours = yardstick;
    ours.shape = {2, len, d};
    ours.rows = stacked(rope_tables(layout, d, dtype), 2, len);
    beside(state, ours, "one table, as many bytes", yardstick);
}

void settings(benchmark::internal::Benchmark* benchmark) {
    benchmark->Iterations(10)->UseManualTime()->Arg(128)->Arg(1024);
}

BENCHMARK_CAPTURE(interleaved_cos, f, DType::float32)
    ->Name("cos first, interleaved, float32, d")
    ->Apply(settings);
BENCHMARK_CAPTURE(interleaved_cos, d, DType::float64)
    ->Name("cos first, interleaved, float64, d")
    ->Apply(settings);
BENCHMARK_CAPTURE(halves_cos, f, DType::float32)
    ->Name("cos first, halves, float32, d")
    ->Apply(settings);
BENCHMARK_CAPTURE(together, halves_f, both_halves, DType::float32)
    ->Name("RoPE's cos and sin together, halves, float32, d")
    ->Apply(settings);
BENCHMARK_CAPTURE(together, halves_d, both_halves, DType::float64)
    ->Name("RoPE's cos and sin together, halves, float64, d")
    ->Apply(settings);
BENCHMARK_CAPTURE(together, pairs_f, both_of_pairs, DType::float32)
    ->Name("RoPE's cos and sin together, pairs, float32, d")
    ->Apply(settings);
BENCHMARK_CAPTURE(one_after_the_other, halves_f, both_halves, DType::float32)
    ->Name("RoPE's cos, then sin, halves, float32, d")
    ->Apply(settings);

}  // namespace
}  // namespace pegen::bench
