#include "encodings/rotary/mrope_recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "core/number.h"
#include "core/to_size.h"
#include "encodings/rotary/frequency_fit.h"
#include "encodings/rotary/sequence_text.h"
#include "encodings/rotary/turning_table.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::SimpleNumber;

using Place = std::vector<double>;  ///< of each token, on one axis

/// A table of ids (axis, token).
void add_ids(std::vector<Proposal>& proposals, const Sample& array) {
    if (array.leading != 3 || array.extents[0] != 3) return;
    const std::int64_t count = array.extents[1];
    const auto has_id = [&](std::int64_t token, std::size_t axis, std::int64_t id) {
        return array.values[axis * to_size(count) + to_size(token)] == static_cast<double>(id);
    };
    const std::optional<SequenceText> text =
        sequence_of(count, [&](std::int64_t token, const TokenPosition& ids) {
            return has_id(token, 0, ids[0]) && has_id(token, 1, ids[1]) && has_id(token, 2, ids[2]);
        });
    if (!text) return;
    Proposal proposal{.table = "ids", .settings = {{"sequence", text->sequence}}};
    if (text->next == "grid") proposal.settings.push_back({"next", "grid"});
    proposals.push_back(proposal);
}

/// Which axis each pair turns by.
struct Sections {
    std::array<std::int64_t, 3> counts;
    bool is_interleaved;

    std::size_t axis_of(std::int64_t pair) const {
        if (is_interleaved) {
            const auto rank = to_size(pair % 3);
            return rank > 0 && pair / 3 < counts[rank] ? rank : 0;
        }
        return pair < counts[0] ? 0 : pair < counts[0] + counts[1] ? 1 : 2;
    }
};

/// A table and the frequencies of a base.
struct Turned {
    const TurningTable& table;
    SimpleNumber base;
    std::vector<double> frequencies;

    bool stands_at(std::int64_t token, double position, std::span<const std::int64_t> pairs) const {
        return std::ranges::all_of(pairs, [&](std::int64_t pair) {
            return table.may_be(token, pair, frequencies[to_size(pair)] * position);
        });
    }
};

/// Returns the whole number at which these pairs of a token stand, looked for from `before` on.
std::optional<double> position_of(const Turned& turned, std::int64_t token,
                                  std::span<const std::int64_t> pairs, double before) {
    const auto end = static_cast<double>(turned.table.rows());
    for (const double near : {before + 1, before}) {
        if (turned.stands_at(token, near, pairs)) return near;
    }
    for (double position = before - 1; position >= 0; --position) {
        if (turned.stands_at(token, position, pairs)) return position;
    }
    for (double position = before + 2; position < end; ++position) {
        if (turned.stands_at(token, position, pairs)) return position;
    }
    return std::nullopt;
}

/// Returns where all tokens stand by these pairs.
std::optional<Place> place_by(const Turned& turned, std::span<const std::int64_t> pairs) {
    Place place;
    double before = -1;
    for (std::int64_t token = 0; token < turned.table.rows(); ++token) {
        const std::optional<double> position = position_of(turned, token, pairs, before);
        if (!position) return std::nullopt;
        place.push_back(*position);
        before = *position;
    }
    return place;
}

/// Returns the sections of published models, as parts of the pairs.
std::vector<Sections> usual_sections(std::int64_t pairs) {
    const std::int64_t quarter = pairs / 4, rest = (pairs - quarter) / 2, fifths = pairs * 5 / 16;
    return {{{quarter, rest, pairs - quarter - rest}, false},
            {{pairs - 2 * fifths, fifths, fifths}, true},
            {{pairs - 2 * (pairs / 3), pairs / 3, pairs / 3}, true},
            {{pairs - 2 * (pairs / 3), pairs / 3, pairs / 3}, false}};
}

/// Returns contiguous sections as the pairs show them: the first one that does not turn by the
/// axis of those before it begins the next.
std::optional<Sections> seen_sections(const Turned& turned) {
    Sections sections{{0, 0, 0}, false};
    std::int64_t first = 0;
    const std::int64_t count = turned.table.pairs();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::vector<std::int64_t> pairs;
        for (std::int64_t pair = first; pair < count; ++pair) {
            pairs.push_back(pair);
            // Two pairs are enough to show where tokens stand, one is not.
            if (pairs.size() > 1 && !place_by(turned, pairs)) {
                pairs.pop_back();
                break;
            }
        }
        sections.counts[axis] = std::ssize(pairs);
        first += std::ssize(pairs);
    }
    if (first != count || sections.counts[2] == 0) return std::nullopt;
    return sections;
}

/// Returns the bases that the first two tokens show, if they are text; the known ones otherwise.
std::vector<SimpleNumber> possible_bases(const TurningTable& table) {
    constexpr std::array<std::int64_t, 2> rows{0, 1};
    constexpr std::array<double, 2> places{0, 1};
    std::vector<Measured> frequencies;
    for (std::int64_t pair = 0; pair < table.pairs() && table.rows() > 1; ++pair) {
        const auto frequency = frequency_of(table, pair, rows, places, {0, 1 + 1e-6});
        if (frequency) frequencies.push_back(*frequency);
    }
    if (std::ssize(frequencies) == table.pairs()) {
        const Bounds bounds = base_bounds(frequencies, frequencies.size());
        const std::vector<SimpleNumber> bases = bases_within(bounds, 2);
        if (!bases.empty()) return bases;
    }
    std::vector<SimpleNumber> bases;
    for (const double base : known_bases()) bases.push_back({shortest(base), base, 3});
    return bases;
}

bool propose(std::vector<Proposal>& proposals, const Turned& turned, const Sections& sections) {
    // Which places tokens have is known only when the sequence is.
    const std::int64_t rows = turned.table.rows(), pairs = turned.table.pairs();
    const std::optional<SequenceText> text =
        sequence_of(rows, [&](std::int64_t token, const TokenPosition& position) {
            for (std::int64_t pair = 0; pair < pairs; ++pair) {
                const auto place = static_cast<double>(position[sections.axis_of(pair)]);
                const double angle = turned.frequencies[to_size(pair)] * place;
                if (!turned.table.may_be(token, pair, angle)) return false;
            }
            return true;
        });
    // A text alone is rope's.
    if (!text || !text->has_grid) return false;
    const RotaryColumns& columns = turned.table.columns();
    const auto& [t, y, x] = sections.counts;
    Proposal proposal{.table = columns.table,
                      .settings = {{"sequence", text->sequence},
                                   {"d", std::to_string(2 * turned.table.pairs())},
                                   {"base", turned.base.text},
                                   {"sections", fmt::format("{},{},{}", t, y, x)}}};
    if (sections.is_interleaved) proposal.settings.push_back({"order", "interleaved"});
    if (text->next == "grid") proposal.settings.push_back({"next", "grid"});
    proposal.settings.insert(proposal.settings.end(), columns.settings.begin(),
                             columns.settings.end());
    proposal.angle = [frequencies = turned.frequencies, pairs_of = columns.pair_of_column](
                         std::int64_t row, std::int64_t column) {
        // No token stands farther on than it would in a text.
        return static_cast<double>(row) * frequencies[to_size(pairs_of[to_size(column)])];
    };
    proposals.push_back(proposal);
    return true;
}

void add_waves(std::vector<Proposal>& proposals, const TurningTable& table) {
    if (!table.may_be_unturned(0) || table.pairs() < 3) return;
    const auto pairs = static_cast<double>(table.pairs());
    for (const SimpleNumber& base : possible_bases(table)) {
        Turned turned{table, base, {}};
        for (double pair = 0; pair < pairs; ++pair) {
            turned.frequencies.push_back(std::pow(base.value, -pair / pairs));
        }
        bool is_found = false;
        for (const Sections& sections : usual_sections(table.pairs())) {
            is_found = is_found || propose(proposals, turned, sections);
        }
        if (is_found) continue;
        const std::optional<Sections> seen = seen_sections(turned);
        if (seen) propose(proposals, turned, *seen);
    }
}

}  // namespace

std::vector<Proposal> recognize_mrope(const Sample& array) {
    std::vector<Proposal> proposals;
    if (array.rank() != 2) return proposals;
    add_ids(proposals, array);
    constexpr std::int64_t most_rows = 4096, most_pairs = 512;
    if (array.leading != array.extents[0] || array.leading > most_rows) return proposals;
    for (const RotaryColumns& columns : rotary_columns(array, "half")) {
        const bool is_of_one = columns.table == "cos" || columns.table == "sin";
        if (!is_of_one || columns.layout == "axis-half" || columns.pairs() > most_pairs) continue;
        const TurningTable table(array, columns, {1, 0}, float32_arithmetic);
        add_waves(proposals, table);
    }
    return proposals;
}

}  // namespace pegen::encodings
