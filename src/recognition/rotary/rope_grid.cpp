#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/number.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/priced_settings.h"
#include "recognition/rotary/frequency_fit.h"
#include "recognition/rotary/grid_frame.h"
#include "recognition/rotary/turning_table.h"

namespace pegen::recognition {
namespace {

using Measurements = std::vector<Measured>;

// Settings of rope-grid, found from the frequencies of each axis.

/// A distribution of the powers of one base among the pairs: pair k of an axis has the frequency
/// base^-exponent.
struct PowerSpectrum {
    std::string_view name;
    /// Returns the exponent of pair k of an axis. `rank` is the index of the axis among the `axes`
    /// blocks, `first` the index of its first pair among all pairs, `pairs` its number of pairs,
    /// and `all` the number of all pairs.
    double (*exponent)(double k, double pairs, double rank, double axes, double first, double all);
};

constexpr std::array power_spectra{
    PowerSpectrum{"own",
                  [](double k, double pairs, double, double, double, double) { return k / pairs; }},
    PowerSpectrum{"strided", [](double k, double, double rank, double axes, double,
                                double all) { return (axes * k + rank) / all; }},
    PowerSpectrum{"sections", [](double k, double, double, double, double first,
                                 double all) { return (first + k) / all; }},
};

/// The blocks of a grid's pairs, and a test of a pair's frequency against the array.
struct ShownPairs {
    Blocks blocks;
    std::vector<double> extents;  ///< of each block's axis; empty if coordinates do not matter
    std::function<bool(std::int64_t pair, double frequency)> may_turn;
    bool is_noisy;  ///< if so, only the most usual numbers are tried, since any would fit
};

/// Settings of rope-grid, and the frequencies that they make.
struct GridSpectrum {
    PricedSettings settings;
    std::vector<double> frequencies;  ///< of each pair, in radians per coordinate
};

using Numbers = std::vector<SimpleNumber>;

std::vector<SimpleNumber> made_numbers() {
    std::vector<double> values;
    for (double n = 1; n < 1000; ++n) {
        values.insert(values.end(), {n, n / 10, n / 100, n * 10});
        if (n <= 512) values.push_back(n + 0.5);
        if (n < 100) values.insert(values.end(), {n / 10000, n / 1000, n * 100, n * 1000});
    }
    for (int exponent = 10; exponent <= 20; ++exponent) values.push_back(std::exp2(exponent));
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<SimpleNumber> numbers;
    for (const double value : values) {
        const std::string text = shortest(value);
        numbers.push_back({text, value, evidence::bits_of_number(text)});
    }
    std::ranges::stable_sort(numbers, {}, &SimpleNumber::bits);
    return numbers;
}

/// Returns the positive numbers that code uses as factors and frequencies, some thousand, the
/// cheapest first: whole numbers, halves, powers of two, numbers of two or three digits.
std::span<const SimpleNumber> usual_numbers() {
    static const std::vector<SimpleNumber> numbers = made_numbers();
    return numbers;
}

SimpleNumber named(double number) {
    const std::string text = shortest(number);
    return {text, number, evidence::bits_of_number(text)};
}

/// A factor of all frequencies of a spectrum: pi or 2 pi of --freq-scale, and reference / extent of
/// --ref-extent.
struct Unit {
    double turn;
    std::vector<double> of_block;  ///< includes `turn`
    PricedSettings reference;
    std::span<const SimpleNumber> numbers;  ///< the numbers tried with this unit
};

std::vector<Unit> units_of(const ShownPairs& shown) {
    std::vector<Unit> units;
    const std::size_t blocks = shown.blocks.axes.size();
    constexpr std::size_t few = 200, very_few = 20;
    const auto all = shown.is_noisy ? usual_numbers().first(very_few) : usual_numbers();
    for (const double turn : {1.0, 2 * std::numbers::pi, std::numbers::pi}) {
        units.push_back({turn, std::vector<double>(blocks, turn), {}, all});
        if (shown.extents.empty()) continue;
        for (const double extent :
             {16.0, 14.0, 7.0, 24.0, 32.0, 8.0, 12.0, 64.0, 10.0, 20.0, 28.0, 40.0, 48.0, 56.0}) {
            Unit unit{turn, {}, {}, all.first(std::min(few, all.size()))};
            add(unit.reference, "ref-extent", named(extent));
            for (const double own : shown.extents) unit.of_block.push_back(turn * extent / own);
            units.push_back(unit);
        }
    }
    return units;
}

/// Returns the text of number * turn: "30", "2*pi", or all digits of the product.
std::string scale_text(const SimpleNumber& number, double turn) {
    if (turn == 1) return number.text;
    const double product = number.value * turn;
    if (product == std::numbers::pi) return "pi";
    if (product == 2 * std::numbers::pi) return "2*pi";
    return shortest(product);
}

void add_scale(PricedSettings& settings, const SimpleNumber& number, double turn) {
    if (number.value * turn == 1) return;
    const std::string text = scale_text(number, turn);
    add(settings, "freq-scale", {text, number.value * turn, evidence::bits_of_number(text)});
}

/// A search for spectra with one unit.
struct Search {
    const ShownPairs& shown;
    const Unit& unit;
    std::vector<GridSpectrum>& found;

    std::size_t block_count() const { return shown.blocks.pairs.size(); }
    bool may_turn(std::size_t rank, std::int64_t k, double number) const {
        return shown.may_turn(shown.blocks.pair(rank, k), number * unit.of_block[rank]);
    }

    /// Adds the spectrum in which pair k of a block has the number number_of(rank, k), times the
    /// unit, if all pairs may rotate with this frequency. `made_settings` is called only then,
    /// since most numbers fail.
    template <typename NumberOf, typename MadeSettings>
    void add_if_it_turns(const NumberOf& number_of, const MadeSettings& made_settings) const {
        std::vector<double> frequencies(shown.blocks.count());
        // The first axis often has few points and refutes little, so it is tested last.
        for (std::size_t rank = block_count(); rank-- > 0;) {
            for (std::int64_t k = 0; k < shown.blocks.pairs[rank]; ++k) {
                const double number = number_of(rank, static_cast<double>(k));
                if (!may_turn(rank, k, number)) return;
                frequencies[shown.blocks.pair(rank, k)] = number * unit.of_block[rank];
            }
        }
        PricedSettings settings = made_settings();
        settings.bits += unit.reference.bits;
        append(settings.settings, unit.reference.settings);
        found.push_back({std::move(settings), std::move(frequencies)});
    }

    /// Returns the numbers that the first pair, or the last pair, of each of these blocks may have.
    Numbers numbers_at_end(std::size_t blocks, bool is_last) const {
        Numbers numbers;
        const std::size_t most = is_last ? 128 : 16;
        constexpr double fastest = 10000;
        for (const SimpleNumber& number : unit.numbers) {
            bool fits = number.value <= fastest;
            for (std::size_t rank = 0; rank < blocks && fits; ++rank) {
                const std::int64_t pairs = shown.blocks.pairs[rank];
                // The only pair of an axis has the first frequency, and no last one.
                if (pairs < (is_last ? 2 : 1)) continue;
                fits = may_turn(rank, is_last ? pairs - 1 : 0, number.value);
            }
            if (fits) numbers.push_back(number);
            if (numbers.size() == most) break;
        }
        return numbers;
    }

    void add_power(const PowerSpectrum& spectrum, const SimpleNumber& scale, double base) const {
        const auto all = static_cast<double>(shown.blocks.count());
        const auto number_of = [&](std::size_t rank, double k) {
            const auto pairs = static_cast<double>(shown.blocks.pairs[rank]);
            const auto first = static_cast<double>(shown.blocks.first(rank));
            const double exponent =
                spectrum.exponent(k, pairs, static_cast<double>(rank),
                                  static_cast<double>(block_count()), first, all);
            return scale.value * std::pow(base, -exponent);
        };
        add_if_it_turns(number_of, [&] {
            PricedSettings settings = scaled("none", named(base));
            if (spectrum.name != "own") add_word(settings, "spectrum", spectrum.name);
            add_scale(settings, scale, unit.turn);
            return settings;
        });
    }

    void add_powers(const PowerSpectrum& spectrum, const Numbers& scales) const {
        for (const SimpleNumber& scale : scales) {
            const std::size_t before = found.size();
            for (const double base : known_bases()) add_power(spectrum, scale, base);
            // Bases of no published model are tried only with the cheapest scale.
            const bool is_first = &scale == scales.data() && unit.reference.settings.empty();
            if (found.size() != before || !is_first || shown.is_noisy) continue;
            for (const SimpleNumber& base : usual_numbers()) {
                if (base.value > 1) add_power(spectrum, scale, base.value);
            }
        }
    }

    void add_band(const SimpleNumber& low, const SimpleNumber& high, bool is_linear) const {
        const auto number_of = [&](std::size_t rank, double k) {
            const auto pairs = static_cast<double>(shown.blocks.pairs[rank]);
            const double part = k / std::max(1.0, pairs - 1);
            return is_linear ? low.value * (1 - part) + high.value * part
                             : std::pow(low.value, 1 - part) * std::pow(high.value, part);
        };
        add_if_it_turns(number_of, [&] {
            PricedSettings settings;
            add_word(settings, "spectrum", is_linear ? "linear" : "geometric");
            settings.settings.push_back({"freqs", low.text + "," + high.text});
            settings.bits += 4 + 2 * (low.bits + high.bits);
            add_scale(settings, named(1), unit.turn);
            return settings;
        });
    }

    void add_bands(const Numbers& lows, const Numbers& highs) const {
        for (const SimpleNumber& low : lows) {
            for (const SimpleNumber& high : highs) {
                add_band(low, high, true);
                add_band(low, high, false);
            }
        }
    }

    void add_all() const {
        // If the axes share the powers of a base, only the first axis begins with the power 0.
        const Numbers of_first_axis = numbers_at_end(1, false);
        if (of_first_axis.empty()) return;
        const Numbers firsts = numbers_at_end(block_count(), false);
        for (const PowerSpectrum& spectrum : power_spectra) {
            add_powers(spectrum, spectrum.name == "own" ? firsts : of_first_axis);
        }
        const bool has_bands =
            std::ranges::any_of(shown.blocks.pairs, [](std::int64_t pairs) { return pairs > 1; });
        if (has_bands && !firsts.empty()) {
            add_bands(firsts, numbers_at_end(block_count(), true));
        }
    }
};

/// Returns the spectra of usual numbers that all pairs allow, the cheapest first, a few at most.
/// Numbers are tried one by one, so the angle between neighbouring points may be of any size.
std::vector<GridSpectrum> usual_spectra(const ShownPairs& shown) {
    std::vector<GridSpectrum> found;
    for (const Unit& unit : units_of(shown)) Search{shown, unit, found}.add_all();
    std::ranges::stable_sort(found, {}, [](const GridSpectrum& s) { return s.settings.bits; });
    constexpr std::size_t most = 6;
    if (found.size() > most) found.resize(most);
    return found;
}

Measurements frequencies_in(const Sample& array, bool are_wavelengths) {
    Measurements frequencies;
    for (const double value : array.values) {
        const double error = array.error_of(value);
        if (!are_wavelengths) {
            frequencies.push_back({value, error});
        } else {
            const double frequency = 2 * std::numbers::pi / value;
            frequencies.push_back({frequency, frequency * error / value});
        }
    }
    return frequencies;
}

/// Returns the possible blocks of two and three axes: equal blocks, and blocks that each begin with
/// the frequency of the first pair.
std::vector<Blocks> blocks_in(const Measurements& frequencies) {
    const std::int64_t count = std::ssize(frequencies);
    std::vector<Blocks> found;
    Blocks seen{"", {}};
    for (const Measured& frequency : frequencies) {
        const Measured& first = frequencies.front();
        const bool is_first = std::fabs(frequency.value - first.value) <= 2 * first.error;
        if (seen.pairs.empty() || is_first) seen.pairs.push_back(0);
        ++seen.pairs.back();
    }
    for (const std::string_view axes : {"yx", "tyx"}) {
        const std::int64_t blocks = std::ssize(axes);
        const Blocks equal{std::string(axes), std::vector(axes.size(), count / blocks)};
        if (count % blocks == 0) found.push_back(equal);
        if (seen.pairs.size() != axes.size() || seen.pairs == equal.pairs) continue;
        seen.axes = axes;
        found.push_back(seen);
    }
    return found;
}

std::vector<PricedSettings> spectra_of(const Blocks& blocks, const Measurements& frequencies,
                                       bool is_noisy) {
    std::vector<PricedSettings> found;
    for (const double units : {1.01, 8.0}) {
        const auto may_turn = [&](std::int64_t pair, double frequency) {
            const Measured& shown = frequencies[pair];
            return std::fabs(frequency - shown.value) <= units * shown.error + 0x1p-50 * frequency;
        };
        for (GridSpectrum& spectrum : usual_spectra({blocks, {}, may_turn, is_noisy})) {
            found.push_back(std::move(spectrum.settings));
        }
        if (!found.empty()) return found;
    }
    return found;
}

bool has(const PricedSettings& settings, std::string_view name, std::string_view value = "") {
    return std::ranges::any_of(settings.settings, [=](const Setting& setting) {
        return setting.name == name && (value.empty() || setting.value == value);
    });
}

void add_vectors(std::vector<Proposal>& proposals, std::string_view table,
                 const Measurements& frequencies, bool is_noisy) {
    for (const Blocks& blocks : blocks_in(frequencies)) {
        for (const PricedSettings& settings : spectra_of(blocks, frequencies, is_noisy)) {
            // Frequencies alone do not depend on coordinates, and one spectrum in sections is left
            // to rope.
            const bool is_rope = has(settings, "spectrum", "sections");
            if (has(settings, "ref-extent") || (is_rope && !has(settings, "freq-scale"))) continue;
            Proposal proposal{.table = table, .settings = settings.settings};
            if (blocks.axes == "tyx") proposal.settings.push_back({"depth", "1"});
            proposal.settings.push_back({"d", std::to_string(2 * blocks.count())});
            const std::string split = blocks.split(blocks.axes);
            if (!split.empty()) proposal.settings.push_back({"split", split});
            proposals.push_back(std::move(proposal));
        }
    }
}

/// Returns the proposals of rope-grid for an array of one axis as its table inv-freq or
/// wavelengths.
std::vector<Proposal> recognize_grid_frequencies(const Sample& array) {
    std::vector<Proposal> proposals;
    constexpr std::int64_t fewest = 4, most = 1024;
    const std::int64_t count = array.leading;
    const bool is_positive = std::ranges::all_of(
        array.values, [](double value) { return value > 0 && std::isfinite(value); });
    if (count != array.extents[0] || count < fewest || count > most || !is_positive) {
        return proposals;
    }
    add_vectors(proposals, "inv-freq", frequencies_in(array, false), array.noise > 0);
    add_vectors(proposals, "wavelengths", frequencies_in(array, true), array.noise > 0);
    return proposals;
}

// The coordinates of a grid's points along its axes.

/// The coordinates of the points along an axis: first + place * step.
struct Line {
    double first, step;

    double at(std::int64_t place) const { return first + step * static_cast<double>(place); }
    bool operator==(const Line&) const = default;
};

/// A way to choose the coordinates of a grid, by --coords, --start, --step and --normalize.
struct GridLines {
    std::vector<Setting> settings;
    /// Returns the line of an axis with `extent` points, where the axes have `least` points or more
    /// and `most` points or fewer.
    std::function<Line(double extent, double least, double most)> line;

    Line along(const GridFrame& frame, char axis) const {
        double least = static_cast<double>(frame.extent('x')), most = least;
        for (const char other : frame.axes()) {
            least = std::min(least, static_cast<double>(frame.extent(other)));
            most = std::max(most, static_cast<double>(frame.extent(other)));
        }
        return line(static_cast<double>(frame.extent(axis)), least, most);
    }
};

std::vector<GridLines> made_lines() {
    std::vector<GridLines> all;
    for (const Line& line : {Line{0, 1}, Line{1, 1}, Line{0.5, 1}, Line{1, 0.5}, Line{0.5, 2},
                             Line{-0.5, 1}, Line{3, 1}, Line{1, 0.25}, Line{1, 3}, Line{1, 0.1}}) {
        GridLines& lines = all.emplace_back();
        if (line.first != 0) lines.settings.push_back({"start", shortest(line.first)});
        if (line.step != 1) lines.settings.push_back({"step", shortest(line.step)});
        lines.line = [=](double, double, double) { return line; };
    }
    const auto cells = [](double n) { return Line{(1 - n) / n, 2 / n}; };
    all.push_back({{{"coords", "cells"}}, [=](double n, double, double) { return cells(n); }});
    all.push_back({{{"coords", "cells"}, {"normalize", "max"}},
                   [=](double, double, double most) { return cells(most); }});
    all.push_back({{{"coords", "cells"}, {"normalize", "min"}},
                   [=](double, double least, double) { return cells(least); }});
    all.push_back({{{"coords", "linspace"}}, [](double n, double, double) {
                       return n == 1 ? Line{-1, 0} : Line{-1, 2 / (n - 1)};
                   }});
    return all;
}

/// Returns the coordinates that code uses, the most usual first. Coordinates that differ from
/// others only by a factor of the frequencies are left out.
std::span<const GridLines> usual_lines() {
    static const std::vector<GridLines> all = made_lines();
    return all;
}

// The frequencies by which the pairs of a table rotate along the axes of a grid.

/// How closely values must agree.
enum class Closeness {
    rounded,  ///< exact values, rounded once
    float32,  ///< values computed in float32 arithmetic
};

/// A table read as a grid whose axes have blocks of the table's pairs.
class GridTurning {
  public:
    /// Keeps references to all arguments.
    GridTurning(const TurningTable& table, const GridFrame& frame, const Blocks& blocks);

    const GridFrame& frame() const { return *frame_; }
    const Blocks& blocks() const { return *blocks_; }

    bool is_noisy() const { return table_->array().noise > 0; }

    /// True if the points may have these coordinates: for the first pair of each axis, some
    /// frequency agrees with the table.
    bool may_stand_at(const GridLines& lines) const;
    /// True if the pair may have this frequency, in radians per coordinate, along its axis.
    bool may_turn(std::int64_t pair, double frequency, const Line& line, Closeness closeness) const;

  private:
    /// The values of a pair at a place on its axis; with an infinite error where the table has no
    /// such value.
    struct Cell {
        Measured cosine, sine;
    };

    std::int64_t row(char axis, std::int64_t place) const;

    const TurningTable* table_;
    const GridFrame* frame_;
    const Blocks* blocks_;
    std::vector<std::vector<Cell>> cells_;  ///< by pair and place
};

/// A sample of the places suffices: a proposal is compared with all values later.
constexpr std::int64_t most_places = 256;

Measured cell_of(const TurningTable& table, const std::vector<std::int64_t>& columns,
                 std::int64_t row, std::int64_t pair) {
    if (columns.empty()) return {0, std::numeric_limits<double>::infinity()};
    return cell(table.array(), row, columns[pair]);
}

bool agrees(const Measured& value, double wave, double units, double room) {
    return std::fabs(value.value - wave) <= units * value.error + room;
}

GridTurning::GridTurning(const TurningTable& table, const GridFrame& frame, const Blocks& blocks)
    : table_(&table), frame_(&frame), blocks_(&blocks) {
    for (std::int64_t pair = 0; pair < table.pairs(); ++pair) {
        const char axis = blocks.axis_of(pair);
        std::vector<Cell>& cells = cells_.emplace_back();
        for (std::int64_t place = 0; place < std::min(frame.extent(axis), most_places); ++place) {
            cells.push_back({cell_of(table, table.columns().cosines, row(axis, place), pair),
                             cell_of(table, table.columns().sines, row(axis, place), pair)});
        }
    }
}

std::int64_t GridTurning::row(char axis, std::int64_t place) const {
    return frame_->row_of[frame_->point(axis, place)];
}

bool GridTurning::may_stand_at(const GridLines& lines) const {
    for (std::size_t rank = 0; rank < blocks_->axes.size(); ++rank) {
        if (blocks_->pairs[rank] == 0) continue;
        const Line line = lines.along(*frame_, blocks_->axes[rank]);
        const std::int64_t pair = blocks_->pair(rank, 0);
        std::vector<TurnEquation> equations;
        for (std::int64_t place = 0; place < std::ssize(cells_[pair]); ++place) {
            equations.push_back(
                {line.at(place), table_->angle(row(blocks_->axes[rank], place), pair)});
        }
        // All usual coordinates are multiples of a quarter of the step, so frequencies beyond 4
        // turns show nothing new.
        const double farthest = line.step == 0 ? 8 : 8 * std::numbers::pi / line.step;
        if (solve({0, farthest}, equations, table_->drift()).empty()) return false;
    }
    return true;
}

bool GridTurning::may_turn(std::int64_t pair, double frequency, const Line& line,
                           Closeness closeness) const {
    const bool is_rounded = closeness == Closeness::rounded;
    const bool is_float32 = table_->array().precision.digits >= 24;
    const double units = is_rounded ? 1.01 : is_float32 ? 6 : 2;
    const double drift = is_rounded ? 0x1p-50 : 0x1p-20;
    const std::vector<Cell>& cells = cells_[pair];
    const auto count = std::ssize(cells);
    for (std::int64_t i = 1; i <= count; ++i) {
        // Many pairs are not rotated at the first place, whatever their frequency, so it is tested
        // last.
        const std::int64_t place = i % count;
        const double angle = frequency * line.at(place);
        const double room =
            drift * frequency * (std::fabs(line.first) + line.step * static_cast<double>(place)) +
            0x1p-50;
        // Any value would agree with an angle that is too large for float32.
        constexpr double most_room = 0x1p-6;
        if (room > most_room) return false;
        const auto& [cosine, sine] = cells[place];
        if (!agrees(cosine, std::cos(angle), units, room)) return false;
        if (!agrees(sine, std::sin(angle), units, room)) return false;
    }
    return true;
}

/// Adds the settings for the form of the table's values: layout and order.
void add_form(Proposal& proposal, const RotaryColumns& columns) {
    if (columns.table != "sin-cos") {
        append(proposal.settings, columns.settings);
        return;
    }
    if (columns.layout.empty()) {
        proposal.settings.push_back({"layout", "single"});
        proposal.channels = columns.channels;
        return;
    }
    if (columns.layout != "half") {
        proposal.settings.push_back({"layout", std::string(columns.layout)});
    }
    if (!columns.has_cosines_first) return;
    const auto width = std::ssize(columns.pair_of_column);
    for (std::int64_t column = 0; column < width; ++column) {
        proposal.channels.push_back((column + width / 2) % width);
    }
}

/// A table, a grid that its rows may be, and the blocks of its pairs.
struct Grid {
    const TurningTable& table;
    std::shared_ptr<const GridFrame> frame;
    const Blocks& blocks;
};

/// Returns a function for the absolute angle of a cell (row, column), 0 in rows outside the grid.
std::function<double(std::int64_t, std::int64_t)> angles_of(
    const Grid& grid, const GridLines& lines, const std::vector<double>& frequencies) {
    std::vector<Line> line_of_block;
    for (const char axis : grid.blocks.axes)
        line_of_block.push_back(lines.along(*grid.frame, axis));
    return [frame = grid.frame, blocks = grid.blocks, line_of_block,
            pairs = grid.table.columns().pair_of_column,
            frequencies](std::int64_t row, std::int64_t column) {
        const std::int64_t point = frame->point_of[row];
        if (point < 0) return 0.0;
        const std::int64_t pair = pairs[column];
        const std::size_t rank = blocks.rank_of(pair);
        const double place = line_of_block[rank].at(frame->place(blocks.axes[rank], point));
        return std::fabs(place * frequencies[pair]);
    };
}

Proposal proposal_of(const Grid& grid, const GridLines& lines, const GridSpectrum& spectrum) {
    const RotaryColumns& columns = grid.table.columns();
    Proposal proposal{.table = columns.table, .settings = grid.frame->settings()};
    proposal.settings.push_back({"d", std::to_string(2 * grid.table.pairs())});
    if (grid.blocks.axes != grid.frame->axes()) {
        proposal.settings.push_back({"axes", grid.blocks.axes});
    }
    const std::string split = grid.blocks.split(grid.frame->axes());
    if (!split.empty()) proposal.settings.push_back({"split", split});
    if (grid.blocks.are_in_turn) proposal.settings.push_back({"order", "ka"});
    append(proposal.settings, spectrum.settings.settings);
    append(proposal.settings, lines.settings);
    add_form(proposal, columns);
    proposal.angle = angles_of(grid, lines, spectrum.frequencies);
    return proposal;
}

/// Returns the spectra of usual numbers that agree with the rounded exact values or, if there are
/// none, with float32 values.
std::vector<GridSpectrum> spectra_at(const GridTurning& turning, const GridLines& lines) {
    std::vector<Line> line_of_block;
    ShownPairs shown{turning.blocks(), {}, {}, turning.is_noisy()};
    for (const char axis : turning.blocks().axes) {
        line_of_block.push_back(lines.along(turning.frame(), axis));
        shown.extents.push_back(static_cast<double>(turning.frame().extent(axis)));
    }
    for (const Closeness closeness : {Closeness::rounded, Closeness::float32}) {
        shown.may_turn = [&](std::int64_t pair, double frequency) {
            const Line& line = line_of_block[turning.blocks().rank_of(pair)];
            return turning.may_turn(pair, frequency, line, closeness);
        };
        const std::vector<GridSpectrum> spectra = usual_spectra(shown);
        if (!spectra.empty()) return spectra;
    }
    return {};
}

/// Adds the proposals for all coordinates that the points may have.
void add_spectra(std::vector<PricedProposal>& proposals, const Grid& grid) {
    const GridTurning turning(grid.table, *grid.frame, grid.blocks);
    for (const GridLines& lines : usual_lines()) {
        if (!turning.may_stand_at(lines)) continue;
        constexpr double bits_of_setting = 6;
        const double bits = bits_of_setting * static_cast<double>(lines.settings.size());
        for (const GridSpectrum& spectrum : spectra_at(turning, lines)) {
            proposals.push_back(
                {proposal_of(grid, lines, spectrum), spectrum.settings.bits + bits});
        }
    }
}

void add_columns(std::vector<PricedProposal>& proposals, const Sample& array,
                 const RotaryColumns& columns) {
    const TurningTable table(array, columns, {1, 0}, float32_errors);
    if (!table.may_turn()) return;
    const std::size_t before = proposals.size();
    for (const TokenOrder order : {TokenOrder::rows, TokenOrder::blocks}) {
        for (const GridFrame& frame : grid_frames(table, order)) {
            const auto shared = std::make_shared<const GridFrame>(frame);
            for (const Blocks& blocks : blocks_of(frame)) {
                add_spectra(proposals, {table, shared, blocks});
            }
        }
        if (proposals.size() != before) return;
    }
}

}  // namespace

std::vector<Proposal> recognize_rope_grid(const Sample& array) {
    if (array.rank() == 1) return recognize_grid_frequencies(array);
    std::vector<PricedProposal> priced;
    for (const RotaryColumns& columns : rotary_columns(array, "half")) {
        constexpr std::int64_t most_pairs = 1024;
        const bool has_axes = columns.pairs() >= 2 && columns.pairs() <= most_pairs;
        if (columns.table == "rotation" || !has_axes) continue;
        add_columns(priced, array, columns);
    }
    constexpr std::size_t most = 40;
    return cheapest(std::move(priced), most);
}

}  // namespace pegen::recognition
