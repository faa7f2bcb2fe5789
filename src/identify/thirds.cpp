#include "identify/thirds.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/to_size.h"
#include "identify/agreement.h"
#include "identify/candidate.h"
#include "identify/proposals.h"

namespace pegen::identify {
namespace {

/// Returns rows first ... first + count - 1 as an array of their own.
evidence::Sample rows_of(const evidence::Sample& array, RowRange range) {
    const std::int64_t columns = array.extents.back();
    const auto begin = array.values.begin() + range.first * columns;
    evidence::Sample part = array;
    part.extents = {range.count, columns};
    part.leading = range.count;
    part.values.assign(begin, begin + range.count * columns);
    part.table.shape = Shape(part.extents);
    part.table.rows = [rows = array.table.rows, first = range.first](RowRange asked,
                                                                     std::span<std::byte> out) {
        rows({first + asked.first, asked.count}, out);
    };
    return part;
}

double number_of(const Candidate& candidate, std::string_view name, double otherwise) {
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        if (entry.spec->name != name) continue;
        if (const auto* real = std::get_if<double>(&entry.value)) return *real;
        if (const auto* whole = std::get_if<std::int64_t>(&entry.value)) {
            return static_cast<double>(*whole);
        }
    }
    return otherwise;
}

/// Returns the candidate for all rows of the array, of which it has those from `first` on; none if
/// its encoding does not count rows by len and start.
std::optional<Candidate> continued(Candidate candidate, std::int64_t rows, std::int64_t first) {
    if (!candidate.proposal.rows.empty() || !candidate.proposal.data.empty()) return {};
    try {
        candidate.parameters.set("len", fmt::format("{}", rows), Origin::user);
        if (first > 0) {
            const double start = number_of(candidate, "start", 0) -
                                 static_cast<double>(first) * number_of(candidate, "step", 1);
            candidate.parameters.set("start", fmt::format("{}", start), Origin::user);
        }
    } catch (const Error&) {
        return {};
    }
    candidate.bits = price_of(candidate);
    return candidate;
}

/// Returns the simplest of what the encodings propose that agrees with the whole sample.
std::optional<Candidate> simplest(const evidence::Sample& sample) {
    std::vector<Candidate> candidates = recognized(sample);
    std::ranges::stable_sort(candidates, {}, &Candidate::bits);
    for (Candidate& candidate : candidates) {
        const std::optional<Table> table = table_of(candidate, sample.precision);
        if (!table) continue;
        const Agreement agreement =
            agreement_of(*table, sample, candidate.proposal, Scope::leading);
        if (agreement.level == Level::none || agreement.values == 0) continue;
        if (agreement.evidence > candidate.bits) return std::move(candidate);
    }
    return {};
}

}  // namespace

std::vector<Candidate> continued_thirds(const evidence::Sample& array) {
    constexpr std::int64_t fewest = 6;
    const std::int64_t rows = array.extents.front(), third = rows / 3;
    const bool is_whole = array.leading == rows;
    if (array.rank() != 2 || !is_whole || third < fewest) return {};
    std::vector<Candidate> candidates;
    for (const std::int64_t first : {std::int64_t{0}, third, 2 * third}) {
        std::optional<Candidate> part = simplest(rows_of(array, {first, third}));
        if (part) part = continued(*part, rows, first);
        if (part) candidates.push_back(std::move(*part));
    }
    return candidates;
}

}  // namespace pegen::identify
