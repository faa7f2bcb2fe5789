// Tables in memory.

#include <benchmark/benchmark.h>

#include <cstring>
#include <span>
#include <vector>

#include "pegen/core/parallel.h"
#include "pegen/formats/tiles.h"
#include "tables.h"

namespace pegen::bench {
namespace {

/// The whole table, in the tiles and on the threads in which write_table() fills it.
void fill(const Table& table, std::span<std::byte> out) {
    const Tiles tiles = tiles_of(table);
    const auto row = static_cast<std::size_t>(row_bytes(table));
    parallel_for(tiles.count(), [&](std::int64_t tile) {
        const RowRange range = tiles[tile];
        table.rows(range, out.subspan(static_cast<std::size_t>(range.first) * row,
                                      static_cast<std::size_t>(range.count) * row));
    });
}

std::vector<std::byte> buffer_for(const Table& table) {
    return std::vector<std::byte>(static_cast<std::size_t>(total_bytes(table)));
}

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

// All tables have 512 MiB, far more than any cache.
Table narrow() { return sinusoid(128, 1 << 20, DType::float32); }
Table wide() { return sinusoid(1024, 1 << 17, DType::float32); }
Table wide_double() { return sinusoid(1024, 1 << 16, DType::float64); }

void float32_d128(benchmark::State& state) { beside_memset(state, narrow()); }
void float32_d1024(benchmark::State& state) { beside_memset(state, wide()); }
void float64_d1024(benchmark::State& state) { beside_memset(state, wide_double()); }

/// What the tiles and threads themselves cost or gain.
void zeros_d1024(benchmark::State& state) { beside_memset(state, zeros_like(wide())); }

/// Both have the same number of bytes, so that the ratio is of bytes per second.
void float64_beside_float32(benchmark::State& state) {
    const Table ours = wide_double(), yardstick = wide();
    std::vector<std::byte> buffer = buffer_for(ours);
    measure(
        state, "float32, as many bytes", [&] { return seconds([&] { fill(ours, buffer); }); },
        [&] { return seconds([&] { fill(yardstick, buffer); }); });
    set_amount(state, ours);
}

void settings(benchmark::internal::Benchmark* benchmark) {
    benchmark->Iterations(3)->UseManualTime();
}

BENCHMARK(float32_d1024)->Name("float32 in memory, d 1024, 131072 rows")->Apply(settings);
BENCHMARK(float32_d128)->Name("float32 in memory, d 128, 1048576 rows")->Apply(settings);
BENCHMARK(float64_d1024)->Name("float64 in memory, d 1024, 65536 rows")->Apply(settings);
BENCHMARK(float64_beside_float32)->Name("float64 in memory, the same")->Apply(settings);
BENCHMARK(zeros_d1024)->Name("zeros in memory, d 1024, 131072 rows")->Apply(settings);

}  // namespace
}  // namespace pegen::bench
