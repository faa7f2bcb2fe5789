#include "recognition/long_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "recognition/candidate.h"
#include "recognition/evidence/precision.h"
#include "rows/arranged.h"

namespace pegen::recognition {
namespace {

constexpr double largest_error = 0.1;  ///< that float32 code may have at any angle

/// A table whose rows, apart from the step between them, are those of positions 0, 1, 2, ...
struct Convention {
    Candidate candidate;
    double first;           ///< the position of row 0
    double step;            ///< from row to row, positive
    std::string step_text;  ///< as one types it: "0.5", "1/19999"
    std::int64_t length;    ///< rows of `values`
    std::vector<double> values;
    evidence::Precision precision;
    std::function<double(std::int64_t column)> frequency;  ///< in radians a position; may be null
    std::string zero_row;  ///< --zero-row, which `values` do without; "" if there is none

    std::int64_t columns() const { return std::ssize(values) / length; }
    double position(std::int64_t row) const {
        return std::fma(step, static_cast<double>(row), first);
    }
    /// True if the values are this row of the table, but for a few that are spoiled.
    bool has(std::int64_t row, std::span<const double> theirs) const {
        const std::span own = std::span(values).subspan(row * columns(), columns());
        const double error = std::min(0x1p-23 * (1 + 8 * std::fabs(position(row))), largest_error);
        const std::int64_t most_misses = columns() / 16;
        std::int64_t misses = 0;
        for (std::int64_t c = 0; c < columns(); ++c) {
            const double off = std::fabs(own[c] - theirs[c]);
            const bool is_same = off <= error + evidence::unit_of(own[c], precision);
            if (!is_same && ++misses > most_misses) return false;
        }
        return true;
    }
};

Table part_of(const Table& array, RowRange rows) {
    Table part = array;
    part.shape = Shape({rows.count, array.shape.columns()});
    part.axes.resize(2);
    part.rows = rows::slice(array.rows, rows);
    return part;
}

/// Returns the settings of a candidate without its positions.
Parameters without_positions(const Candidate& candidate) {
    Parameters p(candidate.encoding->parameters);
    for (const Parameters::Entry& entry : candidate.parameters.entries()) {
        const std::string_view name = entry.spec->name;
        const bool is_of_positions = name == "len" || name == "start" || name == "step" ||
                                     name == "positions" || name == "reverse" || name == "zero-row";
        if (is_of_positions || is_default(entry)) continue;
        p.set(name, to_string(entry), entry.origin);
    }
    return p;
}

/// Returns the frequencies of the channels by the angles of the candidate's last of `rows` rows.
std::function<double(std::int64_t)> frequency_of(const Candidate& candidate, std::int64_t rows) {
    const Parameters& p = candidate.parameters;
    const std::int64_t last = rows - 1;
    const double position = p.has("positions")
                                ? p.reals("positions")[last]
                                : p.real("start") + p.real("step") * static_cast<double>(last);
    if (!candidate.proposal.angle || position == 0) return nullptr;
    return [angle = candidate.proposal.angle, position, last](std::int64_t column) {
        return std::fabs(angle(last, column) / position);
    };
}

/// A step as one types it.
struct TypedStep {
    std::string text;
    double value;
};

/// Returns the step as a short number, or as a part of a whole number that the steps of all rows
/// make, as linspace(0, 1, 20000) does: "1/19999". Nothing if it is neither, as some rows show only
/// the first digits of a step.
std::optional<TypedStep> typed_step(double step, std::int64_t rows) {
    constexpr std::size_t longest = 6;  // digits that people type
    if (plain(step).size() <= longest) return TypedStep{plain(step), step};
    for (const std::int64_t parts : {rows - 1, rows}) {
        const double length = step * static_cast<double>(parts), whole = std::rint(length);
        constexpr double rough = 1e-3;
        if (whole != 0 && std::fabs(length - whole) <= rough * std::fabs(whole)) {
            return TypedStep{fmt::format("{}/{}", plain(whole), parts),
                             whole / static_cast<double>(parts)};
        }
    }
    return {};
}

/// Returns the table of the convention that the rows in the range have, made from position 0 on if
/// it can be; none if they have none.
std::optional<Convention> convention_in(const Table& array, RowRange range,
                                        const Progress& progress) {
    const Identification part = identify_exactly(part_of(array, range), progress);
    if (!part.found) return {};
    const Candidate& candidate = *part.found;
    const Proposal& proposal = candidate.proposal;
    const Parameters& p = candidate.parameters;
    const bool has_data = std::ranges::any_of(proposal.data, [](const evidence::DataFile& data) {
        return data.parameter != "positions-file";
    });
    if (!proposal.rows.empty() || !proposal.channels.empty() || has_data || !p.knows("positions") ||
        !p.knows("step"))
        return {};
    const bool is_even = !p.has("positions") && p.real("step") != 0;
    const std::int64_t rows = array.shape.rows();
    const auto typed = typed_step(is_even ? std::fabs(p.real("step")) : 1, rows);
    if (!typed) return {};
    const double step = typed->value, start = is_even ? p.real("start") : 0;
    const double rows_before = start / step - static_cast<double>(range.first);
    // Rows may count from 0 again, if that is not far.
    const bool is_near = rows_before == std::rint(rows_before) && rows_before >= 0 &&
                         rows_before <= static_cast<double>(rows);
    Convention convention{.candidate = candidate_of(*candidate.encoding, *candidate.table,
                                                    without_positions(candidate)),
                          .first = is_near ? 0 : start,
                          .step = step,
                          .step_text = typed->text,
                          .length = rows + (is_near ? std::llround(rows_before) : 0),
                          .values = {},
                          .precision = {},
                          .frequency = frequency_of(candidate, range.count),
                          .zero_row = {}};
    if (p.knows("zero-row") && p.has("zero-row") && range.first == 0) {
        convention.zero_row = fmt::format("{}", p.integer("zero-row"));
    }
    constexpr std::int64_t most_values = std::int64_t{1} << 25;
    if (convention.length > most_values / array.shape.columns()) return {};
    try {
        Parameters q = convention.candidate.parameters;
        q.set("len", fmt::format("{}", convention.length), Origin::user);
        q.set("start", shortest(convention.first), Origin::user);
        q.set("step", typed->text, Origin::user);
        const Table table = make_table(*candidate.encoding, *candidate.table, q, DType::float64);
        if (table.shape.size() != convention.length * array.shape.columns()) return {};
        convention.values = read_rows(table, {0, convention.length});
    } catch (const UsageError&) {
        return {};
    }
    convention.candidate.proposal.notes = part.notes;
    convention.precision = evidence::narrowest(read_rows(array, range), array.dtype);
    return convention;
}

/// Returns the two columns that change most from row to row.
std::array<std::int64_t, 2> fastest_columns(const Convention& convention) {
    constexpr std::int64_t enough = 256;
    const std::int64_t columns = convention.columns();
    std::vector<double> changes(columns);
    for (std::int64_t row = 1; row < std::min(convention.length, enough); ++row) {
        for (std::int64_t c = 0; c < columns; ++c) {
            const std::int64_t place = row * columns + c;
            changes[c] += std::fabs(convention.values[place] - convention.values[place - columns]);
        }
    }
    std::vector<std::int64_t> order(columns);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](auto c) { return changes[c]; });
    return {order[0], order[1]};
}

/// The rows of a convention's table in the order of their values in one column.
class RowIndex {
  public:
    RowIndex(const Convention& convention, std::int64_t column)
        : convention_(&convention), column_(column), rows_(convention.length) {
        std::iota(rows_.begin(), rows_.end(), 0);
        std::ranges::sort(rows_, {}, [this](std::int64_t row) { return value_of(row); });
    }

    /// Returns the row of the table that these values are, searched from the nearest value in the
    /// column on; -1 if there is none. Compares at most `comparisons_left` rows and counts them.
    std::int64_t find(std::span<const double> values, std::int64_t& comparisons_left) const {
        const double value = values[column_];
        const double reach = largest_error + evidence::unit_of(value, convention_->precision);
        const auto value_at = [this](std::int64_t row) { return value_of(row); };
        auto above = std::ranges::lower_bound(rows_, value, {}, value_at), below = above;
        while (comparisons_left > 0) {
            const double up = above == rows_.end() ? infinite : value_of(*above) - value;
            const double down = below == rows_.begin() ? infinite : value - value_of(*(below - 1));
            if (!(std::min(up, down) <= reach)) return -1;
            const std::int64_t row = up <= down ? *above++ : *--below;
            --comparisons_left;
            if (convention_->has(row, values)) return row;
        }
        return -1;
    }

  private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();

    double value_of(std::int64_t row) const {
        return convention_->values[row * convention_->columns() + column_];
    }

    const Convention* convention_;
    std::int64_t column_;
    std::vector<std::int64_t> rows_;
};

/// Finds which row of the convention's table each row of an array is. Rows mostly go on as the two
/// rows before them.
class RowSearch {
  public:
    explicit RowSearch(const Convention& convention) : convention_(convention) {}

    /// Adds the next rows, (rows, columns). A row that no row of the table equals is taken for the
    /// likeliest one.
    void add(std::span<const double> values) {
        const std::int64_t columns = convention_.columns();
        for (std::int64_t place = 0; place < std::ssize(values); place += columns) {
            found_.push_back(found(values.subspan(place, columns)));
        }
    }

    const std::vector<std::int64_t>& rows() const { return found_; }
    std::int64_t misses() const { return misses_; }

  private:
    std::int64_t found(std::span<const double> values) {
        const auto count = found_.size();
        const std::int64_t last = count > 0 ? found_[count - 1] : -1;
        const std::int64_t next = count > 1 ? 2 * last - found_[count - 2] : last + 1;
        for (const std::int64_t likely : {next, last + 1, last, std::int64_t{0}, std::int64_t{1}}) {
            if (is_at(likely, values)) return likely;
        }
        if (indices_.empty()) {
            for (const std::int64_t column : fastest_columns(convention_)) {
                indices_.emplace_back(convention_, column);
            }
        }
        // A row with one spoiled value is found by another one.
        for (const RowIndex& index : indices_) {
            if (const std::int64_t row = index.find(values, comparisons_left_); row >= 0)
                return row;
        }
        ++misses_;
        return next;
    }

    bool is_at(std::int64_t row, std::span<const double> values) const {
        return row >= 0 && row < convention_.length && convention_.has(row, values);
    }

    const Convention& convention_;
    std::vector<RowIndex> indices_;  ///< made when a row is none of the likely ones
    std::vector<std::int64_t> found_;
    std::int64_t misses_ = 0;
    /// For all rows together: an array of other rows is given up.
    std::int64_t comparisons_left_ = std::int64_t{1} << 26;
};

/// Returns the angles of an array with these positions, by the frequencies that the angles of some
/// other positions show.
std::function<double(std::int64_t, std::int64_t)> angles_at(std::vector<double> positions,
                                                            const Convention& convention) {
    if (!convention.frequency) return nullptr;
    return [positions = std::move(positions), frequency = convention.frequency](
               std::int64_t row, std::int64_t column) {
        return std::fabs(positions[row]) * frequency(column);
    };
}

/// Returns the candidate with these rows of the convention's table as its positions.
std::optional<Candidate> at_rows(const Convention& convention,
                                 const std::vector<std::int64_t>& rows) {
    Candidate candidate = convention.candidate;
    Parameters& p = candidate.parameters;
    std::vector<double> positions;
    for (const std::int64_t row : rows) positions.push_back(convention.position(row));
    const std::int64_t step = rows[1] - rows[0];
    const bool is_even = std::ranges::adjacent_find(rows, [=](std::int64_t a, std::int64_t b) {
                             return b != a + step;
                         }) == rows.end();
    try {
        if (is_even && !convention.zero_row.empty()) {
            p.set("zero-row", convention.zero_row, Origin::user);
        }
        if (is_even) {
            p.set("len", fmt::format("{}", rows.size()), Origin::user);
            const double of_rows = static_cast<double>(step) * convention.step;
            const bool is_reversed = of_rows < 0 && p.knows("reverse");
            if (is_reversed) p.set("reverse", "true", Origin::user);
            const double start = is_reversed ? positions.back() : positions.front();
            if (start != 0) p.set("start", shortest(start), Origin::user);
            const double size = is_reversed ? -of_rows : of_rows;
            const bool is_typed = std::abs(step) == 1 && size > 0;
            if (size != 1) {
                p.set("step", is_typed ? convention.step_text : shortest(size), Origin::user);
            }
        } else {
            p.set("positions", joined(positions, ","), Origin::user);
        }
    } catch (const UsageError&) {
        return {};
    }
    candidate.bits = price_of(candidate);
    candidate.proposal.angle = angles_at(std::move(positions), convention);
    return candidate;
}

}  // namespace

std::optional<Candidate> long_table(const Table& array, const Progress& progress) {
    constexpr std::int64_t fewest_rows = 4096, fewest_values = 1 << 19, fewest_columns = 8;
    const Shape& shape = array.shape;
    const bool is_long = shape.rank() == 2 && shape.rows() >= fewest_rows &&
                         shape.size() >= fewest_values && shape.columns() >= fewest_columns;
    if (!is_long || !is_floating(array.dtype)) return {};
    constexpr std::int64_t many_values = 1 << 19;
    const std::int64_t some =
        std::min<std::int64_t>(1024, rows_holding(many_values, shape.columns()));
    auto convention = convention_in(array, {0, some}, progress);
    if (!convention) convention = convention_in(array, {shape.rows() / 2, some}, progress);
    if (!convention) return {};
    RowSearch search(*convention);
    for (std::int64_t row = 0; row < shape.rows(); row += some) {
        const RowRange range{row, std::min(some, shape.rows() - row)};
        search.add(read_rows(array, range));
        if (2 * search.misses() > row + some) return {};
        progress(row, shape.rows());
    }
    return at_rows(*convention, search.rows());
}

}  // namespace pegen::recognition
