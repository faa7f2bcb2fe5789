#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/sequence_text.h"
#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {
namespace {

std::vector<Setting> settings_of(const SequenceText& text) {
    std::vector<Setting> settings{{"sequence", text.sequence}};
    if (text.next == "grid") settings.push_back({"next", "grid"});
    return settings;
}

/// Adds the proposals for a table of ids (axis, token).
void add_ids(std::vector<Proposal>& proposals, const Sample& array) {
    if (array.leading != 3 || array.extents[0] != 3) return;
    const std::int64_t count = array.extents[1];
    const auto has_id = [&](std::int64_t token, std::size_t axis, std::int64_t id) {
        return array.values[axis * count + token] == static_cast<double>(id);
    };
    const auto may_stand = [&](std::int64_t token, const TokenPosition& ids) {
        return has_id(token, 0, ids[0]) && has_id(token, 1, ids[1]) && has_id(token, 2, ids[2]);
    };
    for (const SequenceText& text : sequences_of(count, may_stand)) {
        proposals.push_back({.table = "ids", .settings = settings_of(text)});
    }
}

/// The axis by which each pair is rotated.
struct Sections {
    std::array<std::int64_t, 3> counts;
    std::string_view order;  ///< --order

    std::size_t axis_of(std::int64_t pair) const {
        if (order == "interleaved") {
            const std::size_t rank = pair % 3;
            return rank > 0 && pair / 3 < counts[rank] ? rank : 0;
        }
        if (order == "alternating") return pair < 2 * counts[1] ? 1 + pair % 2 : 0;
        return pair < counts[0] ? 0 : pair < counts[0] + counts[1] ? 1 : 2;
    }
};

/// A table, and the frequencies of the pairs for a possible base.
struct Turned {
    const TurningTable& table;
    SimpleNumber base;
    std::vector<double> frequencies;
};

/// Returns sections with `count` pairs each for y and x, in every order.
std::vector<Sections> equal_sections(std::int64_t pairs, std::int64_t count) {
    const std::array counts{pairs - 2 * count, count, count};
    return {{counts, "contiguous"}, {counts, "interleaved"}, {counts, "alternating"}};
}

/// Returns the sections of published models, scaled to the number of pairs.
std::vector<Sections> usual_sections(std::int64_t pairs) {
    std::vector<Sections> all;
    for (const std::int64_t count :
         {(pairs - pairs / 4) / 2, pairs * 5 / 16, pairs / 3, pairs * 11 / 32}) {
        for (const Sections& sections : equal_sections(pairs, count)) all.push_back(sections);
    }
    // Interleaved sections in which the axes take turns up to the last pair.
    all.push_back({{(pairs + 2) / 3, (pairs + 1) / 3, pairs / 3}, "interleaved"});
    return all;
}

/// Returns the bases that the first two tokens show, if both are text; the known bases otherwise.
std::vector<SimpleNumber> possible_bases(const TurningTable& table) {
    constexpr std::array<std::int64_t, 2> rows{0, 1};
    constexpr std::array<double, 2> places{0, 1};
    std::vector<Measured> frequencies;
    for (std::int64_t pair = 0; pair < table.pairs() && table.rows() > 1; ++pair) {
        const auto frequency = frequency_of(table, pair, rows, places, {0, 1 + 1e-6});
        if (frequency) frequencies.push_back(*frequency);
    }
    evidence::Bounds bounds;
    if (std::ssize(frequencies) == table.pairs()) {
        bounds = base_bounds(frequencies, frequencies.size());
        if (bounds.is_empty()) bounds = {};
    }
    std::vector<SimpleNumber> bases;
    for (const double base : known_bases()) {
        if (bounds.contains(base)) bases.push_back(usual_number(base));
    }
    return bases.empty() ? evidence::numbers_within(bounds, 2) : bases;
}

Proposal proposal_of(const Turned& turned, const Sections& sections, const SequenceText& text) {
    const RotaryColumns& columns = turned.table.columns();
    const auto& [t, y, x] = sections.counts;
    Proposal proposal{.table = columns.table, .settings = settings_of(text)};
    const auto add = [&](std::string_view name, std::string value) {
        proposal.settings.push_back({name, std::move(value)});
    };
    add("d", std::to_string(2 * turned.table.pairs()));
    add("base", turned.base.text);
    add("sections", fmt::format("{},{},{}", t, y, x));
    if (sections.order != "contiguous") add("order", std::string(sections.order));
    append(proposal.settings, columns.settings);
    proposal.angle = [frequencies = turned.frequencies, pairs_of = columns.pair_of_column](
                         std::int64_t row, std::int64_t column) {
        // A token's position is never larger than in a sequence of text alone.
        return static_cast<double>(row) * frequencies[pairs_of[column]];
    };
    return proposal;
}

/// Returns the sequences whose tokens have the positions that these sections show. `looks` counts
/// down the compared values and ends the search at 0: in an array that is hardly such a table, too
/// many positions are possible.
std::vector<SequenceText> sequences_in(const Turned& turned, const Sections& sections,
                                       std::int64_t& looks) {
    return sequences_of(
        turned.table.rows(), [&](std::int64_t token, const TokenPosition& position) {
            for (std::int64_t pair = 0; pair < turned.table.pairs(); ++pair) {
                if (--looks < 0) return false;
                const auto place = static_cast<double>(position[sections.axis_of(pair)]);
                const double angle = turned.frequencies[pair] * place;
                if (!turned.table.may_be(token, pair, angle)) return false;
            }
            return true;
        });
}

/// Returns the sections that allow the same sequence, with one pair more or less for y and x: slow
/// pairs show little.
std::vector<Sections> sections_like(const Turned& turned, const Sections& known,
                                    const SequenceText& text) {
    std::vector<Sections> all;
    const std::int64_t pairs = turned.table.pairs();
    for (const std::int64_t y : {known.counts[1], known.counts[1] + 1, known.counts[1] - 1}) {
        for (const std::int64_t x : {known.counts[2], known.counts[2] + 1, known.counts[2] - 1}) {
            const Sections sections{{pairs - y - x, y, x}, known.order};
            if (y < 0 || x < 0 || y + x > pairs || sections.counts == known.counts) continue;
            if (known.order == "alternating" && y != x) continue;
            std::int64_t looks = std::int64_t{1} << 20;
            const std::vector<SequenceText> texts = sequences_in(turned, sections, looks);
            const bool is_alike = std::ranges::any_of(texts, [&](const SequenceText& other) {
                return other.sequence == text.sequence && other.next == text.next;
            });
            if (is_alike) all.push_back(sections);
        }
    }
    return all;
}

/// Returns sections with any number of pairs for y and x, if the table is so small that they can
/// all be tried.
std::vector<Sections> other_sections(const Turned& turned) {
    std::vector<Sections> all;
    const std::int64_t pairs = turned.table.pairs();
    constexpr std::int64_t most_cells = 1 << 14;
    const bool is_small = turned.table.rows() * pairs <= most_cells;
    for (std::int64_t count = 1; 2 * count < pairs && is_small; ++count) {
        for (const Sections& sections : equal_sections(pairs, count)) all.push_back(sections);
    }
    return all;
}

/// Adds the sequences that the table shows. `looks` as for sequences_in().
void add_waves(std::vector<Proposal>& proposals, const TurningTable& table, std::int64_t& looks) {
    if (!table.may_be_unturned(0) || table.pairs() < 3) return;
    const auto pairs = static_cast<double>(table.pairs());
    std::vector<Turned> by_base;
    for (const SimpleNumber& base : possible_bases(table)) {
        by_base.push_back({table, base, {}});
        for (double pair = 0; pair < pairs; ++pair) {
            by_base.back().frequencies.push_back(std::pow(base.value, -pair / pairs));
        }
    }
    const auto usual = [&](const Turned&) { return usual_sections(table.pairs()); };
    const std::size_t before = proposals.size();
    for (const auto& sections_of : {std::function(usual), std::function(other_sections)}) {
        for (const Turned& turned : by_base) {
            for (const Sections& sections : sections_of(turned)) {
                for (const SequenceText& text : sequences_in(turned, sections, looks)) {
                    // A sequence of text alone is left to the recognition of rope.
                    if (!text.has_grid) return;
                    proposals.push_back(proposal_of(turned, sections, text));
                    for (const Sections& others : sections_like(turned, sections, text)) {
                        proposals.push_back(proposal_of(turned, others, text));
                    }
                }
            }
        }
        if (proposals.size() != before) return;
    }
}

}  // namespace

std::vector<Proposal> recognize_mrope(const Sample& array) {
    std::vector<Proposal> proposals;
    if (array.rank() != 2) return proposals;
    add_ids(proposals, array);
    constexpr std::int64_t most_rows = 4096, most_pairs = 512;
    if (array.leading != array.extents[0] || array.leading > most_rows) return proposals;
    // A sequence of text, compared in all pairs for each of the usual sections, needs less than
    // half of them; a short one is followed in more ways.
    std::int64_t looks = std::max<std::int64_t>(16 * std::ssize(array.values), 1 << 21);
    for (const RotaryColumns& columns : rotary_columns(array, "half")) {
        const bool is_of_one = columns.table == "cos" || columns.table == "sin";
        if (!is_of_one || columns.layout == "axis-half" || columns.pairs() > most_pairs) continue;
        const TurningTable table(array, columns, {1, 0}, float32_errors);
        add_waves(proposals, table, looks);
    }
    constexpr std::size_t most = 64;
    if (proposals.size() > most) proposals.resize(most);
    return proposals;
}

}  // namespace pegen::recognition
