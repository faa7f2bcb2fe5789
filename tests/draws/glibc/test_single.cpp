#include <doctest/doctest.h>

#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>

#include "draws/glibc/single.h"

using namespace pegen;

namespace {

/// True if the C library is one whose bits are promised: glibc 2.28 to 2.40 on x86-64 with FMA.
bool is_the_promised_library() {
#if defined(__GLIBC__) && defined(__x86_64__)
    const int minor = std::atoi(gnu_get_libc_version() + 2);  // of 2.MINOR
    return minor >= 28 && minor <= 40 && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

using Function = float (*)(float);

/// Counts the values for x in [from, to], with both_signs also for -x, that differ from the C
/// library's. Looks at one float of a thousand.
int count_different(Function ours, Function theirs, float from, float to, bool both_signs) {
    constexpr std::uint32_t step = 1009;
    int different = 0;
    const auto last = std::bit_cast<std::uint32_t>(to);
    for (auto bits = std::bit_cast<std::uint32_t>(from); bits <= last; bits += step) {
        const auto x = std::bit_cast<float>(bits);
        if (ours(x) != theirs(x)) ++different;
        if (both_signs && ours(-x) != theirs(-x)) ++different;
    }
    return different;
}

}  // namespace

TEST_CASE("glibc: functions of single precision have the bits of the C library") {
    if (!is_the_promised_library()) return;
    CHECK(count_different(glibc::log, std::log, 0x1p-126F, 0x1.fffffep127F, false) == 0);
    CHECK(count_different(glibc::exp, std::exp, 0x1p-30F, 80, true) == 0);
    CHECK(count_different(glibc::sin, std::sin, 0x1p-30F, 119, true) == 0);
    CHECK(count_different(glibc::cos, std::cos, 0x1p-30F, 119, true) == 0);
    CHECK(count_different(glibc::erf, std::erf, 0x1p-119F, 0x1p20F, true) == 0);
    // Where one formula takes over from another.
    for (const float x : {0x1p-28F, 0.84375F, 1.25F, 0x1.6db6dap+1F, 6.0F}) {
        for (const float near : {std::nextafter(x, 0.0F), x, std::nextafter(x, 9.0F)}) {
            CHECK(glibc::erf(near) == std::erf(near));
        }
    }
}

TEST_CASE("glibc: values that are not correctly rounded are the C library's, wherever this runs") {
    CHECK(glibc::log(0x1.a272cap-2F) == -0x1.ca32b8p-1F);
    CHECK(glibc::exp(0x1.e09892p-2F) == 0x1.995334p+0F);
    CHECK(glibc::sin(0x1.37689cp-2F) == 0x1.32a17cp-2F);
    CHECK(glibc::cos(0x1.9242aep-1F) == 0x1.69f12ap-1F);
    CHECK(glibc::erf(0x1.408702p-2F) == 0x1.5e341ap-2F);
}
