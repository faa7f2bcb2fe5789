#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/parallel.h"

using namespace pegen;

TEST_CASE("parallel: every item runs once") {
    std::vector<std::atomic<int>> runs(1000);
    parallel_for(1000, [&](std::int64_t item) { ++runs[item]; });
    for (const auto& count : runs) CHECK(count == 1);
    parallel_for(0, [](std::int64_t) { FAIL("no items, no runs"); });
}

TEST_CASE("parallel: every item is waited for once, many at a time") {
    std::vector<std::atomic<int>> waits(1000);
    wait_for_all(1000, [&](std::int64_t item) { ++waits[item]; });
    for (const auto& count : waits) CHECK(count == 1);
    wait_for_all(0, [](std::int64_t) { FAIL("no items, no waits"); });
    if (thread_count() == 1) return;
    // Each waits for the other.
    std::atomic<int> arrived = 0;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    wait_for_all(2, [&](std::int64_t) {
        ++arrived;
        while (arrived < 2 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
        CHECK(arrived == 2);
    });
}

TEST_CASE("parallel: products are taken in order on the worker that made them") {
    std::vector<std::int64_t> products(thread_count());
    std::vector<std::int64_t> taken;
    parallel_in_order(
        1000, [&](std::int64_t item, int worker) { products[worker] = item; },
        [&](std::int64_t, int worker) { taken.push_back(products[worker]); });
    REQUIRE(taken.size() == 1000);
    for (std::int64_t i = 0; i < 1000; ++i) CHECK(taken[i] == i);
}

TEST_CASE("parallel: what a body throws is thrown to the caller") {
    const auto body = [](std::int64_t item) {
        if (item == 17) throw std::runtime_error("seventeen");
    };
    CHECK_THROWS_WITH_AS(parallel_for(100, body), "seventeen", std::runtime_error);
}

TEST_CASE("parallel: of several failures, the first item's is thrown, however late it comes") {
    if (thread_count() == 1) return;
    std::atomic<bool> has_second_begun = false;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const auto fail = [&](std::int64_t item) {
        if (item == 1) has_second_begun = true;
        while (!has_second_begun && std::chrono::steady_clock::now() < give_up) {
            std::this_thread::yield();
        }
        if (item == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        throw std::runtime_error(std::to_string(item));
    };
    CHECK_THROWS_WITH_AS(parallel_for(100, fail), "0", std::runtime_error);
    has_second_begun = false;
    const auto make = [&](std::int64_t item, int) { fail(item); };
    const auto take = [](std::int64_t, int) { FAIL("nothing is made"); };
    CHECK_THROWS_WITH_AS(parallel_in_order(100, make, take), "0", std::runtime_error);
}

TEST_CASE("parallel: no item is taken after a failure to make or take an earlier one") {
    for (const bool fails_to_make : {true, false}) {
        std::vector<std::int64_t> taken;
        const auto fail_at_17 = [](std::int64_t item) {
            if (item == 17) throw std::runtime_error("seventeen");
        };
        const auto make = [&](std::int64_t item, int) {
            if (fails_to_make) fail_at_17(item);
        };
        const auto take = [&](std::int64_t item, int) {
            if (!fails_to_make) fail_at_17(item);
            taken.push_back(item);
        };
        CHECK_THROWS_WITH_AS(parallel_in_order(1000000000000, make, take), "seventeen",
                             std::runtime_error);
        REQUIRE(taken.size() == 17);
        for (std::size_t i = 0; i < taken.size(); ++i) {
            CHECK(taken[i] == static_cast<std::int64_t>(i));
        }
    }
}

TEST_CASE("parallel: nested work runs on the thread of its caller") {
    std::atomic<int> elsewhere = 0;
    parallel_for(8, [&](std::int64_t) {
        const auto here = std::this_thread::get_id();
        if (thread_count() == 1) return;
        parallel_for(8, [&](std::int64_t) { elsewhere += std::this_thread::get_id() != here; });
    });
    CHECK(elsewhere == 0);
}
