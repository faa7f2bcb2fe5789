// Tables in memory.

#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "tables.h"

namespace pegen::bench {
namespace {

void beside_memset(benchmark::State& state, const Table& table) {
    std::vector<std::byte> buffer = buffer_for(table);
    const auto clear = [&] {
        std::memset(buffer.data(), 0, buffer.size());
        benchmark::ClobberMemory();
    };
    measure(
        state, "memset, one call", [&] { return seconds([&] { fill(table, buffer); }); },
        [&] { return seconds(clear); });
    set_amount(state, table);
}

/// 512 MiB of float32, far more than any cache, or as many elements of another dtype.
constexpr std::int64_t elements = std::int64_t{1} << 27;

Table table(std::int64_t d, DType dtype) { return sinusoid(d, elements / d, dtype); }
Table wide() { return table(1024, DType::float32); }
Table wide_double() { return sinusoid(1024, elements / 2048, DType::float64); }

void float32(benchmark::State& state) {
    beside_memset(state, table(state.range(0), DType::float32));
}
void float16(benchmark::State& state) {
    beside_memset(state, table(state.range(0), DType::float16));
}
void float64_d1024(benchmark::State& state) { beside_memset(state, wide_double()); }

/// Measures positions without a common step, so that each row is a whole product of rotations.
void list_d1024(benchmark::State& state) {
    beside_memset(state, sinusoid(1024, 1 << 14, DType::float32, "0.1"));
}

/// Measures the cost or gain of tiles and threads alone: all values are 0.
void zeros_d1024(benchmark::State& state) { beside_memset(state, zeros_like(wide())); }

/// Compares float64 with float32. Both tables have the same number of bytes, so that the ratio
/// compares bytes per second.
void float64_beside_float32(benchmark::State& state) {
    const Table ours = wide_double(), yardstick = wide();
    std::vector<std::byte> buffer = buffer_for(ours);
    measure(
        state, "float32, as many bytes", [&] { return seconds([&] { fill(ours, buffer); }); },
        [&] { return seconds([&] { fill(yardstick, buffer); }); });
    set_amount(state, ours);
}

void settings(benchmark::internal::Benchmark* benchmark) {
    benchmark->Iterations(6)->UseManualTime();
}

BENCHMARK(float32)
    ->Name("float32 in memory, 2^27 values, d")
    ->Apply(settings)
    ->Arg(1024)
    ->Arg(2)
    ->Arg(16)
    ->Arg(128)
    ->Arg(512)
    ->Arg(4096)
    ->Arg(16384);
BENCHMARK(float16)->Name("float16 in memory, 2^27 values, d")->Apply(settings)->Arg(1024);
BENCHMARK(list_d1024)->Name("float32 in memory, d 1024, 16384 rows, --step 0.1")->Apply(settings);
BENCHMARK(float64_d1024)->Name("float64 in memory, d 1024, 65536 rows")->Apply(settings);
BENCHMARK(float64_beside_float32)->Name("float64 in memory, the same")->Apply(settings);
BENCHMARK(zeros_d1024)->Name("zeros in memory, d 1024, 131072 rows")->Apply(settings);

}  // namespace
}  // namespace pegen::bench
