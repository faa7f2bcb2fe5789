#include <doctest/doctest.h>
#include <malloc.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "core/progress.h"
#include "encodings/registry.h"
#include "numerics/real.h"

using namespace pegen;

namespace {

struct GivenUp : std::runtime_error {
    GivenUp() : std::runtime_error("given up") {}
};

/// Tables that take long to prepare, or whose single row takes long. Each has another base, since
/// the rotations of a base are cached.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> long_work{{
    {"alibi", " --heads 32 --len 1 --key-len 10000"},
    {"fire", " --heads 1 --len 1 --key-len 20000"},
    {"kerple", " --heads 4 --len 1 --key-len 20000 --kind power --p 0.3"},
    {"sandwich", " --heads 2 --len 1 --key-len 20000"},
    {"sinusoid", " --d 16384 --len 3 --base 10001"},
    {"rope", " --d 16384 --len 3 --base 10002"},
    {"xpos", " --d 16384 --len 3"},
    {"mrope", " --d 12288 --sections 2048,2048,2048 --sequence text:3"},
    {"rope-grid", " --d 16384 --height 2 --width 2"},
    {"grid", " --d 16384 --height 2 --width 2 --base 10003"},
    {"transformer-xl", " --d 16384 --len 3 --base 10004"},
    {"learned", " --len 64 --d 4096 --burn 1000"},
}};

/// Prepares the rows as float64 and reads the first of them.
void make(std::string_view name, std::string_view settings, const Progress& progress) {
    const Encoding& encoding = *find_encoding(name);
    const Reporting reporting(progress);
    Parameters parameters(encoding.parameters);
    parameters.set_all(settings, Origin::user);
    const Plan plan = plan_of(encoding, std::move(parameters), encoding.tables.front().name);
    const Rows rows = plan.make_rows(DType::float64);
    std::vector<double> row(static_cast<std::size_t>(plan.shape.columns()));
    rows({0, 1}, std::as_writable_bytes(std::span(row)));
}

std::size_t bytes_in_use() { return ::mallinfo2().uordblks + ::mallinfo2().hblkhd; }

}  // namespace

TEST_CASE("reporting: long work reports often, and ends with the first report that throws") {
    for (const auto& work : long_work) {
        const std::string_view name = work.first, settings = work.second;
        CAPTURE(name);
        std::atomic<int> calls = 0;
        const auto give_up = [&](std::int64_t, std::int64_t) {
            if (++calls > 2) throw GivenUp();
        };
        CHECK_THROWS_AS(make(name, settings, give_up), GivenUp);
        CHECK(calls <= 2 + thread_count());
        std::atomic<int> reports = 0;
        make(name, settings, [&](std::int64_t, std::int64_t) { ++reports; });
        CHECK(reports > 20);
    }
}

TEST_CASE("reporting: what is done is never more than all, and all of it at last") {
    int reported = 0;
    for (const Encoding* encoding : all_encodings()) {
        for (const TableSpec& spec : encoding->tables) {
            CAPTURE(encoding->name);
            CAPTURE(spec.name);
            std::mutex mutex;
            std::map<std::int64_t, std::set<std::int64_t>> done_of_total;
            const Progress collect = [&](std::int64_t done, std::int64_t total) {
                const std::lock_guard lock(mutex);
                if (total > 0) done_of_total[total].insert(done);
            };
            const Reporting reporting(collect);
            const Table table =
                make_table(*encoding, spec, Parameters(encoding->parameters), DType::float32, "");
            std::vector<std::byte> bytes(table.rows.count() * table.rows.bytes_per_row());
            table.rows({0, table.rows.count()}, bytes);
            for (const auto& [total, done] : done_of_total) {
                CHECK(*done.begin() > 0);
                CHECK(*done.rbegin() == total);
                ++reported;
            }
        }
    }
    CHECK(reported > 10);
}

TEST_CASE("reporting: threads report as the one does that they work for; others do not") {
    std::atomic<int> calls = 0;
    const Progress count = [&](std::int64_t, std::int64_t) { ++calls; };
    report(1, 2);
    {
        const Reporting outer(count);
        parallel_for(10, [](std::int64_t i) { report(i, 10); });
        CHECK(calls == 10);
        const Progress ignored = ignore_progress;
        const Reporting inner(ignored);
        report(1, 2);
        CHECK(calls == 11);
        std::thread([] { report(1, 2); }).join();
        CHECK(calls == 11);
    }
    report(1, 2);
    CHECK(calls == 11);
}

TEST_CASE("real: a thread that ends leaves no memory of MPFR behind") {
    const auto run = [](int threads) {
        for (int i = 0; i < threads; ++i) {
            std::thread([] {
                using namespace numerics;
                const Real value = log(cos(Real(3)) + pi()) + exp(Real(0.5));
                CHECK(nearest_double(value) > 0);
            }).join();
        }
    };
    run(20);
    const std::size_t before = bytes_in_use();
    run(200);
    // Keeping MPFR numbers would take more than two kilobytes for each thread.
    CHECK(bytes_in_use() < before + 200 * 500);
}

TEST_CASE("mrope: memory does not grow with the parts of a sequence") {
    const auto used_by = [](int parts) {
        std::string sequence = "text:1";
        for (int i = 1; i < parts; ++i) sequence += i % 2 == 0 ? ",text:1" : ",image:1x2";
        const Encoding& encoding = *find_encoding("mrope");
        Parameters parameters(encoding.parameters);
        parameters.set("sequence", sequence, Origin::user);
        const Plan plan = plan_of(encoding, std::move(parameters), "cos");
        const std::size_t before = bytes_in_use();
        const Rows rows = plan.make_rows(DType::float32);
        return bytes_in_use() - before;
    };
    // Each part needs a function, but no table of rotations.
    CHECK(used_by(4000) < used_by(2) + 4000 * 1000);
}
