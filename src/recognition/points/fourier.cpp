#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/names.h"
#include "core/shape.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/points/coordinates.h"
#include "recognition/evidence/attention_array.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/point_grid.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/priced_settings.h"

namespace pegen::recognition {
namespace {

using evidence::PointGrid;
using evidence::wrapped;
using numerics::ChannelRun;
using numerics::Function;

using Places = std::vector<Measured>;

/// The angles of an axis, modulo 2 pi: for each frequency, the angles of all rows.
using FourierAngles = std::vector<std::vector<Measured>>;
enum class BandForm { pow2, linear, geometric };

/// Returns the relative error of angles in float32 code, or in exact values.
double share_of(const Sample& sample) { return sample.precision.digits > 24 ? 0x1p-50 : 0x1p-22; }

/// True if the angles of a frequency are all 0.
bool is_still(const std::vector<Measured>& angles) {
    return std::ranges::all_of(
        angles, [](const Measured& angle) { return std::fabs(angle.value) <= 4 * angle.error; });
}

/// Returns the angles of the axis with index `rank` at these rows; none if a sine and its cosine
/// are not on the unit circle.
std::optional<FourierAngles> fourier_angles(const Sample& sample,
                                            const encodings::FourierChannels& channels,
                                            std::int64_t rank,
                                            const std::vector<std::int64_t>& rows) {
    const std::vector<ChannelRun> runs = layout(channels, rank).runs;
    const ChannelRun& sines = runs[runs[0].function == Function::sin ? 0 : 1];
    const ChannelRun& cosines = runs[runs[0].function == Function::sin ? 1 : 0];
    const double tolerance = 8 * sample.error_of(1);
    FourierAngles angles;
    for (std::int64_t k = 0; k < channels.frequencies; ++k) {
        std::vector<Measured>& of_frequency = angles.emplace_back();
        for (const std::int64_t row : rows) {
            const double* const values = sample.values.data() + row * sample.extents.back();
            const double sine = values[sines.first_channel + k * sines.channel_stride];
            const double cosine = values[cosines.first_channel + k * cosines.channel_stride];
            if (!(std::fabs(sine * sine + cosine * cosine - 1) <= tolerance)) return std::nullopt;
            of_frequency.push_back(
                {std::atan2(sine, cosine), std::fabs(cosine) * sample.error_of(sine) +
                                               std::fabs(sine) * sample.error_of(cosine)});
        }
    }
    return angles;
}

/// True if the angles may belong to frequencies of this form, whatever the points are. Requires
/// three frequencies, or two for pow2. Always true for geometric frequencies.
bool is_possible(BandForm form, const FourierAngles& angles) {
    if (angles.size() < 2 || (angles.size() < 3 && form != BandForm::pow2)) return false;
    if (form == BandForm::geometric) return true;
    constexpr double least = 0.01;
    const std::size_t first = form == BandForm::pow2 ? 1 : 2;
    for (std::size_t k = first; k < angles.size(); ++k) {
        for (std::size_t row = 0; row < angles[k].size(); ++row) {
            const Measured& angle = angles[k][row];
            const Measured& before = angles[k - 1][row];
            const double off = form == BandForm::pow2
                                   ? angle.value - 2 * before.value
                                   : angle.value - 2 * before.value + angles[k - 2][row].value;
            const double tolerance = least + 8 * (angle.error + 3 * before.error);
            if (std::fabs(wrapped(off)) > tolerance) return false;
        }
    }
    return true;
}

/// The frequencies and places that the angles of an axis show: angle[k][row] = places[row] *
/// frequencies[k].
struct FourierBands {
    BandForm form;
    /// Relative to the first frequency, or to the second if the first is 0.
    std::vector<double> frequencies;
    std::vector<Measured> places;  ///< angles, unwrapped
    /// For linear, the last frequency; for geometric, the base.
    SimpleNumber number;
};

FourierBands powers_of_two(std::size_t count) {
    FourierBands bands{BandForm::pow2, {}, {}, {}};
    for (std::size_t k = 0; k < count; ++k) {
        bands.frequencies.push_back(std::ldexp(1.0, static_cast<int>(k)));
    }
    return bands;
}

/// Refines the places with the angles of ever faster frequencies.
void refine(FourierBands& bands, const FourierAngles& angles) {
    std::vector<std::size_t> order(angles.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return std::fabs(bands.frequencies[k]); });
    for (const std::size_t k : order) {
        const double frequency = bands.frequencies[k];
        if (frequency == 0) continue;
        for (std::size_t row = 0; row < bands.places.size(); ++row) {
            Measured& place = bands.places[row];
            const Measured& angle = angles[k][row];
            const double error = angle.error / std::fabs(frequency);
            if (!(error < place.error) || place.error * std::fabs(frequency) > 0.5) continue;
            place.value += wrapped(angle.value - frequency * place.value) / frequency;
            place.error = error;
        }
    }
}

/// True if the places and frequencies explain all angles except a few.
bool explains(const FourierBands& bands, const FourierAngles& angles, const Sample& sample) {
    const double share = share_of(sample);
    const std::size_t most_astray = angles.size() * bands.places.size() / 20;
    std::size_t astray = 0;
    for (std::size_t k = 0; k < angles.size(); ++k) {
        for (std::size_t row = 0; row < bands.places.size(); ++row) {
            const double expected = bands.frequencies[k] * bands.places[row].value;
            // Beyond a certain angle, values of float32 code are meaningless.
            const double drift = std::min(16 * share * std::fabs(expected), 0.05);
            const double tolerance = 8 * (angles[k][row].error + std::fabs(bands.frequencies[k]) *
                                                                     bands.places[row].error) +
                                     drift + 1e-6;
            const double off = std::fabs(wrapped(angles[k][row].value - expected));
            astray += off > tolerance ? 1 : 0;
            if (astray > most_astray) return false;
        }
    }
    return true;
}

using AllBands = std::vector<FourierBands>;  ///< one for each axis

/// A division of the first frequency into --freq-scale and the first frequency of --freqs.
struct Scale {
    std::string text;
    double value;
    double unit;  ///< the first frequency of --freqs

    double product() const { return value * unit; }
};

/// The scales with names, and 1.
inline const std::array usual_scales{Scale{"1", 1, 1}, Scale{"pi", std::numbers::pi, 1},
                                     Scale{"2*pi", 2 * std::numbers::pi, 1}};

/// Returns the number as presets write it: 0.0001, not 1e-04.
std::string text_of(const SimpleNumber& number) { return fmt::format("{}", number.value); }

/// Returns the text of the simplest number within the error.
std::string simplest(const Measured& number) {
    const auto numbers = evidence::simple_numbers(number);
    return numbers.empty() ? "0" : text_of(numbers.front());
}

/// Returns the value of --freqs in which the first frequency, or the second if the first is 0, is
/// `unit`. For pow2, `unit` must be a power of two.
std::string freqs_text(const AllBands& all, double unit) {
    std::vector<std::string> texts;
    for (const FourierBands& bands : all) {
        const std::size_t count = bands.frequencies.size();
        if (bands.form == BandForm::pow2) {
            const int low = unit > 0 ? std::ilogb(unit) : 0;
            texts.push_back(
                low == 0 ? fmt::format("pow2:{}", count)
                         : fmt::format("pow2:{}:{}", low, low + std::ssize(bands.frequencies)));
        } else if (bands.form == BandForm::geometric) {
            texts.push_back(fmt::format("geometric:{}:{}", text_of(bands.number), count));
        } else {
            const double last = bands.number.value * unit;
            texts.push_back(fmt::format(
                "linear:{}:{}:{}", bands.frequencies[0] == 0 ? "0" : simplest({unit, 1e-9 * unit}),
                simplest({last, 1e-9 * last}), count));
        }
    }
    const bool are_same = std::ranges::adjacent_find(texts, std::not_equal_to()) == texts.end();
    return are_same ? texts.front() : joined(texts, "/");
}

/// True if the first frequency of --freqs may be this number.
bool has_unit(BandForm form, double unit) {
    int exponent = 0;
    if (form == BandForm::pow2) return std::frexp(unit, &exponent) == 0.5;
    return unit == 1 || (form == BandForm::linear && unit > 0);
}

bool is_usual(double scale) {
    return std::ranges::find(usual_scales, scale, &Scale::value) != usual_scales.end();
}

/// Returns the scales whose product is `first`. The first frequency of --freqs differs from 1 only
/// if the form of the bands allows it.
std::vector<Scale> scales_of(const Measured& first, const AllBands& bands) {
    std::vector<Scale> scales;
    for (const Scale& scale : usual_scales) {
        const Measured unit{first.value / scale.value, first.error / scale.value};
        const auto numbers = evidence::simple_numbers(unit);
        if (numbers.empty()) continue;
        if (has_unit(bands.front().form, numbers.front().value)) {
            scales.push_back({scale.text, scale.value, numbers.front().value});
        }
    }
    for (const SimpleNumber& number : evidence::simple_numbers(first, 2)) {
        if (number.value > 0 && !is_usual(number.value)) {
            scales.push_back({text_of(number), number.value, 1});
        }
    }
    return scales;
}

/// An array, and the arrangement of channels of Fourier features it may have.
struct FourierArray {
    const Sample& sample;
    encodings::FourierChannels channels;
};

/// The wave in a column.
struct ColumnWave {
    std::size_t rank = 0;  ///< index of its axis
    double frequency = 0;  ///< absolute value
};

/// Returns the coordinates that the array holds for the axis with index `rank`. Precondition:
/// channels.is_raw().
std::vector<double> raw_at(const FourierArray& array, std::int64_t rank,
                           const std::vector<std::int64_t>& rows) {
    std::vector<double> raw;
    const std::int64_t column = encodings::raw_column(array.channels, rank);
    for (const std::int64_t row : rows) {
        raw.push_back(array.sample.values[row * array.channels.count() + column]);
    }
    return raw;
}

/// Adds the settings for the arrangement of the channels and for the frequencies.
void add_channels(Proposal& proposal, const encodings::FourierChannels& channels,
                  std::string_view freqs, std::string_view scale) {
    const auto set = [&](std::string_view name, std::string_view text, std::string_view usual) {
        if (text != usual) proposal.settings.push_back({name, std::string(text)});
    };
    set("freqs", freqs, "pow2:10");
    set("freq-scale", scale, "1");
    set("order", channels.order, "akf");
    set("first", channels.is_sin_first ? "sin" : "cos", "sin");
    set("raw", channels.raw, "none");
}

/// Returns the wave of each column, given the frequencies of the axes, for Proposal::angle.
std::vector<ColumnWave> column_waves(const encodings::FourierChannels& channels,
                                     const std::vector<std::vector<double>>& frequencies) {
    std::vector<ColumnWave> columns(channels.count());
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        for (const numerics::ChannelRun& run : layout(channels, rank).runs) {
            for (std::int64_t k = 0; k < run.count; ++k) {
                columns[run.first_channel + k * run.channel_stride] = {
                    to_size(rank), std::fabs(frequencies[rank][k])};
            }
        }
    }
    return columns;
}

/// Returns the ratio of the places to the raw coordinates; none if they are not proportional.
std::optional<Measured> slope_over(const std::vector<double>& raw, const Places& places,
                                   const Sample& sample) {
    double squares = 0, products = 0, largest = 0, largest_raw = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        squares += raw[i] * raw[i];
        products += raw[i] * places[i].value;
        largest = std::max(largest, std::fabs(places[i].value));
        largest_raw = std::max(largest_raw, std::fabs(raw[i]));
    }
    if (!(squares > 0)) return std::nullopt;
    const double slope = products / squares;
    std::size_t astray = 0;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        astray += std::fabs(places[i].value - slope * raw[i]) > 0.02 * largest ? 1 : 0;
    }
    if (8 * astray > raw.size()) return std::nullopt;
    const double share = sample.error_of(largest_raw) / largest_raw + 1e-5;
    return Measured{slope, share * std::fabs(slope)};
}

/// Returns the frequencies 2^k and the places; none if the angles are not of such frequencies.
std::optional<AllBands> bands_of(const FourierArray& array, const std::vector<std::int64_t>& rows) {
    AllBands all;
    for (std::int64_t rank = 0; rank < array.channels.axes; ++rank) {
        const auto angles = fourier_angles(array.sample, array.channels, rank, rows);
        if (!angles || !is_possible(BandForm::pow2, *angles)) return std::nullopt;
        FourierBands bands = powers_of_two(angles->size());
        bands.places = angles->front();
        refine(bands, *angles);
        if (!explains(bands, *angles, array.sample)) return std::nullopt;
        all.push_back(std::move(bands));
    }
    return all;
}

std::vector<std::int64_t> rows_apart(std::int64_t step, std::int64_t end) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < end; row += step) rows.push_back(row);
    return rows;
}

/// Returns the coordinates as a table (points, axes) of float64, rounded to float32 where the
/// errors allow it.
Table table_of(const std::vector<Places>& axes, double factor) {
    const std::size_t points = axes.front().size();
    std::vector<double> values;
    for (std::size_t point = 0; point < points; ++point) {
        for (const Places& places : axes) {
            const double exact = places[point].value / factor;
            const auto single = static_cast<double>(static_cast<float>(exact));
            const bool is_single =
                std::fabs(single - exact) <= places[point].error / std::fabs(factor);
            values.push_back(is_single ? single : exact);
        }
    }
    return evidence::data_table(std::move(values),
                                Shape{std::ssize(axes.front()), std::ssize(axes)},
                                evidence::precision_of(DType::float64));
}

/// Returns the proposals for Fourier features of any points, read from the array, with frequencies
/// 2^k.
std::vector<Proposal> fourier_of_points(const FourierArray& array) {
    const Sample& sample = array.sample;
    if (sample.leading != sample.extents.front()) return {};
    // A few points are enough to reject most arrays.
    constexpr std::int64_t few = 64;
    const std::int64_t step = sample.leading / few;
    if (step > 1 && !bands_of(array, rows_apart(step, sample.leading))) return {};
    const std::vector<std::int64_t> rows = rows_apart(1, sample.leading);
    const auto bands = bands_of(array, rows);
    if (!bands) return {};
    std::vector<Places> places, raw;
    std::vector<std::vector<double>> frequencies;
    for (std::int64_t rank = 0; rank < array.channels.axes; ++rank) {
        places.push_back((*bands)[rank].places);
        frequencies.push_back((*bands)[rank].frequencies);
        if (!array.channels.is_raw()) continue;
        Places& of_axis = raw.emplace_back();
        for (const double value : raw_at(array, rank, rows)) of_axis.push_back({value, 0});
    }
    std::vector<Scale> scales{{"1", 1, 1}};
    if (!raw.empty()) {
        const auto slope = slope_over(raw_at(array, 0, rows), places[0], sample);
        if (!slope) return {};
        scales = scales_of(*slope, *bands);
    }
    const auto angle = [columns = column_waves(array.channels, frequencies), places](
                           std::int64_t row, std::int64_t column) {
        const auto [rank, frequency] = columns[column];
        return std::fabs(places[rank][row].value) * frequency;
    };
    std::vector<Proposal> proposals;
    for (const Scale& scale : scales) {
        for (const bool is_raw : {true, false}) {
            if (is_raw && raw.empty()) continue;
            Proposal proposal{.settings = {}, .angle = angle};
            proposal.data.push_back(
                {"points", "points.npy",
                 is_raw ? table_of(raw, 1) : table_of(places, scale.product())});
            add_channels(proposal, array.channels, freqs_text(*bands, scale.unit), scale.text);
            proposals.push_back(std::move(proposal));
        }
    }
    return proposals;
}

// Frequencies of points at known coordinates with equal distances.

/// Measurements along a line of the grid, from the columns of an axis.
struct FourierLine {
    std::int64_t extent;
    FourierAngles angles;
    std::vector<evidence::Turning> turnings;  ///< one for each frequency
};

/// A fit of all axes: angle[k][point] = scale.product() * frequencies[k] * coordinates[point].
struct FourierFit {
    AllBands bands;
    Scale scale;
    double bits;  ///< approximate bits of the numbers
};

constexpr double pi = std::numbers::pi;
constexpr double turn = 2 * pi;

/// The most bits of a number that is found only by adding whole turns; a more expensive number is
/// no evidence.
constexpr double most_bits_of_turned = 24;

/// Usual factors, tried even if their angles turn many times.
constexpr std::array usual_factors{0.1,   0.25,   0.5,    1.0,   2.0,    3.0,    4.0,   5.0,
                                   8.0,   10.0,   16.0,   20.0,  25.0,   30.0,   32.0,  50.0,
                                   60.0,  64.0,   80.0,   100.0, 128.0,  200.0,  256.0, 500.0,
                                   512.0, 1000.0, 1024.0, 1e4,   pi / 4, pi / 2, pi,    2 * pi};

/// Usual bases of geometric frequencies, tried even if their angles turn many times.
constexpr std::array usual_bases{2.0, 10.0, 100.0, 1000.0, 10000.0, 0.01, 0.001, 0.0001};

/// Returns the index of the axis with the most points, which shows most.
std::size_t finest(const std::vector<FourierLine>& lines) {
    const auto longest = std::ranges::max_element(lines, {}, &FourierLine::extent);
    return static_cast<std::size_t>(longest - lines.begin());
}

/// Returns an advance, refined with the advances of the frequencies from `first` on, which are
/// multiple(k) times as large. If `is_ahead`, the advance of frequency 0 is subtracted from them.
template <class Multiple>
Measured sharpened(Measured advance, const FourierLine& line, std::size_t first, bool is_ahead,
                   const Multiple& multiple) {
    for (std::size_t k = first; k < line.turnings.size(); ++k) {
        const double times = multiple(k);
        Measured measured = line.turnings[k].advance;
        if (is_ahead) {
            measured.value -= line.turnings[0].advance.value;
            measured.error += line.turnings[0].advance.error;
        }
        const double expected = times * advance.value;
        if (times * advance.error > 1) break;
        const double error = measured.error / times;
        if (!(error < advance.error)) continue;
        advance = {(expected + wrapped(measured.value - expected)) / times, error};
    }
    return advance;
}

/// Returns simple positive numbers that differ from `number` by multiples of `period`, cheapest
/// first: several close to the least such number, and for each other multiple a number that is
/// simple enough.
std::vector<SimpleNumber> numbers_modulo(const Measured& number, double period, double share) {
    std::vector<SimpleNumber> found;
    const auto add = [&](const SimpleNumber& candidate) {
        const bool is_new =
            std::ranges::find(found, candidate.value, &SimpleNumber::value) == found.end();
        if (is_new && candidate.value > 0) found.push_back(candidate);
    };
    // If the least number is simple, few others need to be considered.
    constexpr int few_turns = 8, many_turns = 64;
    constexpr double most_bits_of_simple = 10;
    const double lowest = number.value - period * std::floor(number.value / period);
    int most_turns = many_turns;
    for (int turns = 0; turns < most_turns; ++turns) {
        const double value = lowest + turns * period;
        const double error = number.error + share * lowest;
        for (const SimpleNumber& simple :
             evidence::simple_numbers({value, error}, turns == 0 ? 4 : 1)) {
            if (turns == 0 || simple.bits <= most_bits_of_turned) add(simple);
            if (turns == 0 && simple.bits <= most_bits_of_simple) most_turns = few_turns;
        }
    }
    for (const double factor : usual_factors) {
        const double off = std::fabs(std::remainder(factor - number.value, period));
        if (off <= number.error + share * std::min(factor, period)) {
            add(evidence::simple_numbers({factor, 0}, 1).front());
        }
    }
    std::ranges::stable_sort(found, {}, &SimpleNumber::bits);
    constexpr std::size_t most = 16;
    if (found.size() > most) found.resize(most);
    return found;
}

/// Returns the places: the coordinates multiplied by the factor, which makes them angles of the
/// first frequency.
std::vector<Measured> places_of(const std::vector<double>& coordinates, double factor) {
    std::vector<Measured> places;
    for (const double coordinate : coordinates) places.push_back({factor * coordinate, 0});
    return places;
}

/// The lines, and the places that a possible factor of the first frequency gives their coordinates.
struct Placed {
    const std::vector<FourierLine>& lines;
    const Sample& sample;
    std::vector<std::vector<Measured>> places;

    bool is_explained(std::size_t rank, const FourierBands& bands) const {
        FourierBands of_line = bands;
        of_line.places = places[rank];
        return explains(of_line, lines[rank].angles, sample);
    }

    bool are_explained(const FourierBands& bands) const {
        for (std::size_t rank = 0; rank < lines.size(); ++rank) {
            if (!is_explained(rank, bands)) return false;
        }
        return true;
    }
};

FourierBands linear_to(const SimpleNumber& last, std::size_t count) {
    FourierBands bands{BandForm::linear, {}, {}, last};
    const auto intervals = static_cast<double>(count - 1);
    for (double k = 0; k <= intervals; ++k) {
        bands.frequencies.push_back(1 + (last.value - 1) * k / intervals);
    }
    return bands;
}

FourierBands geometric_to(double base, std::size_t count) {
    FourierBands bands{BandForm::geometric, {}, {}, evidence::simple_numbers({base, 0}, 1).front()};
    const auto n = static_cast<double>(count);
    for (double k = 0; k < n; ++k) bands.frequencies.push_back(std::pow(base, k / n));
    return bands;
}

/// Returns the linear frequencies, starting at 1, that this line may have.
std::vector<FourierBands> linear_bands(const Placed& placed, std::size_t rank) {
    const FourierLine& line = placed.lines[rank];
    const double distance = placed.places[rank][1].value - placed.places[rank][0].value;
    const Measured second{wrapped(line.turnings[1].advance.value - line.turnings[0].advance.value),
                          line.turnings[1].advance.error + line.turnings[0].advance.error};
    const Measured ahead =
        sharpened(second, line, 2, true, [](std::size_t k) { return static_cast<double>(k); });
    const auto intervals = static_cast<double>(line.turnings.size() - 1);
    const Measured last{ahead.value / distance * intervals,
                        ahead.error / std::fabs(distance) * intervals};
    const double period = turn / std::fabs(distance) * intervals;
    std::vector<FourierBands> found;
    for (SimpleNumber& number :
         numbers_modulo({1 + last.value, last.error}, period, share_of(placed.sample))) {
        if (number.value > 1) found.push_back(linear_to(number, line.turnings.size()));
    }
    return found;
}

/// Returns the first of the bands that explains the line; none if no bands do.
std::optional<FourierBands> first_of(const std::vector<FourierBands>& bands, const Placed& placed,
                                     std::size_t rank) {
    const auto found = std::ranges::find_if(
        bands, [&](const FourierBands& candidate) { return placed.is_explained(rank, candidate); });
    return found == bands.end() ? std::nullopt : std::optional(*found);
}

/// Returns the bands that explain all axes together or, if there are none, separate bands for each
/// axis.
std::vector<AllBands> bands_of_axes(const Placed& placed,
                                    const std::vector<std::vector<FourierBands>>& known) {
    constexpr std::size_t most = 3;
    const std::size_t axes = placed.lines.size();
    std::vector<AllBands> found;
    for (const auto& of_line : known) {
        for (const FourierBands& bands : of_line) {
            const bool is_new = std::ranges::none_of(found, [&](const AllBands& other) {
                return other.front().number.value == bands.number.value;
            });
            if (found.size() == most || !is_new || !placed.are_explained(bands)) continue;
            found.emplace_back(axes, bands);
        }
    }
    if (!found.empty()) return found;
    AllBands own;
    for (std::size_t rank = 0; rank < axes; ++rank) {
        auto bands = first_of(known[rank], placed, rank);
        if (!bands) return {};
        own.push_back(std::move(*bands));
    }
    return {own};
}

/// Returns the possible frequencies of this form, for all axes.
std::vector<AllBands> all_bands(BandForm form, const Placed& placed, bool begins_with_0) {
    const std::size_t count = placed.lines.front().angles.size();
    std::vector<std::vector<FourierBands>> known;
    for (std::size_t rank = 0; rank < placed.lines.size(); ++rank) {
        std::vector<FourierBands>& of_line = known.emplace_back();
        if (form == BandForm::pow2) {
            of_line.push_back(powers_of_two(count));
        } else if (form == BandForm::linear && begins_with_0) {
            FourierBands bands{form, {}, {}, {}};
            for (std::size_t k = 0; k < count; ++k) {
                bands.frequencies.push_back(static_cast<double>(k));
            }
            bands.number.value = static_cast<double>(count - 1);
            of_line.push_back(bands);
        } else if (form == BandForm::linear) {
            of_line = linear_bands(placed, rank);
        } else {
            for (const double base : usual_bases) of_line.push_back(geometric_to(base, count));
        }
    }
    return bands_of_axes(placed, known);
}

double bits_of(const AllBands& all) {
    double bits = 0;
    for (const FourierBands& bands : all) {
        const bool is_repeated = bands.number.value == all.front().number.value;
        bits += &bands == &all.front() || !is_repeated ? bands.number.bits : 0;
    }
    return bits;
}

/// Returns the line; none if the angles of some frequency do not belong to points at equal
/// distances.
std::optional<FourierLine> fourier_line(FourierAngles angles, std::int64_t extent) {
    FourierLine line{extent, std::move(angles), {}};
    for (const std::vector<Measured>& of_frequency : line.angles) {
        std::vector<double> values, errors;
        for (const Measured& angle : of_frequency) {
            values.push_back(angle.value);
            errors.push_back(angle.error);
        }
        const auto turning = evidence::turning_of(values, errors);
        if (!turning) return std::nullopt;
        line.turnings.push_back(*turning);
    }
    return line;
}

/// Returns the frequencies and scales that make the angles of all lines from their coordinates, one
/// list of coordinates for each line. There may be several fits, since angles are known only modulo
/// whole turns. Frequencies common to all axes are preferred to separate ones.
std::vector<FourierFit> fourier_fits(BandForm form, const std::vector<FourierLine>& lines,
                                     const std::vector<std::vector<double>>& coordinates,
                                     const Sample& sample) {
    const std::size_t rank = finest(lines);
    const FourierLine& line = lines[rank];
    const bool begins_with_0 = form == BandForm::linear && is_still(line.angles.front());
    const std::size_t first = begins_with_0 ? 1 : 0;
    Measured advance = line.turnings[first].advance;
    if (form == BandForm::pow2) {
        advance = sharpened(advance, line, 1, false,
                            [](std::size_t k) { return std::ldexp(1.0, static_cast<int>(k)); });
    }
    const double distance = coordinates[rank][1] - coordinates[rank][0];
    std::vector<FourierFit> found;
    for (const SimpleNumber& factor :
         numbers_modulo({advance.value / distance, advance.error / std::fabs(distance)},
                        turn / std::fabs(distance), share_of(sample))) {
        Placed placed{lines, sample, {}};
        bool is_possible = true;
        for (std::size_t i = 0; i < lines.size() && is_possible; ++i) {
            placed.places.push_back(places_of(coordinates[i], factor.value));
            const FourierBands one{form, {1}, placed.places.back(), {}};
            is_possible = explains(one, {lines[i].angles[first]}, sample);
        }
        if (!is_possible) continue;
        for (const AllBands& bands : all_bands(form, placed, begins_with_0)) {
            for (Scale& scale : scales_of({factor.value, 1e-14 * factor.value}, bands)) {
                const double unit_bits =
                    scale.unit == 1 ? 0 : evidence::bits_of_number(simplest({scale.unit, 0}));
                const double scale_bits = is_usual(scale.value) ? 4 : factor.bits;
                found.push_back({bands, std::move(scale), bits_of(bands) + unit_bits + scale_bits});
            }
        }
    }
    return found;
}

/// The first and the last coordinate of an axis.
struct Ends {
    Measured first, last;
};

bool are_near(const Measured& a, const Measured& b) {
    return std::fabs(a.value - b.value) <= 2 * (a.error + b.error) + 0x1p-20 * std::fabs(a.value);
}

/// Returns the ends of `extent` equally spaced places, of which `places` are the first.
Ends ends_of(const std::vector<Measured>& places, std::int64_t extent) {
    const auto n = static_cast<double>(places.size());
    double mean = 0, slope = 0, error = 0;
    for (const Measured& place : places) {
        mean += place.value / n;
        error = std::max(error, place.error);
    }
    const double middle = (n - 1) / 2;
    for (std::size_t i = 0; i < places.size(); ++i) {
        slope += (static_cast<double>(i) - middle) * (places[i].value - mean);
    }
    slope /= n * (n * n - 1) / 12;
    const double reach = static_cast<double>(extent - 1) / (n - 1);
    const double more = 2 * error * reach + 1e-15 * std::fabs(mean);
    return {{mean - slope * middle, 2 * error},
            {mean + slope * (static_cast<double>(extent - 1) - middle), more}};
}

/// Returns the values of --coords that may hold for all axes.
std::vector<std::string> coords_of(const std::vector<Ends>& ends,
                                   const std::vector<std::int64_t>& extents) {
    std::vector<std::string> found;
    const auto all = [&](auto measure) {
        for (std::size_t i = 1; i < ends.size(); ++i) {
            if (!are_near(measure(0), measure(i))) return false;
        }
        return true;
    };
    if (all([&](std::size_t i) { return ends[i].first; }) &&
        all([&](std::size_t i) { return ends[i].last; })) {
        found.push_back(
            fmt::format("linspace:{}:{}", simplest(ends[0].first), simplest(ends[0].last)));
    }
    const auto centre = [&](std::size_t i) {
        const auto n = static_cast<double>(extents[i]);
        return Measured{ends[i].last.value * n / (n - 1), ends[i].last.error * n / (n - 1)};
    };
    const bool are_symmetrical = std::ranges::all_of(ends, [](const Ends& axis) {
        return are_near({-axis.first.value, axis.first.error}, axis.last);
    });
    if (are_symmetrical && all(centre)) {
        found.push_back(fmt::format("center:{}", simplest(centre(0))));
    }
    return found;
}

/// Returns, for each axis of the channels, the axis of the grid on which its columns depend; none
/// if some columns depend on several axes, on no axis, or on the same as another axis's columns.
std::optional<std::vector<std::size_t>> grid_axes(const encodings::FourierChannels& channels,
                                                  const PointGrid& grid) {
    std::vector<std::size_t> axes;
    for (std::int64_t rank = 0; rank < channels.axes; ++rank) {
        int axis = PointGrid::no_axis;
        for (const numerics::ChannelRun& run : layout(channels, rank).runs) {
            for (std::int64_t k = 0; k < run.count; ++k) {
                const int of_column =
                    grid.axis_of_column[run.first_channel + k * run.channel_stride];
                if (of_column == PointGrid::no_axis) continue;
                if (axis != PointGrid::no_axis && axis != of_column) return std::nullopt;
                axis = of_column;
            }
        }
        if (axis == PointGrid::no_axis) return std::nullopt;
        if (std::ranges::count(axes, static_cast<std::size_t>(axis)) > 0) return std::nullopt;
        axes.push_back(static_cast<std::size_t>(axis));
    }
    return axes;
}

/// The lines of the grid in the order of the channels' axes.
struct Lines {
    std::vector<std::size_t> grid_axes;
    std::vector<std::vector<std::int64_t>> rows;  ///< rows of the array
    std::vector<FourierLine> waves;
};

std::optional<Lines> lines_of(const FourierArray& array, BandForm form, const PointGrid& grid) {
    if (std::cmp_not_equal(array.channels.axes, grid.extents.size())) return std::nullopt;
    auto axes = grid_axes(array.channels, grid);
    if (!axes) return std::nullopt;
    Lines lines{std::move(*axes), {}, {}};
    for (std::size_t rank = 0; rank < lines.grid_axes.size(); ++rank) {
        const std::size_t axis = lines.grid_axes[rank];
        std::vector<std::int64_t> rows = grid.line(axis, array.sample);
        if (rows.size() < 2) return std::nullopt;
        auto angles = fourier_angles(array.sample, array.channels, std::ssize(lines.rows), rows);
        if (!angles || !is_possible(form, *angles)) return std::nullopt;
        auto line = fourier_line(std::move(*angles), grid.extents[axis]);
        if (!line) return std::nullopt;
        lines.rows.push_back(std::move(rows));
        lines.waves.push_back(std::move(*line));
    }
    return lines;
}

std::vector<std::int64_t> extents_of(const Lines& lines) {
    std::vector<std::int64_t> extents;
    for (const FourierLine& line : lines.waves) extents.push_back(line.extent);
    return extents;
}

/// Returns the values of --coords that agree with the raw channels.
std::vector<std::string> raw_coords(const FourierArray& array, const Lines& lines) {
    std::vector<Ends> ends;
    for (std::size_t rank = 0; rank < lines.rows.size(); ++rank) {
        std::vector<Measured> places;
        for (const double value :
             raw_at(array, static_cast<std::int64_t>(rank), lines.rows[rank])) {
            places.push_back({value, array.sample.error_of(value)});
        }
        ends.push_back(ends_of(places, lines.waves[rank].extent));
    }
    return coords_of(ends, extents_of(lines));
}

/// Usual values of --coords.
const std::vector<std::string> usual_coords{"linspace:-1:1",     "linspace:0:1", "center:1",
                                            "linspace:-0.5:0.5", "center:0.5",   "center:512"};

/// Returns the coordinates of each axis; none if the first two coordinates of an axis are equal.
std::optional<std::vector<std::vector<double>>> coordinates_of(const std::string& coords,
                                                               const Lines& lines) {
    std::vector<std::vector<double>> all;
    for (const FourierLine& line : lines.waves) {
        const numerics::Coordinates along = encodings::grid_coordinates(coords, line.extent);
        std::vector<double>& of_axis = all.emplace_back();
        for (std::size_t i = 0; i < line.angles.front().size(); ++i) {
            of_axis.push_back(along.for_rounding_to(DType::float64, static_cast<std::int64_t>(i)));
        }
        if (of_axis[0] == of_axis[1]) return std::nullopt;
    }
    return all;
}

/// Returns the settings for the points and the order of axes.
std::vector<Setting> point_settings(const PointGrid& grid, const Lines& lines,
                                    const std::string& coords) {
    const std::string_view names = grid.extents.size() == 3 ? "tyx" : "yx";
    std::vector<Setting> settings;
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
        settings.push_back(
            {encodings::extent_name(names[axis]), fmt::format("{}", grid.extents[axis])});
    }
    std::string order;
    for (const std::size_t axis : lines.grid_axes) order += names[axis];
    if (order != names) settings.push_back({"axes", order});
    if (coords != "linspace:-1:1") settings.push_back({"coords", coords});
    return settings;
}

/// Adds the proposals for points with these coordinates.
void add_features(std::vector<PricedProposal>& found, const FourierArray& array,
                  const PointGrid& grid, const Lines& lines, BandForm form,
                  const std::string& coords) {
    const auto coordinates = coordinates_of(coords, lines);
    if (!coordinates) return;
    const double bits_of_coords = coords == "linspace:-1:1" ? 0 : 10;
    for (const FourierFit& fit : fourier_fits(form, lines.waves, *coordinates, array.sample)) {
        std::vector<std::vector<double>> frequencies;
        std::vector<double> reaches;
        AllBands of_grid(fit.bands.size());  // --freqs has the grid's order of axes
        for (std::size_t rank = 0; rank < fit.bands.size(); ++rank) {
            of_grid[lines.grid_axes[rank]] = fit.bands[rank];
            frequencies.push_back(fit.bands[rank].frequencies);
            const std::vector<double>& along = (*coordinates)[rank];
            const auto extent = static_cast<double>(lines.waves[rank].extent);
            reaches.push_back(fit.scale.product() *
                              (std::fabs(along[0]) + std::fabs(along[1] - along[0]) * extent));
        }
        const auto angle = [columns = column_waves(array.channels, frequencies), reaches](
                               std::int64_t, std::int64_t column) {
            const auto [rank, frequency] = columns[column];
            return reaches[rank] * frequency;
        };
        Proposal proposal{.settings = point_settings(grid, lines, coords), .angle = angle};
        add_channels(proposal, array.channels, freqs_text(of_grid, fit.scale.unit), fit.scale.text);
        found.push_back({std::move(proposal), bits_of_coords + fit.bits});
    }
}

/// Returns the proposals for Fourier features of this grid's points, with frequencies of this form,
/// the cheapest first.
///
/// Sines and cosines show products of coordinates and frequencies, modulo whole turns. First,
/// values of --coords are chosen: the values that the raw channels show, or usual ones. The factor
/// by which the first frequency turns these coordinates into angles must then be one of a few
/// simple numbers, and it determines the other frequencies.
std::vector<Proposal> fourier_of_grid(const FourierArray& array, BandForm form,
                                      const PointGrid& grid) {
    const auto lines = lines_of(array, form, grid);
    if (!lines) return {};
    std::vector<PricedProposal> found;
    for (const std::string& coords :
         array.channels.is_raw() ? raw_coords(array, *lines) : usual_coords) {
        add_features(found, array, grid, *lines, form, coords);
    }
    constexpr std::size_t most = 24;
    return cheapest(std::move(found), most);
}

constexpr std::array forms{BandForm::pow2, BandForm::linear, BandForm::geometric};

/// True if a few rows agree with these channels and frequencies of this form.
bool is_possible(const FourierArray& array, BandForm form, const std::vector<std::int64_t>& rows) {
    for (std::int64_t rank = 0; rank < array.channels.axes; ++rank) {
        const auto angles = fourier_angles(array.sample, array.channels, rank, rows);
        if (!angles || !is_possible(form, *angles)) return false;
    }
    return true;
}

/// Returns all arrangements of this number of channels, the usual ones first.
std::vector<encodings::FourierChannels> possible_channels(std::int64_t count) {
    constexpr std::int64_t most_axes = 6, most_frequencies = 1 << 12;
    std::vector<encodings::FourierChannels> found;
    for (const char* raw : {"none", "before", "after", "after-each"}) {
        const bool is_raw = std::string_view(raw) != "none";
        for (std::int64_t axes = 1; axes <= most_axes; ++axes) {
            const std::int64_t waves = count - (is_raw ? axes : 0);
            if (waves < 4 * axes || waves % (2 * axes) != 0) continue;
            if (waves / (2 * axes) > most_frequencies) continue;
            for (const char* order : {"akf", "afk", "fak", "kaf", "kfa", "fka"}) {
                if (axes == 1 && order[0] != 'a') continue;
                if (order[0] != 'a' && std::string_view(raw) == "after-each") continue;
                for (const bool is_sin_first : {true, false}) {
                    found.push_back({axes, waves / (2 * axes), order, raw, is_sin_first});
                }
            }
        }
    }
    return found;
}

}  // namespace

/// Returns the proposals for an array (points, features) as Fourier features, of points on a grid
/// or of points read from the array.
std::vector<Proposal> recognize_fourier(const Sample& array) {
    if (array.rank() != 2 || !is_floating(array.table.dtype) || array.leading < 2) return {};
    constexpr std::size_t most_proposals = 32;
    constexpr std::int64_t few_rows = 40;
    const std::vector<std::int64_t> rows =
        rows_apart(std::max<std::int64_t>(1, array.leading / few_rows), array.leading);
    std::optional<std::vector<PointGrid>> grids;
    std::vector<Proposal> proposals;
    for (const encodings::FourierChannels& channels : possible_channels(array.extents.back())) {
        const FourierArray features{array, channels};
        for (const BandForm form : forms) {
            if (proposals.size() >= most_proposals) break;
            if (form == BandForm::geometric && channels.axes == 1) continue;
            if (!is_possible(features, form, rows)) continue;
            if (!grids) grids = evidence::point_grids(array, 0);
            std::vector<Proposal> more;
            for (const PointGrid& grid : *grids) {
                std::ranges::move(fourier_of_grid(features, form, grid), std::back_inserter(more));
            }
            if (more.empty() && form == BandForm::pow2) more = fourier_of_points(features);
            std::ranges::move(more, std::back_inserter(proposals));
        }
    }
    return proposals;
}

}  // namespace pegen::recognition
