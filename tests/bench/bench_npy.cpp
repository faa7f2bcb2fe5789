// NPY to a regular file.

#include <benchmark/benchmark.h>

#include "files.h"
#include "files/temporary_folder.h"
#include "formats/npy.h"
#include "tables.h"

namespace pegen::bench {
namespace {

void npy(benchmark::State& state) {
    const Table table = sinusoid(1024, 1 << 19, DType::float32);  // 2 GiB
    const Table zeros = zeros_like(table);
    const testing::TemporaryFolder folder;
    const std::string path = folder.path("table.npy");
    measure(
        state, "zeros, the same way", [&] { return seconds_to_write(table, formats::npy, path); },
        [&] { return seconds_to_write(zeros, formats::npy, path); });
    set_amount(state, table);
}

BENCHMARK(npy)->Name("NPY to a file, float32, d 1024, 524288 rows")->Iterations(8)->UseManualTime();

}  // namespace
}  // namespace pegen::bench
