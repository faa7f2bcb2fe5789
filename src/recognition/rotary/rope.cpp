#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/names.h"
#include "core/number.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/frequency_settings.h"
#include "recognition/rotary/rotary_columns.h"
#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {
namespace {

using Settings = std::vector<Setting>;

/// Returns the settings of published models for `pairs` pairs, the most usual first, with --d.
std::vector<Settings> usual_settings(std::int64_t pairs) {
    std::vector<Settings> all;
    const auto add = [&](const Settings& settings) {
        all.push_back({{"d", std::to_string(2 * pairs)}});
        append(all.back(), settings);
    };
    for (const double base : known_bases()) {
        add(base == 10000 ? Settings{} : Settings{{"base", shortest(base)}});
    }
    const std::string_view length = "original-max-position-embeddings";
    for (const char* const factor : {"8", "32", "16"}) {
        add({{"base", "500000"}, {"scaling", "llama3"}, {"factor", factor}, {length, "8192"}});
    }
    for (const char* const factor : {"2", "4", "8"}) {
        add({{"scaling", "linear"}, {"factor", factor}});
    }
    add({{"base", "1000000"}, {"scaling", "linear"}, {"factor", "8"}});
    add({{"scaling", "yarn"}, {"factor", "40"}, {length, "4096"}});
    add({{"scaling", "yarn"}, {"factor", "40"}, {length, "4096"}, {"attention-factor", "1"}});
    add({{"base", "1000000"}, {"scaling", "yarn"}, {"factor", "4"}, {length, "32768"}});
    add({{"base", "150000"},
         {"scaling", "yarn"},
         {"factor", "32"},
         {length, "4096"},
         {"no-truncate", "true"}});
    return all;
}

/// The positions of a table's rows.
struct RowPositions {
    std::vector<Setting> settings;  ///< the position parameters except --len
    std::vector<double> list{};     ///< position of each row; empty for equal distances
    double start = 0;               ///< of row 0, for equal distances
    double step = 1;

    double at(std::int64_t row) const;
};

/// True if the row may have this position.
bool may_stand_at(const TurningTable& table, std::int64_t row, std::span<const double> frequencies,
                  double position) {
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        if (!table.may_be(row, pair, frequencies[pair] * position)) return false;
    }
    return true;
}

/// Returns the simplest numbers in the stretch. Where values have at most 16 bits, numbers of many
/// digits are left out, since they are accidental fits.
std::vector<SimpleNumber> simple_within(const TurningTable& table,
                                        const evidence::Bounds& stretch) {
    constexpr std::size_t most = 4, longest = 5;
    std::vector<SimpleNumber> numbers = evidence::numbers_within(stretch, most);
    if (table.array().precision.digits < 24) {
        std::erase_if(numbers,
                      [](const SimpleNumber& number) { return number.text.size() > longest; });
    }
    return numbers;
}

/// True if row i may have the position start + i * step.
bool may_advance(const TurningTable& table, std::span<const double> frequencies, double start,
                 double step) {
    return std::ranges::all_of(some_rows(table.array()), [&](std::int64_t row) {
        return may_stand_at(table, row, frequencies, start + step * static_cast<double>(row));
    });
}

/// Returns the settings and positions of rows at equal distances.
RowPositions regular_positions(double start, double step, std::int64_t rows) {
    RowPositions positions{{}, {}, start, step};
    double first = start, distance = step;
    if (step < 0 && rows > 1) {
        double last = start + step * static_cast<double>(rows - 1);
        if (std::fabs(last) < 1e-9 * std::fabs(start)) last = 0;
        // Rows that count down to 0 or more have --reverse; a sequence like 0, -1, -2 has a
        // negative --step.
        if (last >= 0) {
            first = last;
            distance = -step;
            positions.settings.push_back({"reverse", "true"});
        }
    }
    if (first != 0) positions.settings.push_back({"start", shortest(first)});
    if (distance != 1) positions.settings.push_back({"step", shortest(distance)});
    return positions;
}

/// Returns the indices of the frequencies, the slowest first.
std::vector<std::int64_t> slowest_first(std::span<const double> frequencies) {
    const auto size = [&](std::int64_t pair) { return std::fabs(frequencies[pair]); };
    std::vector<std::int64_t> order(frequencies.size());
    std::iota(order.rbegin(), order.rend(), 0);
    // Frequencies usually fall from pair to pair.
    if (!std::ranges::is_sorted(order, {}, size)) std::ranges::stable_sort(order, {}, size);
    return order;
}

/// Returns the stretches in which the position of a row may lie, the nearest to 0 first.
std::vector<evidence::Bounds> position_of(const TurningTable& table, std::int64_t row,
                                          std::span<const double> frequencies) {
    const std::vector<std::int64_t> order = slowest_first(frequencies);
    const auto equations_of = [&](std::span<const std::int64_t> pairs) {
        std::vector<TurnEquation> equations;
        for (const std::int64_t pair : pairs) {
            equations.push_back({frequencies[pair], table.angle(row, pair)});
        }
        return equations;
    };
    // A few equations refute most frequencies.
    constexpr std::size_t few_pairs = 16;
    const std::span all(order);
    const std::vector<TurnEquation> few = equations_of(all.first(std::min(few_pairs, all.size())));
    std::vector<TurnEquation> equations;
    // Far positions are searched only if there are no near ones: there are many of them, and too
    // many where few pairs show them.
    constexpr std::size_t enough_pairs = 4;
    for (const double farthest : {0x1p12, 0x1p21}) {
        if (farthest > 0x1p12 && frequencies.size() < enough_pairs) break;
        // Cosines do not distinguish a position from its negative.
        const evidence::Bounds bounds{table.columns().sines.empty() ? 0 : -farthest, farthest};
        constexpr std::size_t most = 2048;
        if (solve(bounds, few, table.drift(), most).empty()) continue;
        if (equations.empty()) equations = equations_of(all);
        std::vector<evidence::Bounds> stretches = solve(bounds, equations, table.drift(), most);
        std::ranges::stable_sort(stretches, {}, [](const evidence::Bounds& stretch) {
            return std::fabs(stretch.middle());
        });
        if (!stretches.empty()) return stretches;
    }
    return {};
}

/// Returns positions at equal distances.
std::optional<RowPositions> regular(const TurningTable& table,
                                    std::span<const double> frequencies) {
    constexpr std::size_t most = 16;
    const std::int64_t last = table.rows() - 1;
    const auto distance = static_cast<double>(last);
    const auto near_0 = [&](std::int64_t row) {
        std::vector<evidence::Bounds> stretches = position_of(table, row, frequencies);
        if (stretches.size() > most) stretches.resize(most);
        return stretches;
    };
    const std::vector<evidence::Bounds> ends = near_0(last);
    for (const evidence::Bounds& first : near_0(0)) {
        for (const evidence::Bounds& end : ends) {
            // A single row has no step.
            const std::vector<SimpleNumber> steps =
                last == 0 ? std::vector{SimpleNumber{"1", 1, 0}}
                          : simple_within(table, {(end.low - first.high) / distance,
                                                  (end.high - first.low) / distance});
            for (const SimpleNumber& step : steps) {
                if (step.value == 0) continue;
                const evidence::Bounds starts = evidence::both(
                    first, {end.low - step.value * distance, end.high - step.value * distance});
                for (const SimpleNumber& start : simple_within(table, starts)) {
                    if (!may_advance(table, frequencies, start.value, step.value)) continue;
                    return regular_positions(start.value, step.value, table.array().extents[0]);
                }
            }
        }
    }
    return std::nullopt;
}

/// Returns the only multiple of 1 / parts in the stretch; none if there is no multiple, or several.
std::optional<double> only_multiple(const evidence::Bounds& stretch, double parts) {
    const double multiple = std::rint(stretch.middle() * parts) / parts;
    const bool is_only = (stretch.high - stretch.low) * parts < 1 && stretch.contains(multiple);
    return is_only ? std::optional(multiple) : std::nullopt;
}

/// Returns positions of all rows that are multiples of 1 / parts; none if some row has no such
/// position. `stretches` are the possible positions of each row.
std::optional<std::vector<double>> positions_in(
    double parts, const TurningTable& table, std::span<const double> frequencies,
    const std::vector<std::vector<evidence::Bounds>>& stretches) {
    std::vector<double> positions;
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        std::optional<double> position;
        for (const evidence::Bounds& stretch : stretches[row]) {
            position = only_multiple(stretch, parts);
            if (position && may_stand_at(table, row, frequencies, *position)) break;
            position.reset();
        }
        if (!position) return std::nullopt;
        positions.push_back(*position);
    }
    return positions;
}

RowPositions as_list(std::vector<double> list) {
    return {.settings = {{"positions", joined(list, ",")}}, .list = std::move(list)};
}

/// Returns the positions as a list of multiples of 1, 1/2, 1/4, 1/10 or 1/100. A list of numbers
/// with more digits would be an accidental fit.
std::optional<RowPositions> listed(const TurningTable& table, std::span<const double> frequencies) {
    constexpr std::int64_t most = 1 << 17;
    if (table.rows() != table.array().extents[0] || table.rows() > most) return std::nullopt;
    // With few pairs, some position fits any angles.
    constexpr std::int64_t fewest_pairs = 4, fewest_for_fractions = 8;
    if (table.pairs() < fewest_pairs) return std::nullopt;
    std::vector<std::vector<evidence::Bounds>> stretches;
    for (std::int64_t row = 0; row < table.rows(); ++row) {
        stretches.push_back(position_of(table, row, frequencies));
        if (stretches.back().empty()) return std::nullopt;
    }
    for (const double parts : {1.0, 2.0, 4.0, 10.0, 100.0}) {
        if (parts > 1 && table.pairs() < fewest_for_fractions) break;
        auto list = positions_in(parts, table, frequencies, stretches);
        if (!list) continue;
        const auto [smallest, largest] = std::ranges::minmax(*list);
        if (smallest == largest) return std::nullopt;
        return as_list(std::move(*list));
    }
    return std::nullopt;
}

double RowPositions::at(std::int64_t row) const {
    return list.empty() ? start + step * static_cast<double>(row) : list[row];
}

/// Returns the positions at which pairs with these frequencies have the table's angles: at equal
/// distances, or else as a list. None if no positions fit.
std::optional<RowPositions> positions_at(const TurningTable& table,
                                         std::span<const double> frequencies) {
    if (table.rows() < 1) return std::nullopt;
    std::optional<RowPositions> positions = regular(table, frequencies);
    return positions ? positions : listed(table, frequencies);
}

// The readings of a rope table, and the proposals made of them.

/// A reading of a table: settings, positions of the rows, and frequencies.
struct FoundRope {
    std::vector<Setting> settings;
    RowPositions positions;
    std::vector<double> frequencies;
    double drift;  ///< as in TableErrors
};

/// Adds the proposals for a table of `rows` rows: one with exact values, and one for each other
/// arithmetic that the errors allow.
void propose(std::vector<Proposal>& proposals, const RotaryColumns& columns, const FoundRope& found,
             std::int64_t rows) {
    Proposal proposal{.table = columns.table, .settings = found.settings};
    append(proposal.settings, columns.settings);
    append(proposal.settings, found.positions.settings);
    if (found.positions.list.empty()) proposal.settings.push_back({"len", std::to_string(rows)});
    proposal.channels = columns.channels;
    proposal.notes = columns.notes;
    // rope has a table of its own for cosines before sines.
    if (columns.has_cosines_first && columns.layout == "single") {
        proposal.table = "cos-sin";
        proposal.channels.clear();
        proposal.notes.clear();
    }
    proposal.angle = [found = std::make_shared<const FoundRope>(found),
                      pairs = std::make_shared<const std::vector<std::int64_t>>(
                          columns.pair_of_column)](std::int64_t row, std::int64_t column) {
        const std::int64_t pair = (*pairs)[column];
        return std::fabs(found->positions.at(row) * found->frequencies[pair]);
    };
    // An empty --arith means exact values.
    for (const std::string_view arith : {"", "float32", "ggml"}) {
        const double least = arith.empty() ? exact_errors.drift : float32_errors.drift;
        const bool is_too_far = found.drift == ggml_errors.drift && arith != "ggml";
        if (is_too_far || (!arith.empty() && found.drift < least)) continue;
        proposals.push_back(proposal);
        if (!arith.empty()) proposals.back().settings.push_back({"arith", std::string(arith)});
    }
}

std::vector<double> values_of(const std::vector<Measured>& numbers) {
    std::vector<double> values;
    for (const Measured& number : numbers) values.push_back(number.value);
    return values;
}

/// Returns the frequencies multiplied by `factor`.
std::vector<Measured> times(std::vector<Measured> frequencies, double factor) {
    for (Measured& frequency : frequencies) {
        frequency.value *= factor;
        frequency.error *= std::fabs(factor);
    }
    return frequencies;
}

// Tables of rope that show frequencies without wrapped angles.

/// Returns the proposals for a table of angles, position times frequency.
std::vector<Proposal> propose_angles(const Sample& array) {
    std::vector<Proposal> proposals;
    const std::int64_t last = array.leading - 1, pairs = array.extents[1];
    if (last < 1 || pairs > 1 << 16) return proposals;
    for (const double drift : {exact_errors.drift, float32_errors.drift}) {
        std::vector<Measured> advances;
        for (std::int64_t pair = 0; pair < pairs; ++pair) {
            const Measured first = cell(array, 0, pair), end = cell(array, last, pair);
            const Measured half = cell(array, last / 2, pair);
            const double advance = (end.value - first.value) / static_cast<double>(last);
            const double room =
                first.error + end.error + drift * (std::fabs(first.value) + std::fabs(end.value));
            const double there = first.value + advance * static_cast<double>(last / 2);
            if (!(std::fabs(there - half.value) <= 2 * room + half.error)) return proposals;
            advances.push_back({advance, room / static_cast<double>(last)});
        }
        const double fastest = advances.front().value;
        if (fastest == 0) return proposals;
        const Measured first = cell(array, 0, 0);
        for (const double sign : {1.0, -1.0}) {
            std::vector<double> steps{sign};
            for (const SimpleNumber& step :
                 evidence::numbers_within(evidence::bounds_of(advances[0]), 2)) {
                if (std::fabs(step.value) != 1) steps.push_back(step.value);
            }
            for (const double step : steps) {
                if (fastest / step <= 0) continue;
                const double per_position = fastest / step;
                const evidence::Bounds start{(first.value - first.error) / per_position,
                                             (first.value + first.error) / per_position};
                const auto starts =
                    evidence::numbers_within({start.low - drift * std::fabs(start.low),
                                              start.high + drift * std::fabs(start.high)},
                                             1);
                if (starts.empty()) continue;
                for (PricedSettings& settings : rope_settings({times(advances, 1 / step)})) {
                    RotaryColumns columns{.table = "angles"};
                    for (std::int64_t pair = 0; pair < pairs; ++pair) {
                        columns.pair_of_column.push_back(pair);
                    }
                    propose(proposals, columns,
                            {std::move(settings.settings),
                             regular_positions(starts.front().value, step, array.extents[0]),
                             values_of(times(advances, 1 / step)), drift},
                            array.extents[0]);
                }
            }
        }
    }
    return proposals;
}

/// Returns the proposals for a vector of frequencies or wavelengths.
std::vector<Proposal> propose_vectors(const Sample& array) {
    std::vector<Proposal> proposals;
    const std::vector<double>& values = array.values;
    if (array.leading != array.extents[0] || values.size() > 1 << 16) return proposals;
    const bool falls = std::ranges::is_sorted(values, std::greater<>());
    const bool rises = std::ranges::is_sorted(values);
    if ((!falls && !rises) || !(values.front() >= 0) || !(values.back() >= 0)) return proposals;
    for (const double drift : {exact_errors.drift, float32_errors.drift}) {
        std::vector<Measured> frequencies;
        for (const double value : values) {
            if (!falls && std::isinf(value)) {
                frequencies.push_back({0, 0});  // the pair does not turn
                continue;
            }
            const double error = array.error_of(value) + drift * value;
            if (falls) frequencies.push_back({value, error});
            if (!falls && !(value > error)) return proposals;
            if (!falls) {
                const double frequency = 2 * std::numbers::pi / value;
                frequencies.push_back({frequency, frequency * error / (value - error)});
            }
        }
        for (PricedSettings& settings : rope_settings({frequencies})) {
            Proposal proposal{.table = falls ? "inv-freq" : "wavelengths",
                              .settings = std::move(settings.settings)};
            proposals.push_back(proposal);
            proposal.settings.push_back({"arith", "float32"});
            if (falls) proposals.push_back(proposal);
        }
    }
    return proposals;
}

/// Returns 1, and other usual steps for which the frequency of the fastest pair would be 1 radian
/// per position.
std::vector<double> steps_of(const Measured& fastest) {
    std::vector<double> steps{1};
    for (const SimpleNumber& step : evidence::numbers_within(evidence::bounds_of(fastest), 1)) {
        const bool is_usual = step.value > 0 && step.bits < 12;
        if (is_usual && step.value != 1) steps.push_back(step.value);
    }
    return steps;
}

/// A table of sines and cosines, with its attention factor.
struct Waves {
    const TurningTable& table;
    std::optional<Measured> attention_factor;

    std::int64_t rows() const { return table.array().extents[0]; }
};

/// Returns the settings that have these frequencies. In an array with noise, expensive settings are
/// left out, since they would fit the noise.
std::vector<PricedSettings> settings_of(const Waves& waves,
                                        const std::vector<Measured>& frequencies,
                                        std::int64_t positions) {
    std::vector<PricedSettings> found =
        rope_settings({frequencies, waves.attention_factor, positions});
    constexpr double usual = 28;
    if (waves.table.array().noise > 0) {
        std::erase_if(found, [](const PricedSettings& settings) { return settings.bits > usual; });
    }
    return found;
}

using Readings = std::vector<FoundRope>;

bool have(const Readings& found, const RowPositions& positions) {
    return std::ranges::any_of(found, [&](const FoundRope& other) {
        return other.positions.settings == positions.settings;
    });
}

/// Adds the reading, unless it is there.
void add(Readings& found, FoundRope reading) {
    const bool is_new = std::ranges::none_of(found, [&](const FoundRope& other) {
        return other.settings == reading.settings &&
               other.positions.settings == reading.positions.settings;
    });
    if (is_new) found.push_back(std::move(reading));
}

/// Adds the readings in which the rows have the positions 0, 1, 2, ... or multiples of another
/// step.
void add_counted(Readings& found, const Waves& waves) {
    if (!waves.table.may_be_unturned(0) || waves.rows() < 2) return;
    const auto frequencies = frequencies_at(waves.table, 0, 1, {0, 1 + 1e-6});
    if (!frequencies) return;
    // If all frequencies are below 1, the rows may have a step below 1.
    for (const double step : steps_of(frequencies->front())) {
        const std::vector<Measured> per_position = times(*frequencies, 1 / step);
        const double last = step * static_cast<double>(waves.rows() - 1);
        std::vector<PricedSettings> all =
            settings_of(waves, per_position, static_cast<std::int64_t>(std::ceil(last)) + 1);
        for (PricedSettings& settings : all) {
            add(found, {std::move(settings.settings), regular_positions(0, step, waves.rows()),
                        values_of(per_position), waves.table.drift()});
        }
    }
}

/// Returns the frequencies of a table whose rows have these positions; none if some pair has no
/// frequency.
std::optional<std::vector<Measured>> frequencies_of(const Waves& waves,
                                                    const RowPositions& positions) {
    const std::vector<std::int64_t> rows = some_rows(waves.table.array());
    std::vector<double> places;
    for (const std::int64_t row : rows) places.push_back(positions.at(row));
    std::vector<Measured> frequencies;
    for (std::int64_t pair = 0; pair < waves.table.pairs(); ++pair) {
        const auto frequency = frequency_of(waves.table, pair, rows, places, {0, 1 + 1e-6});
        if (!frequency) return std::nullopt;
        frequencies.push_back(*frequency);
    }
    return frequencies;
}

/// Adds these settings at the positions with which they explain the table, if there are any, and
/// all other settings that have the same frequencies at these positions.
void add_at_its_positions(Readings& found, const Waves& waves, const Settings& own) {
    std::vector<double> exact = recognition::frequencies_of(own, 2 * waves.table.pairs());
    if (exact.empty()) return;
    const std::optional<RowPositions> positions = positions_at(waves.table, exact);
    if (!positions) return;
    const bool is_new = !have(found, *positions);
    const double drift = waves.table.drift();
    add(found, {own, *positions, std::move(exact), drift});
    if (!is_new) return;
    const auto frequencies = frequencies_of(waves, *positions);
    if (!frequencies) return;
    const double last = std::max(positions->at(0), positions->at(waves.rows() - 1));
    const auto length = static_cast<std::int64_t>(std::ceil(last)) + 1;
    for (PricedSettings& settings : settings_of(waves, *frequencies, length)) {
        add(found, {std::move(settings.settings), *positions, values_of(*frequencies), drift});
    }
}

/// Adds the readings with the frequencies of a published model and any positions.
void add_usual(Readings& found, const Waves& waves) {
    const auto [radius, error] = waves.table.radius();
    const std::int64_t pairs = waves.table.pairs();
    for (const Settings& settings : usual_settings(pairs)) {
        const double own = attention_factor_of(settings, 2 * pairs);
        if (std::fabs(own - radius) <= error + 1e-6) add_at_its_positions(found, waves, settings);
    }
}

/// Adds the readings with any frequencies and rows at equal distances, where row 0 has a position
/// of at most `farthest`.
void add_advancing_from(Readings& found, const Waves& waves, double farthest) {
    constexpr double pi = std::numbers::pi;
    std::optional<std::vector<Measured>> advances =
        recognition::advances(waves.table, {-pi, pi}, farthest);
    if (!advances || advances->front().value == 0) return;
    if (advances->front().value < 0) advances = times(*advances, -1);
    for (const double step : steps_of(advances->front())) {
        if (advances->front().value > 1.01 * step) continue;
        std::vector<PricedSettings> all = settings_of(waves, times(*advances, 1 / step), 0);
        // The first settings that fit show the positions, and these positions lead to the other
        // settings.
        constexpr std::size_t most = 4;
        if (all.size() > most) all.resize(most);
        for (const PricedSettings& settings : all) {
            add_at_its_positions(found, waves, settings.settings);
        }
    }
}

void add_advancing(Readings& found, const Waves& waves) {
    if (waves.rows() < 2) return;
    for (const double farthest : {static_cast<double>(waves.rows()), 0x1p12, 0x1p17}) {
        add_advancing_from(found, waves, farthest);
        // Sines or cosines alone do not show the first position, so `farthest` is not used.
        if (!found.empty() || !waves.table.has_both()) return;
    }
}

/// An array with one assignment of its columns to cosines and sines, as asked by the searches.
class Question {
  public:
    Question(const Sample& array, RotaryColumns columns)
        : array_(array), columns_(std::move(columns)), shown_(radius_of(array, columns_)) {}

    bool is_answerable() const {
        return !shown_ || (shown_->value > 0 && shown_->error < shown_->value / 4);
    }
    const RotaryColumns& columns() const { return columns_; }
    TurningTable table(const TableErrors& errors) const {
        return {array_, columns_, is_one() ? Measured{1, 0} : *shown_, errors};
    }
    std::optional<Measured> attention_factor() const {
        return shown_ && is_one() ? Measured{1, 0} : shown_;
    }

  private:
    bool is_one() const { return !shown_ || std::fabs(shown_->value - 1) <= shown_->error + 1e-6; }

    const Sample& array_;
    RotaryColumns columns_;
    std::optional<Measured> shown_;
};

/// Adds the proposals of the cheapest search that finds any.
void add_waves(std::vector<Proposal>& proposals, const Sample& array,
               const std::vector<Question>& questions) {
    const auto ask = [&](const Question& question, const auto& search,
                         const auto& kinds_of_errors) {
        Readings found;
        for (const TableErrors& errors : kinds_of_errors) {
            const TurningTable table = question.table(errors);
            if (!table.may_turn()) continue;
            search(found, Waves{table, question.attention_factor()});
        }
        // In an array with noise, everything similar to the first proposal fits, too.
        const std::size_t most = array.noise == 0 ? 24 : 2;
        if (found.size() > most) found.resize(most);
        for (FoundRope& one : found) {
            if (array.noise > 0) one.drift = exact_errors.drift;
            propose(proposals, question.columns(), one, array.extents[0]);
        }
    };
    std::vector<TableErrors> usual{float32_errors, exact_errors, ggml_errors};
    // Noise is larger than the differences between these errors.
    if (array.noise > 0) usual.resize(1);
    for (const Question& question : questions) ask(question, add_counted, usual);
    constexpr std::int64_t most_pairs = 1024;
    for (const auto& search : {add_usual, add_advancing}) {
        if (!proposals.empty()) return;
        for (const Question& question : questions) {
            if (question.columns().pairs() > most_pairs) continue;
            ask(question, search, std::array{float32_errors});
        }
    }
}

}  // namespace

std::vector<Proposal> recognize_rope(const Sample& array) {
    if (array.leading < 1) return {};
    if (array.rank() == 1) return propose_vectors(array);
    std::vector<Proposal> proposals;
    std::vector<Question> questions;
    std::vector<RotaryColumns> readings = rotary_columns(array, "half");
    std::ranges::move(signed_columns(array), std::back_inserter(readings));
    for (RotaryColumns& columns : readings) {
        if (columns.layout == "axis-half") continue;
        Question question(array, std::move(columns));
        if (question.is_answerable()) questions.push_back(std::move(question));
    }
    add_waves(proposals, array, questions);
    if (proposals.empty() && array.rank() == 2) return propose_angles(array);
    return proposals;
}

}  // namespace pegen::recognition
