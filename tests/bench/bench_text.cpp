// CSV and JSON to /dev/null.

#include <benchmark/benchmark.h>

#include <array>
#include <charconv>
#include <cstring>

#include "files.h"
#include "formats/csv.h"
#include "formats/json.h"
#include "tables.h"

namespace pegen::bench {
namespace {

std::string nothing(const Table&, const Parameters&) { return ""; }

/// Appends the numbers as the standard library writes them, each followed by a comma.
template <class Number>
void append_numbers(std::span<const std::byte> rows, std::string& out) {
    for (; !rows.empty(); rows = rows.subspan(sizeof(Number))) {
        Number number;
        std::memcpy(&number, rows.data(), sizeof number);
        std::array<char, 32> text;
        char* const end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
        *end = ',';
        out.append(text.data(), end + 1);
    }
}

void append_rows(const Table& table, const Parameters&, RowRange, std::span<const std::byte> rows,
                 std::string& out) {
    table.dtype == DType::float32 ? append_numbers<float>(rows, out)
                                  : append_numbers<double>(rows, out);
}

constexpr Format bare_numbers{
    .name = "numbers",
    .summary = "numbers with commas, the least a text of them can cost",
    .extensions = "",
    .is_binary = false,
    .parameters = no_parameters,
    .options_title = "",
    .head = nothing,
    .append_rows = append_rows,
    .tail = nothing,
};

std::size_t text_size(const Table& table, const Format& format) {
    const Parameters parameters(format.parameters());
    std::vector<std::byte> rows(static_cast<std::size_t>(total_bytes(table)));
    const RowRange all{0, table.shape.rows()};
    table.rows(all, rows);
    std::string text = format.head(table, parameters);
    format.append_rows(table, parameters, all, rows, text);
    return text.size() + format.tail(table, parameters).size();
}

void beside_to_chars(benchmark::State& state, const Format& format, DType dtype) {
    constexpr std::int64_t len = 4096;
    const Table table = held(sinusoid(128, len, dtype));
    measure(
        state, "std::to_chars, the same way",
        [&] { return seconds_to_write(table, format, "/dev/null"); },
        [&] { return seconds_to_write(table, bare_numbers, "/dev/null"); });
    set_amount(state, static_cast<double>(len), static_cast<double>(text_size(table, format)));
}

BENCHMARK_CAPTURE(beside_to_chars, csv32, formats::csv, DType::float32)
    ->Name("CSV of float32 to /dev/null, values held, d 128, 4096 rows")
    ->Iterations(30)
    ->UseManualTime();
BENCHMARK_CAPTURE(beside_to_chars, csv64, formats::csv, DType::float64)
    ->Name("CSV of float64 to /dev/null, values held, d 128, 4096 rows")
    ->Iterations(30)
    ->UseManualTime();
BENCHMARK_CAPTURE(beside_to_chars, json32, formats::json, DType::float32)
    ->Name("JSON of float32 to /dev/null, values held, d 128, 4096 rows")
    ->Iterations(30)
    ->UseManualTime();
BENCHMARK_CAPTURE(beside_to_chars, json64, formats::json, DType::float64)
    ->Name("JSON of float64 to /dev/null, values held, d 128, 4096 rows")
    ->Iterations(30)
    ->UseManualTime();

}  // namespace
}  // namespace pegen::bench
