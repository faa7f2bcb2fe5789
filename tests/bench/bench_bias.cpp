// Biases of attention in memory: rows are copies of parts of a line.

#include <benchmark/benchmark.h>

#include "tables.h"

namespace pegen::bench {
namespace {

constexpr std::int64_t len = 2048;

Table alibi(DType dtype) {
    const Encoding& encoding = *find_encoding("alibi");
    Parameters parameters(encoding.parameters);
    parameters.set("heads", "32", Origin::user);
    parameters.set("len", std::to_string(len), Origin::user);
    return make_table(encoding, encoding.tables.front(), parameters, dtype);
}

/// Computes the bias of every head, including the line that its rows are copied from. Both tables
/// have the same number of bytes, so that the ratio compares bytes per second.
void beside_sinusoid(benchmark::State& state) {
    const Table promise = alibi(DType::float32);
    const Table yardstick = sinusoid(1024, total_bytes(promise) / 4096, DType::float32);
    std::vector<std::byte> buffer = buffer_for(promise);
    measure(
        state, "sinusoid, d 1024, as many bytes",
        [&] { return seconds([&] { fill(alibi(DType::float32), buffer); }); },
        [&] { return seconds([&] { fill(yardstick, buffer); }); });
    set_amount(state, promise);
}

BENCHMARK(beside_sinusoid)
    ->Name("ALiBi in memory, float32, 32 heads, 2048 queries and keys")
    ->Iterations(10)
    ->UseManualTime();

}  // namespace
}  // namespace pegen::bench
