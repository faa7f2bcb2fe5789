// search DTYPE D BASE START ROWS: prints, for each channel and for each power of two, the value
// nearest to a midpoint between two neighbours of the dtype: position, channel, bits, log2 of the
// distance in ULP.

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.h"
#include "core/parallel.h"
#include "nearest.h"
#include "sinusoid_table.h"
#include "waves.h"

namespace exhaustive {
namespace {

struct HardValue {
    std::int64_t row = 0;
    std::int64_t channel = 0;
    double value = 0;
    double distance = 1;  ///< to a midpoint, in ULP
};

/// Small values are searched separately: as results of cancellation they are hard.
constexpr std::int64_t powers_of_two = 40;

std::int64_t power_of_two(mpfr_srcptr exact) {
    const std::int64_t halvings = mpfr_zero_p(exact) ? 0 : -mpfr_get_exp(exact);
    return std::clamp<std::int64_t>(halvings, 0, powers_of_two - 1);
}

void keep_harder(HardValue& hardest, const HardValue& value) {
    if (value.distance < hardest.distance) hardest = value;
}

/// Returns the hardest value of each channel, then that of each power of two.
std::vector<HardValue> hardest_values(const SinusoidTable& table) {
    const Waves waves(table.frequencies(), table.start, table.step);
    std::vector<HardValue> hardest(static_cast<std::size_t>(table.d + powers_of_two));
    std::mutex mutex;
    pegen::parallel_for(runs_of(table), [&](std::int64_t run) {
        std::vector<HardValue> of_run(hardest.size());
        waves.for_each_value(rows_of_run(table, run), [&](std::int64_t row, std::int64_t channel,
                                                          mpfr_srcptr exact) {
            const HardValue value{row, channel, nearest(table.dtype, exact),
                                  distance_to_midpoint(table.dtype, exact)};
            keep_harder(of_run[static_cast<std::size_t>(channel)], value);
            keep_harder(of_run[static_cast<std::size_t>(table.d + power_of_two(exact))], value);
        });
        const std::lock_guard lock(mutex);
        for (std::size_t i = 0; i < hardest.size(); ++i) keep_harder(hardest[i], of_run[i]);
    });
    return hardest;
}

/// Returns the bits of the element as a hexadecimal number.
std::string bits_of(double value, pegen::DType dtype) {
    std::array<std::byte, 8> element{};
    const std::size_t size = info(dtype).size;
    pegen::store({&value, 1}, dtype, std::span(element).first(size));
    std::uint64_t bits = 0;
    std::memcpy(&bits, element.data(), size);
    return fmt::format("0x{:0{}x}", bits, 2 * size);
}

void print_hardest(const SinusoidTable& table) {
    for (const HardValue& hard : hardest_values(table)) {
        if (hard.distance == HardValue{}.distance) continue;  // a power of two that did not occur
        fmt::print("{:.0f},{},{},{:.2f}\n",
                   std::fma(table.step, static_cast<double>(hard.row), table.start), hard.channel,
                   bits_of(hard.value, table.dtype), std::log2(hard.distance));
    }
}

}  // namespace
}  // namespace exhaustive

int main(int argc, char** argv) {
    const auto dtype = argc == 6
                           ? std::ranges::find(pegen::dtypes, argv[1], &pegen::DTypeInfo::name)
                           : pegen::dtypes.end();
    if (dtype == pegen::dtypes.end() || !is_floating(dtype->dtype)) {
        fmt::print(stderr, "usage: search DTYPE D BASE START ROWS\n");
        return 2;
    }
    exhaustive::print_hardest({.dtype = dtype->dtype,
                               .d = std::stoll(argv[2]),
                               .base = std::stod(argv[3]),
                               .start = std::stod(argv[4]),
                               .step = 1,
                               .rows = std::stoll(argv[5])});
}
