// Arrays in memory that are rotated or added to, beside copying them.

#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "rows/arithmetic.h"
#include "rows/rotated.h"
#include "tables.h"

namespace pegen::bench {
namespace {

constexpr std::int64_t heads = 32, len = 4096, d = 128;

/// 64 MiB of float32, or as many elements of another dtype, far more than any cache.
Table queries(DType dtype) {
    Table table = sinusoid(d, heads * len, dtype);
    table.shape = {heads, len, d};
    return held(table);
}

Table rope(std::string_view name) {
    const Encoding& encoding = *find_encoding("rope");
    Parameters parameters(encoding.parameters);
    parameters.set("d", std::to_string(d), Origin::user);
    parameters.set("len", std::to_string(len), Origin::user);
    parameters.set("layout", "single", Origin::user);
    return make_table(encoding, *find_table(encoding, name), parameters, DType::float64);
}

Table rotated(Table x, rows::Pairing pairing) {
    x.rows = rows::rotated(
        x.rows, {.cos = rope("cos").rows, .sin = rope("sin").rows, .pairing = pairing}, x.dtype);
    return x;
}

void beside_memcpy(benchmark::State& state, const Table& table) {
    std::vector<std::byte> buffer = buffer_for(table), source = buffer_for(table);
    const auto copy = [&] {
        std::memcpy(buffer.data(), source.data(), buffer.size());
        benchmark::ClobberMemory();
    };
    measure(
        state, "memcpy, one call", [&] { return seconds([&] { fill(table, buffer); }); },
        [&] { return seconds(copy); });
    set_amount(state, table);
}

void rotate(benchmark::State& state, DType dtype, rows::Pairing pairing) {
    beside_memcpy(state, rotated(queries(dtype), pairing));
}

void add(benchmark::State& state) {
    Table x = queries(DType::float32);
    x.rows = rows::sum(x, sinusoid(d, len, DType::float64), x.dtype);
    beside_memcpy(state, x);
}

void settings(benchmark::internal::Benchmark* benchmark) {
    benchmark->Iterations(6)->UseManualTime();
}

using rows::Pairing;

BENCHMARK_CAPTURE(rotate, half, DType::float32, Pairing::half)
    ->Name("rotate (32, 4096, 128) float32, halves")
    ->Apply(settings);
BENCHMARK_CAPTURE(rotate, interleaved, DType::float32, Pairing::interleaved)
    ->Name("rotate (32, 4096, 128) float32, neighbours")
    ->Apply(settings);
BENCHMARK_CAPTURE(rotate, double_half, DType::float64, Pairing::half)
    ->Name("rotate (32, 4096, 128) float64, halves")
    ->Apply(settings);
BENCHMARK_CAPTURE(rotate, bfloat16_half, DType::bfloat16, Pairing::half)
    ->Name("rotate (32, 4096, 128) bfloat16, halves")
    ->Apply(settings);
BENCHMARK_CAPTURE(rotate, float16_neighbours, DType::float16, Pairing::interleaved)
    ->Name("rotate (32, 4096, 128) float16, neighbours")
    ->Apply(settings);
BENCHMARK(add)->Name("add (4096, 128) to (32, 4096, 128) float32")->Apply(settings);

}  // namespace
}  // namespace pegen::bench
