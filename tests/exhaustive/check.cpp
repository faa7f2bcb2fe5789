// check [orbits | whole]: compares every value of large tables with MPFR.

#include <fmt/core.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/parallel.h"
#include "nearest.h"
#include "orbits.h"
#include "sinusoid_table.h"
#include "waves.h"

namespace exhaustive {
namespace {

using pegen::DType;

constexpr std::int64_t operator""_Ki(unsigned long long n) {
    return static_cast<std::int64_t>(n) << 10;
}

const std::vector<SinusoidTable> tables{
    {DType::float32, 512, 10000, 0, 1, 2048_Ki},
    {DType::float32, 512, 10000, 0x1p40, 1, 64_Ki},
    {DType::float32, 512, 10000, 0x1p53 - 0x1p16, 1, 64_Ki},
    {DType::float32, 512, 10000, -0x1p16, 1, 128_Ki},
    {DType::float32, 512, 10000, -0x1p17, 0.25, 64_Ki},
    {DType::float32, 512, 10000, 0x1p20, -77, 64_Ki},
    {DType::float32, 512, 10000, 0, 1, 64_Ki, Given::list},
    {DType::float32, 128, 500000, 0, 1, 2048_Ki},
    {DType::float32, 96, 10000, 0, 1, 1024_Ki},
    {DType::float32, 64, 100, 0, 1, 1024_Ki},
    {DType::float32, 4096, 10000, 0, 1, 32_Ki},
    {DType::float64, 512, 10000, 0, 1, 1024_Ki},
    {DType::float64, 512, 10000, 0x1p53 - 0x1p16, 1, 64_Ki},
    {DType::float64, 128, 500000, -0x1p16, 1, 512_Ki},
    {DType::float64, 64, 100, 0x1p40, 1, 512_Ki},
    {DType::float16, 512, 10000, 0, 1, 1024_Ki},
    {DType::float16, 128, 500000, -0x1p18, 1, 512_Ki},
    {DType::float16, 64, 1e9, -0x1p16, 1, 512_Ki},
    {DType::bfloat16, 512, 10000, 0, 1, 1024_Ki},
    {DType::bfloat16, 128, 500000, 0x1p40, 1, 512_Ki},
    {DType::bfloat16, 64, 1e9, -0x1p16, 1, 512_Ki},
};

const std::vector<SinusoidTable> whole{{DType::float32, 512, 10000, 0, 1, 16384_Ki}};

/// Returns tables for which the generators of rungs would be worst if doubling multiplied errors:
/// their second frequency is near an orbit, and positions have up to 128 bits.
std::vector<SinusoidTable> tables_near_orbits() {
    std::vector<SinusoidTable> all;
    const auto add = [&](int denominator, double finest, std::int64_t rows, Given given) {
        const auto near = near_orbit(denominator, 45);
        all.push_back({DType::float64, near.width, near.base, 8500000000000000, 1, rows, given,
                       finest, near.scale, near.shift});
    };
    for (const int denominator : orbit_denominators) {
        add(denominator, 0, 512_Ki, Given::progression);
        add(denominator, 0x1p-46, 2048_Ki, Given::progression);
        add(denominator, 0x1p-75, 2048_Ki, Given::list);
    }
    add(3, 0x1p-46, 65536_Ki, Given::progression);
    add(3, 0x1p-75, 16384_Ki, Given::list);
    return all;
}

/// Counts wrong values, and prints the first few.
class WrongValues {
  public:
    void add(std::int64_t row, std::int64_t channel, double right, double found) {
        if (count_++ >= 5) return;
        const std::lock_guard lock(mutex_);
        fmt::print("  row {}, channel {}: {:a} is right, found {:a}\n", row, channel, right, found);
    }
    std::int64_t count() const { return count_; }

  private:
    std::atomic<std::int64_t> count_ = 0;
    std::mutex mutex_;
};

void check_run(const SinusoidTable& table, const pegen::Table& promised, const Waves& waves,
               pegen::RowRange rows, WrongValues& wrong) {
    const std::vector<double> values = pegen::read_rows(promised, rows);
    waves.for_each_value(rows, [&](std::int64_t row, std::int64_t channel, mpfr_srcptr exact) {
        const double right = nearest(table.dtype, exact);
        const double found =
            values[static_cast<std::size_t>((row - rows.first) * table.d + channel)];
        // The values are compared as bits, since zeros have a sign.
        if (std::bit_cast<std::uint64_t>(right) != std::bit_cast<std::uint64_t>(found)) {
            wrong.add(row, channel, right, found);
        }
    });
}

std::int64_t count_wrong(const SinusoidTable& table) {
    const Waves waves(table.frequencies(), table.start, table.step);
    const pegen::Table promised = promise_of(table);
    WrongValues wrong;
    pegen::parallel_for(runs_of(table), [&](std::int64_t run) {
        check_run(table, promised, waves, rows_of_run(table, run), wrong);
    });
    return wrong.count();
}

int check(const std::vector<SinusoidTable>& all) {
    std::int64_t total = 0;
    std::int64_t wrong_total = 0;
    constexpr const char* line =
        "{:9}{:>5}{:>11}{:>12}{:>18}{:>6}{:>13}{:>10}{:>12}{:>13}{:>7}{:>9}\n";
    const auto real = [](double value) { return fmt::format("{:.6g}", value); };
    fmt::print(line, "dtype", "d", "base", "scale", "start", "step", "finest", "rows", "positions",
               "values", "wrong", "seconds");
    for (const SinusoidTable& table : all) {
        const auto begin = std::chrono::steady_clock::now();
        const std::int64_t wrong = count_wrong(table);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        const std::int64_t values = table.rows * table.d;
        total += values;
        wrong_total += wrong;
        fmt::print(line, info(table.dtype).name, table.d, real(table.base), real(table.scale),
                   table.start, table.step, real(table.finest), table.rows,
                   table.given == Given::list ? "list" : "progression", values, wrong,
                   fmt::format("{:.1f}", seconds.count()));
        std::fflush(stdout);
    }
    fmt::print("{} values, {} wrong\n", total, wrong_total);
    return wrong_total == 0 ? 0 : 1;
}

}  // namespace
}  // namespace exhaustive

int main(int argc, char** argv) {
    const std::string_view which = argc == 2 ? argv[1] : "";
    if (argc == 1) return exhaustive::check(exhaustive::tables);
    if (which == "orbits") return exhaustive::check(exhaustive::tables_near_orbits());
    if (which == "whole") return exhaustive::check(exhaustive::whole);
    fmt::print(stderr, "usage: check [orbits | whole]\n");
    return 2;
}
