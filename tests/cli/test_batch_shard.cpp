#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "cli/batch.h"
#include "cli/batch/shard.h"

using namespace pegen;
using namespace pegen::testing;

namespace {

std::vector<std::vector<std::size_t>> shares(std::int64_t count,
                                             const std::vector<std::int64_t>& costs) {
    std::vector<std::vector<std::size_t>> all;
    for (std::int64_t number = 1; number <= count; ++number) {
        all.push_back(cli::jobs_of({number, count}, costs));
    }
    return all;
}

constexpr const char* sweep = R"({
  "index": "index.jsonl",
  "jobs": [
    {"encoding": "sinusoid", "len": 4000, "d": 64, "npy": "large.npy"},
    {"encoding": "sinusoid", "len": 8, "sweep": {"d": [2, 4, 6, 8, 10]}, "npy": "{d}.npy"}]})";

}  // namespace

TEST_CASE("shard: each job is in one share, in order, and the shares cost about the same") {
    using Shares = std::vector<std::vector<std::size_t>>;
    CHECK(shares(2, {5, 1, 1, 1, 1, 1}) == Shares{{0}, {1, 2, 3, 4, 5}});
    CHECK(shares(2, {1, 1, 1, 1}) == Shares{{0, 2}, {1, 3}});
    CHECK(shares(3, {1, 9, 1, 8, 7, 1}) == Shares{{1}, {2, 3}, {0, 4, 5}});
    CHECK(shares(1, {3, 4}) == Shares{{0, 1}});
    CHECK(shares(3, {3, 4}) == Shares{{1}, {0}, {}});
    CHECK(shares(2, {}) == Shares{{}, {}});
    CHECK(cli::jobs_of({1'000'000'000'000, 1'000'000'000'000}, {3, 4}).empty());
}

TEST_CASE("shard: by number, each job is in one share, and each share has some of every setting") {
    constexpr std::size_t count = 20'000;
    std::vector<int> seen(count);
    for (const std::int64_t number : {1, 2, 3, 4, 5, 6, 7, 8}) {
        std::vector<std::int64_t> of_setting(8);
        const auto share = cli::jobs_by_number({number, 8}, count);
        CHECK(std::ranges::is_sorted(share));
        CHECK(std::ssize(share) > 2350);
        CHECK(std::ssize(share) < 2650);
        for (const std::size_t job : share) {
            ++seen[job];
            ++of_setting[job % 8];  // as if the fastest option of a sweep had eight values
        }
        CHECK(std::ranges::min(of_setting) > 230);
    }
    CHECK(std::ranges::count(seen, 1) == count);
}

TEST_CASE("shard: a share of a large manifest looks at its own jobs alone") {
    const auto manifest = [](int most) {
        return fmt::format(R"({{"jobs": [
            {{"encoding": "index", "len": 1, "sweep": {{"start": {{"from": 1, "to": {}}}}},
              "npy": "same.npy"}}]}})",
                           most);
    };
    CHECK(batch_refusal(manifest(10'000), 3, "--shard 1/20000") ==
          "pe-gen: m.json: jobs[0] with start 2: same.npy is also the target of jobs[0] with start "
          "1");
    CHECK(Batch(manifest(10'001)).run("--shard 1/20000").status == 0);
    CHECK(batch_refusal(manifest(10'001)).find("is also the target of") != std::string::npos);
}

TEST_CASE("shard: all shares together make the files of one run, which then writes the index") {
    const Batch whole(sweep);
    CHECK(whole.run().status == 0);
    const Batch parts(sweep);
    CHECK(parts.run("--shard 1/2").output ==
          "wrote large.npy\n1 job: 1 file written, 0 up to date\n");
    CHECK(parts.run("--shard 2/2 --dry-run").output.find("large") == std::string::npos);
    CHECK(parts.run("--shard 2/2").output ==
          "wrote 2.npy\nwrote 4.npy\nwrote 6.npy\nwrote 8.npy\nwrote 10.npy\n"
          "5 jobs: 5 files written, 0 up to date\n");
    CHECK(parts.run("--shard 2/2 --check").status == 0);
    CHECK_FALSE(parts.has("index.jsonl"));
    CHECK(parts.run("-j 2").output == "wrote index.jsonl\n6 jobs: 1 file written, 6 up to date\n");
    CHECK(parts.folder.names() == whole.folder.names());
    for (const std::string& name : whole.folder.names())
        CHECK(parts.file(name) == whole.file(name));
}

TEST_CASE("shard: a job that cannot be done fails in its share alone") {
    const Batch batch(R"({"jobs": [
      {"encoding": "sinusoid", "d": 3, "odd": "error", "len": 8, "npy": "a.npy"},
      {"encoding": "sinusoid", "d": 4, "len": 8, "npy": "b.npy"}]})");
    CHECK(batch.run("--shard 1/2").status == 0);
    CHECK(batch.run("--shard 2/2").status == 3);
    CHECK(batch.folder.names() == std::set<std::string>{"b.npy", "m.json"});
}

TEST_CASE("shard: what is no share is refused") {
    const auto refusal = [](const std::string& options) {
        return batch_refusal(sweep, 2, options);
    };
    CHECK(refusal("--shard 2") == "pe-gen: --shard 2: must be a number and a count, such as 2/8");
    for (const char* text : {"0/2", "3/2", "-1/2", "0/0"}) {
        CHECK(refusal(fmt::format("--shard {}", text)) ==
              fmt::format("pe-gen: --shard {}: must be from 1/N to N/N: shares are counted from 1",
                          text));
    }
    CHECK(refusal("--shard 1/x").starts_with("pe-gen: --shard"));
    CHECK(refusal("--shard 1/2 --orphans") ==
          "pe-gen: --orphans: is about all jobs; leave out --shard");
}
