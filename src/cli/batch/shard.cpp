#include "cli/batch/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "cli/batch/job_request.h"
#include "cli/generate.h"
#include "core/error.h"
#include "core/number.h"
#include "core/parallel.h"

namespace pegen::cli {
namespace {

// Costs in nanoseconds, measured with one thread as docs/scale.md says.
constexpr std::int64_t per_file = 150'000;
constexpr std::int64_t per_figure = 10'000'000;
constexpr std::int64_t per_text = 25;  ///< for each value
constexpr std::int64_t per_value = 2;  ///< for each value that is computed and written

/// The highest cost: the sum of the costs of all jobs stays below 2^63.
constexpr std::int64_t most_cost = std::int64_t{1} << 42;

std::int64_t cost_of(const Format& format, std::int64_t values) {
    if (is_figure(format)) return per_figure;
    return per_file + values * (format.is_binary ? per_value : per_text);
}

std::int64_t cost_of(const Request& request) {
    constexpr std::int64_t most_values = most_cost / per_text;
    std::int64_t cost = 0;
    std::int64_t all = 0;
    for (const RequestedTable& wanted : request.tables) {
        const std::int64_t values =
            std::min(planned_table(request, wanted).table.shape.size(), most_values);
        for (const Target& target : wanted.targets) cost += cost_of(*target.format, values);
        all = std::min(all + values, most_values);
    }
    for (const Target& archive : request.archives) cost += cost_of(*archive.format, all);
    return std::min(cost, most_cost);
}

}  // namespace

Shard shard_named(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) refuse("shard", text, "must be a number and a count, such as 2/8");
    const Shard shard{parse_integer(text.substr(0, slash), "--shard"),
                      parse_integer(text.substr(slash + 1), "--shard")};
    if (shard.number < 1 || shard.number > shard.count) {
        refuse("shard", text, "must be from 1/N to N/N: shares are counted from 1");
    }
    return shard;
}

std::vector<std::int64_t> costs_of(const Batch& batch, std::span<const Unit> units) {
    const auto cost_of_job = [&](std::size_t number) {
        try {
            return cost_of(
                job_request(batch.manifest.job(number), batch.manifest.defaults, batch.path));
        } catch (const Error&) {
            return per_file;  // an invalid job has no cost; it fails when it is run
        }
    };
    std::vector<std::int64_t> costs(units.size());
    parallel_for(std::ssize(costs), [&](std::int64_t i) {
        costs[i] = cost_of_job(units[i].first);
        for (const std::size_t other : units[i].others) {
            costs[i] = std::min(most_cost, costs[i] + cost_of_job(other));
        }
    });
    return costs;
}

std::vector<std::size_t> jobs_of(const Shard& shard, const std::vector<std::int64_t>& costs) {
    std::vector<std::size_t> jobs(costs.size());
    std::iota(jobs.begin(), jobs.end(), std::size_t{0});
    std::ranges::stable_sort(jobs, std::ranges::greater(),
                             [&](std::size_t job) { return costs[job]; });
    // Shares beyond the number of jobs stay empty, so that they need not be considered.
    const std::int64_t shares = std::min<std::int64_t>(shard.count, std::ssize(costs));
    using Load = std::pair<std::int64_t, std::int64_t>;  // a share's time so far, and its number
    std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
    for (std::int64_t number = 1; number <= shares; ++number) loads.emplace(0, number);
    std::vector<std::size_t> ours;
    for (const std::size_t job : jobs) {
        const auto [time, number] = loads.top();
        loads.pop();
        loads.emplace(time + costs[job], number);
        if (number == shard.number) ours.push_back(job);
    }
    std::ranges::sort(ours);
    return ours;
}

std::vector<std::size_t> jobs_by_number(const Shard& shard, std::size_t count) {
    std::vector<std::size_t> ours;
    for (std::size_t i = 0; i < count; ++i) {
        // SplitMix64: neighbours, and jobs a swept list apart, are in shares of their own.
        std::uint64_t hash = (i + 1) * 0x9e3779b97f4a7c15U;
        hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9U;
        hash = (hash ^ hash >> 27) * 0x94d049bb133111ebU;
        hash ^= hash >> 31;
        const auto share = hash % static_cast<std::uint64_t>(shard.count);
        if (share == static_cast<std::uint64_t>(shard.number - 1)) ours.push_back(i);
    }
    return ours;
}

}  // namespace pegen::cli
