#include "identify/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "evidence/distribution.h"
#include "identify/candidate.h"
#include "identify/departure.h"
#include "identify/likeness.h"
#include "identify/proposals.h"
#include "identify/thirds.h"

namespace pegen::identify {
namespace {

/// The largest absolute value that is finite.
double largest(std::span<const double> values) {
    double most = 0;
    for (const double value : values) {
        if (std::isfinite(value)) most = std::max(most, std::abs(value));
    }
    return most;
}

struct Near {
    Candidate candidate;
    Likeness likeness;
    evidence::Sample array;
    std::string note;
};

/// The most that remains, as a part of the array, of one that has noise.
constexpr double most_remaining = 0.35;

/// How near a table must be to be worth naming. Within much noise anything agrees.
bool is_near(const Likeness& likeness, const evidence::Sample& array) {
    constexpr double some = 0.2, several = 3;
    // All values of the array are far smaller than those of the table.
    if (!(likeness.remaining <= several)) return false;
    // It agrees, but the values say too little.
    if (array.noise == 0 && likeness.agreeing == 1 && likeness.is_of_all) return false;
    return (array.noise == 0 && likeness.agreeing >= some) || likeness.remaining <= most_remaining;
}

bool is_close(const Near& near) {
    constexpr double nearly_all = 0.9, hardly = 1e-3;
    return near.likeness.agreeing > nearly_all || near.likeness.remaining < hardly;
}

bool is_nearer(const Near& a, const Near& b) {
    // Few values in which a table differs say more than a change of all values of another one.
    if (is_close(a) != is_close(b)) return is_close(a);
    if (a.likeness.change.empty() != b.likeness.change.empty())
        return is_close(a) == a.likeness.change.empty();
    if (!a.likeness.change.empty()) return a.candidate.bits < b.candidate.bits;
    // Numbers that agree a little better by having more digits are no better.
    const auto worth = [](const Near& near) {
        return near.likeness.agreeing - near.candidate.bits / 1000;
    };
    constexpr double much = 0.02;
    if (std::abs(worth(a) - worth(b)) > much) return worth(a) > worth(b);
    constexpr double clearly = 0.9;
    const double smaller = std::min(a.likeness.remaining, b.likeness.remaining);
    const double larger = std::max(a.likeness.remaining, b.likeness.remaining);
    if (smaller < clearly * larger) return a.likeness.remaining == smaller;
    return a.candidate.bits < b.candidate.bits;
}

/// Returns the candidates that may be near within more noise than the array has.
std::vector<Candidate> keep_nearest(std::optional<Near>& nearest,
                                    const std::vector<Candidate>& candidates,
                                    const evidence::Sample& array, const std::string& note,
                                    const Progress& progress) {
    std::vector<Candidate> near_within_noise;
    for (const Candidate& candidate : candidates) {
        progress(0, 0);
        // A command that costs as much as the array says is no convention.
        constexpr double bits_of_value = 2;
        const double most_bits = bits_of_value * static_cast<double>(array.values.size());
        if (candidate.bits > most_bits) continue;
        const std::optional<Table> table = table_of(candidate, array.precision);
        if (!table) continue;
        Near near{candidate, likeness_of(*table, array, candidate.proposal), array, note};
        if (near.likeness.remaining <= most_remaining) near_within_noise.push_back(candidate);
        const bool is_explained = candidate.bits <= most_bits * near.likeness.agreeing;
        if (near.likeness.change.empty() && !(is_explained && is_near(near.likeness, array)))
            continue;
        if (!nearest || is_nearer(near, *nearest)) nearest = std::move(near);
    }
    return near_within_noise;
}

/// True if the list is a run of numbers, 3 4 5 6, but not in their order.
template <class T>
bool is_shuffled_run(std::vector<T> list) {
    constexpr std::size_t least = 8;
    if (list.size() < least || std::ranges::is_sorted(list) ||
        std::ranges::is_sorted(list, std::ranges::greater())) {
        return false;
    }
    std::ranges::sort(list);
    for (std::size_t i = 1; i < list.size(); ++i) {
        if (list[i] - list[i - 1] != 1) return false;
    }
    return true;
}

/// Answers with the nearest candidate and where the array leaves it.
Identification departing(Candidate candidate, const std::string& note, std::string departure) {
    candidate.command = command_of(candidate, nullptr, candidate.table->dtype);
    candidate.notes = candidate.proposal.notes;
    if (!note.empty()) candidate.notes.push_back(note);
    Identification answer;
    answer.departure = std::move(departure);
    answer.nearest = std::move(candidate);
    return answer;
}

std::vector<double> positions_of(const Candidate& candidate) {
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        const auto* list = std::get_if<std::vector<double>>(&entry.value);
        if (entry.spec->name == "positions" && list) return *list;
    }
    return {};
}

}  // namespace

std::optional<Identification> in_another_order(const Candidate& candidate) {
    Identification answer;
    answer.nearest = candidate;
    Candidate& usual = *answer.nearest;
    if (is_shuffled_run(candidate.proposal.channels)) {
        answer.departure = "the channels are in another order";
    } else if (is_shuffled_run(candidate.proposal.rows)) {
        answer.departure = "the rows are in another order";
    } else if (const std::vector<double> positions = positions_of(candidate);
               is_shuffled_run(positions)) {
        answer.departure = "the rows are in another order";
        const double first = *std::ranges::min_element(positions);
        usual.parameters.resolve("positions", Value());
        usual.parameters.set("len", fmt::format("{}", positions.size()), Origin::user);
        usual.parameters.set("start", fmt::format("{}", first), Origin::user);
    } else {
        return {};
    }
    usual.proposal.rows.clear();
    usual.proposal.channels.clear();
    usual.agreement.level = Level::none;
    usual.command = command_of(usual, nullptr, usual.table->dtype);
    return answer;
}

Identification left_by(const Candidate& candidate, const std::string& note,
                       const evidence::Sample& array, const Progress& progress) {
    const std::optional<Table> table = table_of(candidate, array.precision);
    return departing(candidate, note, departure_from(*table, array, candidate.proposal, progress));
}

Identification nearest_to(const std::vector<View>& views,
                          const std::vector<std::vector<Candidate>>& candidates,
                          const Progress& progress) {
    // Within noise, only the most usual ways to look at the array are tried.
    constexpr std::array noises{0.0, 1e-4, 1e-2, 1e-1};
    constexpr std::size_t most_noisy = 3;
    std::optional<Near> nearest;
    for (std::size_t i = 0; i < views.size() && !nearest; ++i) {
        evidence::Sample sample = views[i].sample();
        const double most = largest(sample.values);
        if (i == 0)
            keep_nearest(nearest, continued_thirds(sample), sample, views[i].note, progress);
        std::vector<Candidate> of_view = candidates[i];
        for (const double noise : noises) {
            // Values within the noise say nothing.
            if (noise > 0 && (i >= most_noisy || most <= noise)) break;
            sample.noise = noise;
            of_view = keep_nearest(nearest, of_view, sample, views[i].note, progress);
            if (noise > 0) {
                keep_nearest(nearest, recognized(sample, progress), sample, views[i].note,
                             progress);
            }
            if (nearest && (!nearest->likeness.change.empty() || nearest->likeness.agreeing > 0.5))
                break;
        }
    }
    if (!nearest || nearest->array.noise > 0 || !is_close(*nearest)) {
        const evidence::Sample sample = views.front().sample();
        keep_nearest(nearest, fitted_images(sample), sample, views.front().note, progress);
    }
    Identification found;
    if (!nearest) {
        const std::string distribution = evidence::distribution_of(views.front().sample());
        if (!distribution.empty()) {
            found.notes = {
                fmt::format("the values look like random numbers, {}, of no seed that was tried",
                            distribution)};
        }
        return found;
    }
    if (!nearest->likeness.change.empty()) {
        return departing(nearest->candidate, nearest->note, nearest->likeness.change);
    }
    nearest->array.noise = 0;
    Identification answer = left_by(nearest->candidate, nearest->note, nearest->array, progress);
    return answer.departure.empty() ? found : answer;
}

}  // namespace pegen::identify
