#include "encodings/rotary/rope_grid_recognition.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>

#include "core/number.h"
#include "core/to_size.h"
#include "encodings/rotary/frequency_fit.h"
#include "encodings/rotary/grid_frame.h"
#include "encodings/rotary/grid_spectrum.h"
#include "encodings/rotary/turning_table.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;
using evidence::Setting;

/// The pairs of each axis: blocks in the order of --axes.
struct Blocks {
    std::string axes;
    std::vector<std::int64_t> pairs;  ///< of each, in this order

    char axis_of(std::int64_t pair) const {
        for (std::size_t i = 0; i < axes.size(); ++i) {
            if (pair < pairs[i]) return axes[i];
            pair -= pairs[i];
        }
        return axes.back();
    }
};

/// Returns the blocks in this order, if each pair is of its block's axis. Pairs that are the same
/// everywhere may be of any: blocks are equal if they can be, else as long as they can be.
std::optional<Blocks> blocks_in_order(const std::string& labels, const std::string& axes) {
    const auto count = static_cast<std::int64_t>(labels.size());
    const auto equal = count / static_cast<std::int64_t>(axes.size());
    Blocks blocks{axes, {}};
    std::int64_t begin = 0;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
        std::size_t next = labels.size(), least = to_size(begin);
        for (const char later : axes.substr(i + 1)) next = std::min(next, labels.find(later));
        if (labels.find(axes[i]) != std::string::npos) least = labels.rfind(axes[i]) + 1;
        next = std::min(next, labels.size());
        if (least > next || least < to_size(begin)) return std::nullopt;
        const std::int64_t usual = begin + equal;
        const bool may_be_equal = to_size(usual) >= least && to_size(usual) <= next;
        const std::int64_t end = may_be_equal ? usual : static_cast<std::int64_t>(next);
        blocks.pairs.push_back(end - begin);
        begin = end;
    }
    blocks.pairs.push_back(count - begin);
    const std::size_t last = labels.rfind(axes.back());
    if (last != std::string::npos && static_cast<std::int64_t>(last) < begin) return std::nullopt;
    return blocks;
}

std::vector<Blocks> blocks_of(const GridFrame& frame) {
    std::vector<Blocks> found;
    std::string axes(frame.axes());
    const std::string usual = axes;
    std::ranges::sort(axes);
    std::vector<std::string> orders{usual};
    do {
        if (axes != usual) orders.push_back(axes);
    } while (std::ranges::next_permutation(axes).found);
    for (const std::string& order : orders) {
        if (std::optional<Blocks> blocks = blocks_in_order(frame.axis_of_pair, order)) {
            found.push_back(*blocks);
        }
    }
    return found;
}

/// Where the points of an axis stand: first + i * step.
struct Line {
    double first, step;

    double at(std::int64_t place) const { return first + step * static_cast<double>(place); }
};

/// Coordinates as --coords, --start and --normalize have them.
struct Coordinates {
    std::vector<Setting> settings;
    Line (*line)(double extent, double least, double most);
};

const std::vector<Coordinates>& usual_coordinates() {
    static const std::vector<Coordinates> all{
        {{},
         [](double, double, double) {
             return Line{0, 1};
         }},
        {{{"start", "1"}},
         [](double, double, double) {
             return Line{1, 1};
         }},
        {{{"start", "0.5"}},
         [](double, double, double) {
             return Line{0.5, 1};
         }},
        {{{"coords", "cells"}},
         [](double n, double, double) {
             return Line{(1 - n) / n, 2 / n};
         }},
        {{{"coords", "cells"}, {"normalize", "max"}},
         [](double, double, double most) {
             return Line{(1 - most) / most, 2 / most};
         }},
        {{{"coords", "cells"}, {"normalize", "min"}},
         [](double, double least, double) {
             return Line{(1 - least) / least, 2 / least};
         }},
        {{{"coords", "linspace"}},
         [](double n, double, double) {
             return n == 1 ? Line{-1, 0} : Line{-1, 2 / (n - 1)};
         }},
    };
    return all;
}

/// A grid, its blocks and coordinates.
struct Grid {
    const TurningTable& table;
    std::shared_ptr<const GridFrame> shared_frame;
    const Blocks& blocks;
    const Coordinates& coordinates;

    const GridFrame& frame() const { return *shared_frame; }
    Line line(char axis) const {
        const GridFrame& frame = *shared_frame;
        double least = static_cast<double>(frame.extent('x')), most = least;
        for (const char other : frame.axes()) {
            least = std::min(least, static_cast<double>(frame.extent(other)));
            most = std::max(most, static_cast<double>(frame.extent(other)));
        }
        return coordinates.line(static_cast<double>(frame.extent(axis)), least, most);
    }
    std::int64_t row(char axis, std::int64_t place) const {
        return frame().row_of[to_size(frame().point(axis, place))];
    }
};

/// Returns the frequencies of the pairs of an axis; none if one has none at these coordinates.
std::optional<AxisTurning> turning_along(const Grid& grid, char axis, std::int64_t first,
                                         std::int64_t pairs) {
    AxisTurning turning{axis, grid.frame().extent(axis), {}};
    std::vector<std::int64_t> rows;
    std::vector<double> places;
    const Line line = grid.line(axis);
    for (std::int64_t place = 0; place < std::min<std::int64_t>(turning.extent, 256); ++place) {
        rows.push_back(grid.row(axis, place));
        places.push_back(line.at(place));
    }
    // Two frequencies whose steps differ by a turn are not told apart.
    const double fastest = line.step == 0 ? 1 : std::numbers::pi / line.step;
    for (std::int64_t pair = first; pair < first + pairs; ++pair) {
        // Most turn by 1 radian at most, and a sine alone leaves open what is beyond pi / 2.
        auto frequency = frequency_of(grid.table, pair, rows, places, {0, 1 + 1e-6});
        if (!frequency) {
            frequency = frequency_of(grid.table, pair, rows, places, {0, fastest * (1 + 1e-6)});
        }
        if (!frequency) return std::nullopt;
        turning.frequencies.push_back(*frequency);
    }
    return turning;
}

std::optional<std::vector<AxisTurning>> turning_of(const Grid& grid) {
    std::vector<AxisTurning> all;
    std::int64_t first = 0;
    for (std::size_t i = 0; i < grid.blocks.axes.size(); ++i) {
        const std::int64_t pairs = grid.blocks.pairs[i];
        const auto turning = turning_along(grid, grid.blocks.axes[i], first, pairs);
        if (!turning) return std::nullopt;
        all.push_back(*turning);
        first += pairs;
    }
    return all;
}

/// Settings and the frequencies of all pairs.
struct Spectrum {
    RopeSettings settings;
    std::vector<double> frequencies;
};

/// Bands from 1 to `high`, times `scale`, for each axis.
struct Bands {
    bool is_linear;
    double scale, high;

    double at(const Blocks& blocks, std::int64_t pair) const {
        std::int64_t pairs = blocks.pairs.back();
        for (const std::int64_t count : blocks.pairs) {
            pairs = count;
            if (pair < count) break;
            pair -= count;
        }
        const auto last = std::max(1.0, static_cast<double>(pairs - 1));
        const double part = static_cast<double>(pair) / last;
        return scale * (is_linear ? 1 - part + high * part : std::pow(high, part));
    }
};

/// True if all pairs turn along their axes with the frequencies that `frequency_of` has of them.
template <typename FrequencyOf>
bool turns_with(const Grid& grid, const FrequencyOf& frequency_of) {
    for (std::int64_t pair = grid.table.pairs() - 1; pair >= 0; --pair) {
        const char axis = grid.blocks.axis_of(pair);
        const Line line = grid.line(axis);
        const double frequency = frequency_of(pair);
        for (std::int64_t place = 0; place < grid.frame().extent(axis); ++place) {
            const double angle = frequency * line.at(place);
            if (!grid.table.may_be(grid.row(axis, place), pair, angle)) return false;
        }
    }
    return true;
}

/// Adds a spectrum if all pairs turn with its frequencies.
template <typename FrequencyOf>
void add_if_it_turns(std::vector<Spectrum>& found, const Grid& grid, const RopeSettings& settings,
                     const FrequencyOf& frequency_of) {
    if (!turns_with(grid, frequency_of)) return;
    std::vector<double> frequencies;
    for (std::int64_t pair = 0; pair < grid.table.pairs(); ++pair) {
        frequencies.push_back(frequency_of(pair));
    }
    found.push_back({settings, std::move(frequencies)});
}

/// Returns the bands of code that knows pixels. They turn several times from one point to the next,
/// so frequencies cannot be measured, and all usual ones are tried.
std::vector<Spectrum> pixel_bands(const Grid& grid) {
    std::vector<Spectrum> found;
    constexpr double pi = std::numbers::pi;
    for (const double scale : {pi, 1.0, 2 * pi}) {
        for (double high = 2; high <= 1024 && found.empty(); high += 0.5) {
            for (const bool is_linear : {true, false}) {
                const Bands bands{is_linear, scale, high};
                RopeSettings settings;
                settings.settings = {{"spectrum", is_linear ? "linear" : "geometric"},
                                     {"freqs", "1," + shortest(high)}};
                if (scale != 1) {
                    settings.settings.push_back({"freq-scale", scale == pi ? "pi" : "2*pi"});
                }
                add_if_it_turns(found, grid, settings,
                                [&](std::int64_t pair) { return bands.at(grid.blocks, pair); });
            }
        }
    }
    return found;
}

/// A factor of the frequencies of each block, and its setting.
struct UsualScale {
    std::string_view name;
    std::string value;
    std::vector<double> of_block;
};

std::vector<UsualScale> usual_scales(const Grid& grid) {
    std::vector<UsualScale> scales;
    const std::size_t blocks = grid.blocks.axes.size();
    scales.push_back({"freq-scale", "1", std::vector<double>(blocks, 1.0)});
    scales.push_back({"freq-scale", "2*pi", std::vector<double>(blocks, 2 * std::numbers::pi)});
    scales.push_back({"freq-scale", "pi", std::vector<double>(blocks, std::numbers::pi)});
    for (const double reference : {16.0, 14.0, 7.0, 24.0, 32.0, 8.0, 12.0, 64.0}) {
        UsualScale scale{"ref-extent", shortest(reference), {}};
        for (const char axis : grid.blocks.axes) {
            scale.of_block.push_back(reference / static_cast<double>(grid.frame().extent(axis)));
        }
        scales.push_back(scale);
    }
    return scales;
}

/// Returns the powers of usual bases, where a pair turns by half a turn and more from point to
/// point.
std::vector<Spectrum> usual_powers(const Grid& grid) {
    std::vector<Spectrum> found;
    const Blocks& blocks = grid.blocks;
    const auto all = static_cast<double>(grid.table.pairs());
    const auto axes = static_cast<double>(blocks.axes.size());
    for (const UsualScale& scale : usual_scales(grid)) {
        for (const PowerSpectrum& spectrum : power_spectra()) {
            for (const double base : known_bases().first(16)) {
                RopeSettings settings = scaled("none", {shortest(base), base, 3});
                if (spectrum.name != "own") add_word(settings, "spectrum", spectrum.name);
                if (scale.value != "1") settings.settings.push_back({scale.name, scale.value});
                add_if_it_turns(found, grid, settings, [&](std::int64_t pair) {
                    std::size_t rank = 0;
                    std::int64_t first = 0;
                    while (pair - first >= blocks.pairs[rank]) first += blocks.pairs[rank++];
                    const double exponent = spectrum.exponent(
                        static_cast<double>(pair - first), static_cast<double>(blocks.pairs[rank]),
                        static_cast<double>(rank), axes, static_cast<double>(first), all);
                    return scale.of_block[rank] * std::pow(base, -exponent);
                });
            }
        }
    }
    constexpr std::size_t most = 4;
    if (found.size() > most) found.resize(most);
    return found;
}

/// Returns the spectra whose frequencies are seen.
std::vector<Spectrum> seen_spectra(const std::vector<AxisTurning>& axes) {
    std::vector<double> frequencies;
    for (const AxisTurning& axis : axes) {
        for (const Measured& frequency : axis.frequencies) frequencies.push_back(frequency.value);
    }
    std::vector<Spectrum> spectra;
    for (RopeSettings& settings : grid_settings(axes)) {
        spectra.push_back({std::move(settings), frequencies});
    }
    return spectra;
}

/// Adds the settings of how the table holds its values.
void add_form(Proposal& proposal, const RotaryColumns& columns) {
    if (columns.table != "sin-cos") {
        proposal.settings.insert(proposal.settings.end(), columns.settings.begin(),
                                 columns.settings.end());
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

/// Returns the magnitude of the angle of each cell.
std::function<double(std::int64_t, std::int64_t)> angles_of(
    const Grid& grid, const std::vector<double>& frequencies) {
    std::vector<Line> lines;
    for (const char axis : grid.blocks.axes) lines.push_back(grid.line(axis));
    return [frame = grid.shared_frame, blocks = grid.blocks, lines,
            pairs = grid.table.columns().pair_of_column,
            frequencies](std::int64_t row, std::int64_t column) {
        const std::int64_t point = frame->point_of[to_size(row)];
        if (point < 0) return 0.0;
        const std::int64_t pair = pairs[to_size(column)];
        const char axis = blocks.axis_of(pair);
        const double place = lines[blocks.axes.find(axis)].at(frame->place(axis, point));
        return std::fabs(place * frequencies[to_size(pair)]);
    };
}

Proposal proposal_of(const Grid& grid, const Spectrum& spectrum) {
    const RotaryColumns& columns = grid.table.columns();
    Proposal proposal{.table = columns.table, .settings = grid.frame().settings()};
    const auto add = [&](std::string_view name, std::string value) {
        proposal.settings.push_back({name, std::move(value)});
    };
    add("d", std::to_string(2 * grid.table.pairs()));
    if (grid.blocks.axes != grid.frame().axes()) add("axes", grid.blocks.axes);
    const bool is_equal = std::ranges::all_of(
        grid.blocks.pairs, [&](std::int64_t pairs) { return pairs == grid.blocks.pairs.front(); });
    if (!is_equal) {
        std::string split;
        for (const char axis : grid.frame().axes()) {
            const std::int64_t pairs = grid.blocks.pairs[grid.blocks.axes.find(axis)];
            if (!split.empty()) split += ',';
            split += std::to_string(2 * pairs);
        }
        add("split", split);
    }
    for (const auto* const more : {&spectrum.settings.settings, &grid.coordinates.settings}) {
        proposal.settings.insert(proposal.settings.end(), more->begin(), more->end());
    }
    add_form(proposal, columns);
    proposal.angle = angles_of(grid, spectrum.frequencies);
    return proposal;
}

void add_grid(std::vector<Proposal>& proposals, const Grid& grid) {
    const std::vector<Setting>& coordinates = grid.coordinates.settings;
    const bool may_be_pixels = !coordinates.empty() && coordinates.front().name == "coords";
    std::vector<Spectrum> spectra;
    if (const auto turning = turning_of(grid)) spectra = seen_spectra(*turning);
    if (spectra.empty()) spectra = usual_powers(grid);
    if (spectra.empty() && may_be_pixels) spectra = pixel_bands(grid);
    for (const Spectrum& spectrum : spectra) proposals.push_back(proposal_of(grid, spectrum));
}

void add_columns(std::vector<Proposal>& proposals, const Sample& array,
                 const RotaryColumns& columns) {
    const TurningTable exact(array, columns, {1, 0}, exact_arithmetic);
    const TurningTable float32(array, columns, {1, 0}, float32_arithmetic);
    for (const GridFrame& frame : grid_frames(float32)) {
        const auto shared = std::make_shared<const GridFrame>(frame);
        for (const Blocks& blocks : blocks_of(frame)) {
            for (const Coordinates& coordinates : usual_coordinates()) {
                add_grid(proposals, {float32, shared, blocks, coordinates});
                add_grid(proposals, {exact, shared, blocks, coordinates});
            }
        }
    }
}

}  // namespace

std::vector<Proposal> recognize_rope_grid(const Sample& array) {
    std::vector<Proposal> proposals;
    for (const RotaryColumns& columns : rotary_columns(array, "half")) {
        constexpr std::int64_t most_pairs = 1024;
        const bool has_axes = columns.pairs() >= 2 && columns.pairs() <= most_pairs;
        if (columns.table == "rotation" || !has_axes) continue;
        add_columns(proposals, array, columns);
    }
    constexpr std::size_t most = 40;
    if (proposals.size() > most) proposals.resize(most);
    return proposals;
}

}  // namespace pegen::encodings
