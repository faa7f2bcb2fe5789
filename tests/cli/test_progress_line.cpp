#include <doctest/doctest.h>

#include <limits>

#include "cli/progress_line.h"

using pegen::cli::progress_text;
using pegen::cli::Work;

namespace {

constexpr Work third{.done = 1'200, .total = 3'200, .bytes_per_row = 1'000'000, .seconds = 0.6};

}  // namespace

TEST_CASE("progress text: says how much of what total, how fast, and how long it will take") {
    CHECK(progress_text("sinusoid", third, 80) ==
          "sinusoid  37 %  1.2 GB of 3.2 GB  2.0 GB/s  1 s left");
}

TEST_CASE("progress text: narrow terminals get less, and no line is wider than the terminal") {
    CHECK(progress_text("sinusoid", third, 52) ==
          "sinusoid  37 %  1.2 GB of 3.2 GB  2.0 GB/s  1 s left");
    CHECK(progress_text("sinusoid", third, 51) == "sinusoid  37 %  1.2 GB of 3.2 GB  1 s left");
    CHECK(progress_text("sinusoid", third, 40) == "sinusoid  37 %  1 s left");
    CHECK(progress_text("sinusoid", third, 20) == "sinusoid  37 %");
    CHECK(progress_text("sinusoid", third, 10) == "37 %");
    for (std::size_t width = 0; width < 4; ++width) {
        CHECK(progress_text("sinusoid", third, width).empty());
    }
}

TEST_CASE("progress text: 100 % is the end and not before") {
    CHECK(progress_text("a", {.done = 99'999, .total = 100'000}, 80) == "a  99 %");
    CHECK(progress_text("a", {.done = 100'000, .total = 100'000}, 80) == "a  100 %");
    CHECK(progress_text("a", {.done = 0, .total = 7}, 80) == "a  0 %");
}

TEST_CASE("progress text: without a total it says how much is done") {
    CHECK(progress_text("a", {.done = 15, .bytes_per_row = 100, .seconds = 3}, 80) ==
          "a  1.5 kB  500 B/s  3 s");
    CHECK(progress_text("a: preparing", {.seconds = 2.2}, 80) == "a: preparing  3 s");
}

TEST_CASE("progress text: without the size of a row there is no amount") {
    CHECK(progress_text("a", {.done = 1, .total = 4, .seconds = 5}, 80) == "a  25 %  15 s left");
}

TEST_CASE("progress text: there is no speed in the first half second") {
    CHECK(progress_text("a", {.done = 1, .total = 4, .bytes_per_row = 1, .seconds = 0.4}, 80) ==
          "a  25 %  1 B of 4 B");
}

TEST_CASE("progress text: sizes have up to three digits and times a unit that suits them") {
    const auto text = [](std::int64_t bytes, double seconds) {
        return progress_text("", {.done = 1, .bytes_per_row = bytes, .seconds = seconds}, 80);
    };
    CHECK(text(999, 0) == "999 B  0 s");
    CHECK(text(1'000, 0) == "1.0 kB  0 s");
    CHECK(text(99'949, 0) == "99.9 kB  0 s");
    CHECK(text(99'951, 0) == "100 kB  0 s");
    CHECK(text(999'600, 0.1) == "1.0 MB  1 s");
    CHECK(text(std::numeric_limits<std::int64_t>::max(), 0) == "9.2 EB  0 s");
    CHECK(progress_text("", {.seconds = 100}, 80) == "100 s");
    CHECK(progress_text("", {.seconds = 101}, 80) == "2 min");
    CHECK(progress_text("", {.seconds = 6'001}, 80) == "2 h");
    CHECK(progress_text("", {.seconds = 1e6}, 80) == "12 days");
}

TEST_CASE("progress text: the largest numbers do not overflow") {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(progress_text("a", {.done = most / 2, .total = most, .bytes_per_row = 1, .seconds = 1e9},
                        80) == "a  50 %  4.6 EB of 9.2 EB  4.6 GB/s  11575 days left");
}
