#include "identify/elsewhere.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/to_size.h"
#include "identify/candidate.h"

namespace pegen::identify {
namespace {

constexpr std::int64_t most_values = std::int64_t{1} << 18;

/// The parameters that say how large a candidate's table is.
std::vector<std::string_view> extents_of(const Candidate& candidate) {
    std::vector<std::string_view> names;
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        const bool is_extent =
            entry.spec->is_extent && std::holds_alternative<std::int64_t>(entry.value);
        if (is_extent) names.push_back(entry.spec->name);
    }
    return names;
}

/// A size: an extent, and its value.
struct Size {
    std::string_view name;
    std::int64_t value;
};

/// Returns the candidate with another extent; none if the encoding refuses it, or if the table
/// would be large.
std::optional<Table> table_at(Candidate candidate, const Size& size) {
    try {
        candidate.parameters.set(size.name, fmt::format("{}", size.value), Origin::user);
        const PlannedTable planned = plan_table(*candidate.encoding, *candidate.table,
                                                candidate.parameters, candidate.table->dtype);
        if (planned.table.shape.size() > most_values) return {};
    } catch (const Error&) {
        return {};
    }
    candidate.proposal = {};
    return table_of(candidate, evidence::precision_of(DType::float32));
}

bool are_equal(const Table& a, const Table& b) {
    if (a.shape != b.shape) return false;
    const RowRange all{0, a.shape.rows()};
    const std::vector<double> ours = read_rows(a, all), theirs = read_rows(b, all);
    double largest = 0;
    for (const double value : ours) {
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    }
    return std::ranges::equal(ours, theirs, [=](double x, double y) {
        // The exact formula and float32 arithmetic are one convention.
        constexpr double small = 1e-4;
        return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= small * largest;
    });
}

/// Makes the other extents small where the table is too large to be made again and again.
Candidate small_one(Candidate candidate, std::string_view kept) {
    constexpr std::int64_t small = 24;
    for (const std::string_view name : extents_of(candidate)) {
        if (name == kept) continue;
        const std::int64_t value = candidate.parameters.integer(name);
        candidate.parameters.resolve(name, std::min(value, small));
    }
    return candidate;
}

}  // namespace

std::optional<std::string> told_apart_by(const Candidate& a, const Candidate& b) {
    if (a.encoding != b.encoding && extents_of(a) != extents_of(b)) return "";
    for (const std::string_view name : extents_of(a)) {
        const std::int64_t value = a.parameters.integer(name);
        for (const std::int64_t other : {value + 1, 2 * value, 2 * value + 1, 4 * value}) {
            const Size size{name, other};
            std::optional<Table> ours = table_at(a, size), theirs = table_at(b, size);
            if (!ours || !theirs) {
                ours = table_at(small_one(a, name), size);
                theirs = table_at(small_one(b, name), size);
            }
            if (ours && theirs && !are_equal(*ours, *theirs)) {
                return fmt::format("--{} {}", name, other);
            }
        }
    }
    return {};
}

}  // namespace pegen::identify
