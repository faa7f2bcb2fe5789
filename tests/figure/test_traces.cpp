#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "core/error.h"
#include "core/parallel.h"
#include "figure/fake_table.h"
#include "figure/traces.h"

using namespace pegen;

namespace {

using Values = std::vector<double>;
using Channels = std::vector<std::int64_t>;

double wavy(std::int64_t row, std::int64_t column) {
    return std::sin(static_cast<double>(row * row % 1009) + 0.1 * static_cast<double>(column));
}

/// Returns the rows that are kept if all values are finite: first, smallest, largest and last of
/// each bucket.
std::set<std::int64_t> kept_rows(const Values& values, std::int64_t buckets) {
    const auto rows = std::ssize(values);
    std::set<std::int64_t> kept;
    for (std::int64_t bucket = 0; bucket < buckets; ++bucket) {
        const auto begin = values.begin() + bucket * rows / buckets;
        const auto end = values.begin() + (bucket + 1) * rows / buckets;
        for (const auto place :
             {begin, std::min_element(begin, end), std::max_element(begin, end), end - 1}) {
            kept.insert(place - values.begin());
        }
    }
    return kept;
}

/// The trace of one column of values in a picture `columns` wide.
Trace trace_of(const Values& values, int columns) {
    const Table table = table_from(std::ssize(values), 1, [=](std::int64_t row, std::int64_t) {
        return values[static_cast<std::size_t>(row)];
    });
    return traces(table, Channels{0}, columns)[0];
}

/// Rows and values as text: "0:1 1:nan".
std::string text(const Trace& trace) {
    std::string result;
    for (std::size_t i = 0; i < trace.values.size(); ++i) {
        const double value = trace.values[i];
        result += fmt::format("{}{}:{}", i ? " " : "", trace.rows[i], value);
    }
    return result;
}

}  // namespace

TEST_CASE("traces: every value of a short table is shown") {
    const Table table = table_of({{1, 10, 100}, {2, 20, 200}, {2, 20, 300}, {1, 40, 400}});
    const std::vector<Trace> all = traces(table, Channels{2, 0}, 1);
    REQUIRE(all.size() == 2);
    CHECK(all[0].channel == 2);
    CHECK(all[0].rows == Values{0, 1, 2, 3});
    CHECK(all[0].values == Values{100, 200, 300, 400});
    CHECK(all[1].channel == 0);
    CHECK(all[1].values == Values{1, 2, 2, 1});
    CHECK(traces(table, Channels{}, 1).empty());
}

TEST_CASE("traces: four rows a pixel are short, five are long") {
    const auto constant = [](std::int64_t, std::int64_t) { return 1.0; };
    CHECK(traces(table_from(40, 1, constant), Channels{0}, 10)[0].values.size() == 40);
    CHECK(traces(table_from(41, 1, constant), Channels{0}, 10)[0].values.size() == 20);
}

TEST_CASE("traces: a bucket keeps its first, smallest, largest and last value") {
    CHECK(text(trace_of({5, 9, 7, 1, 6}, 1)) == "0:5 1:9 3:1 4:6");
    CHECK(text(trace_of({5, 1, 7, 9, 6}, 1)) == "0:5 1:1 3:9 4:6");
    CHECK(text(trace_of({1, 2, 3, 4, 5}, 1)) == "0:1 4:5");
    CHECK(text(trace_of({5, 4, 1, 4, 5}, 1)) == "0:5 2:1 4:5");
    CHECK(text(trace_of({0, 3, 3, -2, -2, 0}, 1)) == "0:0 1:3 3:-2 5:0");
}

TEST_CASE("traces: a long table has the points of each bucket and no others") {
    constexpr std::int64_t rows = 100'003, columns = 101;
    const Table table = table_from(rows, columns, wavy);
    const std::vector<Trace> all = traces(table, Channels{0, 57, 100}, 620);
    for (const Trace& trace : all) {
        Values values;
        for (std::int64_t row = 0; row < rows; ++row) values.push_back(wavy(row, trace.channel));
        const std::set<std::int64_t> kept = kept_rows(values, 620);
        REQUIRE(trace.rows == Values(kept.begin(), kept.end()));
        for (std::size_t i = 0; i < trace.values.size(); ++i) {
            REQUIRE(trace.values[i] == values[static_cast<std::size_t>(trace.rows[i])]);
        }
    }
}

TEST_CASE("traces: no table is too long") {
    constexpr std::int64_t rows = std::int64_t{1} << 24;
    const auto spikes = [](std::int64_t row, std::int64_t) {
        return row == rows / 3 ? 5.0 : row == rows - 2 ? -5.0 : 0.0;
    };
    const Trace trace = traces(table_from(rows, 1, spikes), Channels{0}, 100)[0];
    CHECK(trace.values.size() == 202);
    CHECK(std::ranges::count(trace.values, 5.0) == 1);
    CHECK(std::ranges::count(trace.values, -5.0) == 1);
    CHECK(trace.rows.back() == rows - 1);
}

TEST_CASE("traces: what is not finite is a gap") {
    CHECK(text(trace_of({1, NAN, 3, INFINITY, -INFINITY, 6}, 2)) ==
          "0:1 1:nan 2:3 3:nan 4:nan 5:6");
}

TEST_CASE("traces: a gap in a bucket has values on both sides") {
    CHECK(text(trace_of({4, 1, 9, 5, NAN, 6, 2, 8, 7}, 1)) ==
          "0:4 1:1 2:9 3:5 4:nan 5:6 6:2 7:8 8:7");
    CHECK(text(trace_of({NAN, NAN, 3, 4, 5, 6}, 1)) == "0:nan 2:3 5:6");
    CHECK(text(trace_of({3, 4, 5, NAN, INFINITY}, 1)) == "0:3 2:5 3:nan");
    CHECK(text(trace_of({NAN, NAN, NAN, NAN, NAN}, 1)) == "0:nan");
}

TEST_CASE("traces: a gap is not bridged at the end of a bucket") {
    CHECK(text(trace_of({1, NAN, 3, 4, NAN, 6, 7, 8, 9, 10}, 2)) ==
          "0:1 1:nan 2:3 3:4 4:nan 5:6 9:10");
    CHECK(text(trace_of({1, 2, 3, 4, 5, NAN, 7, 8, 9, 10}, 2)) == "0:1 4:5 5:nan 6:7 9:10");
}

TEST_CASE("traces: every row is read once") {
    const auto rows_read = std::make_shared<std::atomic<std::int64_t>>(0);
    Table table = table_from(100'000, 40, wavy);
    table.rows =
        rows_like(table, [=, source = table.rows](RowRange range, std::span<std::byte> out) {
            *rows_read += range.count;
            source(range, out);
        });
    traces(table, Channels{1, 2, 3}, 77);
    CHECK(*rows_read == 100'000);
}

TEST_CASE("traces: the number of threads changes nothing") {
    const Table table = table_from(200'000, 30, wavy);
    const Trace many = traces(table, Channels{7}, 300)[0];
    const int threads = thread_count();
    limit_threads(1);
    const Trace one = traces(table, Channels{7}, 300)[0];
    limit_threads(threads);
    CHECK(many.rows == one.rows);
    CHECK(many.values == one.values);
}

TEST_CASE("traces: channels are counted from 0") {
    const Table table = table_from(3, 128, wavy);
    CHECK_THROWS_WITH_AS(traces(table, Channels{0, 200}, 10), "--channels 200: must be 0 to 127",
                         UsageError);
    CHECK_THROWS_WITH_AS(traces(table, Channels{128}, 10), "--channels 128: must be 0 to 127",
                         UsageError);
    CHECK_THROWS_WITH_AS(traces(table, Channels{-1}, 10), "--channels -1: must be 0 to 127",
                         UsageError);
    CHECK_NOTHROW(traces(table, Channels{127}, 10));
}

TEST_CASE("traces: four channels are shown by default") {
    CHECK(default_channels(128) == Channels{0, 32, 64, 96});
    CHECK(default_channels(10) == Channels{0, 2, 5, 7});
    CHECK(default_channels(4) == Channels{0, 1, 2, 3});
    CHECK(default_channels(3) == Channels{0, 1, 2});
    CHECK(default_channels(2) == Channels{0, 1});
    CHECK(default_channels(1) == Channels{0});
}
