// Tables in memory whose channel layouts differ from the interleaved one of the sinusoid.

#include <benchmark/benchmark.h>

#include <span>
#include <string>
#include <vector>

#include "numerics/sinusoid.h"
#include "rows/arranged.h"
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

void one_after_the_other(benchmark::State& state, DType dtype) {
    const std::int64_t d = state.range(0), len = rows_of(2 * d, dtype);
    const auto waves = [&](Function function) {
        return sinusoid_rows(Positions(0, 1, len), frequencies(d), both_halves(function, d), 1,
                             dtype);
    };
    const Table yardstick = table(interleaved(d), dtype);
    Table ours = yardstick;
    ours.shape = {2, len, d};
    ours.rows = rows::concatenated({waves(Function::cos), waves(Function::sin)});
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
BENCHMARK_CAPTURE(one_after_the_other, halves_f, DType::float32)
    ->Name("RoPE's cos, then sin, halves, float32, d")
    ->Apply(settings);

}  // namespace
}  // namespace pegen::bench
