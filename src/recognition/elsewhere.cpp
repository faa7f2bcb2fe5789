#include "recognition/elsewhere.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "encodings/choice.h"
#include "recognition/agreement.h"
#include "recognition/candidate.h"

namespace pegen::recognition {
namespace {

/// Returns the names of the parameters that say how large a candidate's table is.
std::vector<std::string_view> extents_of(const Candidate& candidate) {
    std::vector<std::string_view> names;
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        // If positions are listed, the length of the list is fixed, and `len` is no extent.
        const bool is_of_list = entry.spec->name == "len" &&
                                candidate.parameters.knows("positions") &&
                                candidate.parameters.has("positions");
        const bool is_extent = entry.spec->is_extent() && !is_of_list &&
                               std::holds_alternative<std::int64_t>(entry.value);
        if (is_extent) names.push_back(entry.spec->name);
    }
    return names;
}

/// Returns other values of an extent. Most differences that sizes hide show at the next value, at
/// an odd one, at twice the size, or beyond a threshold.
std::vector<std::int64_t> other_values(std::int64_t value) {
    constexpr std::int64_t large = 64;
    if (value > large) return {value + 1, 2 * value};
    return {value + 1, 2 * value, 2 * value + 1, 4 * value, 16 * value};
}

/// Returns the candidate with all extents made small, except the one that is kept.
Candidate small_but(Candidate candidate, std::string_view kept) {
    constexpr std::int64_t small = 24;
    for (const std::string_view name : extents_of(candidate)) {
        if (name == kept) continue;
        const std::int64_t value = candidate.parameters.integer(name);
        candidate.parameters.resolve(name, std::min(value, small));
    }
    return candidate;
}

/// Returns the values of the candidate's table; none if the encoding refuses the parameters, or if
/// the table has more than `most_values` values.
std::vector<double> values_of(Candidate candidate, const Size& size, std::int64_t most_values) {
    candidate.parameters.resolve(size.extent, size.value);
    candidate.proposal.rows.clear();
    try {
        const PlannedTable planned = plan_table(*candidate.encoding, *candidate.table,
                                                candidate.parameters, candidate.table->dtype);
        if (planned.table.shape.size() > most_values) return {};
    } catch (const Error&) {
        return {};
    }
    const std::optional<Table> table = table_of(candidate, evidence::precision_of(DType::float32));
    if (!table) return {};
    const Table part = selected(*table, candidate.proposal);
    return read_rows(part, {0, part.shape.rows()});
}

/// Returns the candidate's values in float64; none if there are many.
std::vector<double> values_in_float64(const Candidate& candidate) {
    constexpr std::int64_t many = std::int64_t{1} << 18;
    const std::optional<Table> table = table_of(candidate, evidence::precision_of(DType::float64));
    if (!table || table->shape.size() > many) return {};
    return read_rows(*table, {0, table->shape.rows()});
}

std::vector<double> values_at(const Candidate& candidate, const Size& size) {
    constexpr std::int64_t few = std::int64_t{1} << 14, many = std::int64_t{1} << 20;
    if (size.is_small) return values_of(small_but(candidate, size.extent), size, many);
    return values_of(candidate, size, few);
}

/// Returns the channels of the candidate's table that the array has; "" if it has all.
std::string part_of(const Candidate& candidate) {
    return fmt::format("{}{}", joined(candidate.proposal.channels, ","),
                       channel_choice(candidate.parameters).value_or(""));
}

/// True if another value of the extent gives the whole table another number of channels.
bool changes_channels(Candidate candidate, const Size& size) {
    const auto columns = [&]() -> std::int64_t {
        try {
            return plan_of(*candidate.encoding, candidate.parameters, candidate.table->name)
                .shape.columns();
        } catch (const Error&) {
            return 0;
        }
    };
    candidate.parameters = without_channel_choice(std::move(candidate.parameters));
    const std::int64_t before = columns();
    candidate.parameters.resolve(size.extent, size.value);
    return columns() != before;
}

/// Returns the size as options of a command.
std::string text_of(const Candidate& candidate, const Size& size) {
    std::string text = fmt::format("--{} {}", size.extent, size.value);
    if (!size.is_small) return text;
    const Candidate small = small_but(candidate, size.extent);
    for (const std::string_view name : extents_of(small)) {
        if (name == size.extent) continue;
        text += fmt::format(" --{} {}", name, small.parameters.integer(name));
    }
    return text;
}

bool are_equal(const std::vector<double>& a, const std::vector<double>& b) {
    const double largest = evidence::largest_magnitude(a);
    return std::ranges::equal(a, b, [=](double x, double y) {
        // A table by the exact formula and the same table by float32 arithmetic are one convention.
        constexpr double small = 1e-4;
        return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= small * largest;
    });
}

}  // namespace

Elsewhere elsewhere(const Candidate& candidate) {
    Elsewhere all{candidate.encoding, {}, part_of(candidate), {}};
    for (const std::string_view extent : extents_of(candidate)) {
        for (const std::int64_t value : other_values(candidate.parameters.integer(extent))) {
            Size size{extent, value, false};
            std::vector<double> values = values_at(candidate, size);
            if (values.empty()) {
                size.is_small = true;
                values = values_at(candidate, size);
            }
            if (values.empty()) continue;
            all.tables.push_back({size, std::move(values), text_of(candidate, size),
                                  changes_channels(candidate, size)});
        }
    }
    if (all.tables.empty()) all.in_float64 = values_in_float64(candidate);
    return all;
}

std::optional<std::string> told_apart_by(const Elsewhere& a, const Candidate& b) {
    const std::vector<std::string_view> extents = extents_of(b);
    const bool are_other_parts = a.part != part_of(b);
    bool has_compared = false, has_left_out = false;
    for (const TableElsewhere& table : a.tables) {
        if (std::ranges::count(extents, table.size.extent) == 0) continue;
        if (are_other_parts && (table.has_other_channels || changes_channels(b, table.size))) {
            has_left_out = true;
            continue;
        }
        const std::vector<double> theirs = values_at(b, table.size);
        if (theirs.empty()) continue;
        if (a.encoding != b.encoding && theirs.size() != table.values.size()) {
            has_left_out = true;  // the same extent means something else to each encoding
            continue;
        }
        has_compared = true;
        if (!are_equal(table.values, theirs)) return table.text;
    }
    if (has_left_out || (a.encoding != b.encoding && !has_compared)) return "";
    if (!are_other_parts && !a.in_float64.empty() && a.in_float64 != values_in_float64(b)) {
        return "--dtype float64";
    }
    return {};
}

bool is_same_with_axes_exchanged(const Elsewhere& a, const Candidate& b) {
    const std::vector<std::string_view> extents = extents_of(b);
    const bool has_both =
        std::ranges::count(extents, "height") > 0 && std::ranges::count(extents, "width") > 0;
    if (a.encoding != b.encoding || !has_both) return false;
    return std::ranges::all_of(a.tables, [&](const TableElsewhere& table) {
        Size size = table.size;
        if (size.extent == "height") {
            size.extent = "width";
        } else if (size.extent == "width") {
            size.extent = "height";
        }
        return are_equal(table.values, values_at(b, size));
    });
}

}  // namespace pegen::recognition
