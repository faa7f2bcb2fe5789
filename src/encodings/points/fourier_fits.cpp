#include "encodings/points/fourier_fits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "evidence/circle.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Sample;
using evidence::SimpleNumber;
using evidence::wrapped;

constexpr double pi = std::numbers::pi;
constexpr double turn = 2 * pi;

/// A number that whole turns lead to says little if it costs more bits than this.
constexpr double most_bits_of_turned = 24;

/// Factors that whole turns do not hide.
constexpr std::array usual_factors{0.1,   0.25,   0.5,    1.0,   2.0,    3.0,    4.0,   5.0,
                                   8.0,   10.0,   16.0,   20.0,  25.0,   30.0,   32.0,  50.0,
                                   60.0,  64.0,   80.0,   100.0, 128.0,  200.0,  256.0, 500.0,
                                   512.0, 1000.0, 1024.0, 1e4,   pi / 4, pi / 2, pi,    2 * pi};

/// Bases of geometric frequencies that whole turns do not hide.
constexpr std::array usual_bases{2.0, 10.0, 100.0, 1000.0, 10000.0, 0.01, 0.001, 0.0001};

/// The axis that shows most: that of the most points.
std::size_t finest(const std::vector<FourierLine>& lines) {
    const auto longest = std::ranges::max_element(lines, {}, &FourierLine::extent);
    return static_cast<std::size_t>(longest - lines.begin());
}

/// Returns an advance and its error, sharpened by others that are multiples of it: `multiple(k)`
/// times, less the first one if `is_ahead`.
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

/// Returns the simple numbers that differ from this one by multiples of `period`, positive and the
/// cheapest first: of itself several, of others those that are simple enough.
std::vector<SimpleNumber> numbers_modulo(const Measured& number, double period, double share) {
    std::vector<SimpleNumber> found;
    const auto add = [&](const SimpleNumber& candidate) {
        const bool is_new =
            std::ranges::find(found, candidate.value, &SimpleNumber::value) == found.end();
        if (is_new && candidate.value > 0) found.push_back(candidate);
    };
    // Where the least number is simple, a few others are rivals enough.
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

/// Returns the places that coordinates have if the first frequency makes angles of them by this
/// factor.
std::vector<Measured> places_of(const std::vector<double>& coordinates, double factor) {
    std::vector<Measured> places;
    for (const double coordinate : coordinates) places.push_back({factor * coordinate, 0});
    return places;
}

/// Lines, coordinates and a factor that the first frequency allows.
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

/// Returns the frequencies that grow from 1 by steps, as this line shows them.
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

/// Returns the first of the bands that explains the line; none if none does.
std::optional<FourierBands> first_of(const std::vector<FourierBands>& bands, const Placed& placed,
                                     std::size_t rank) {
    const auto found = std::ranges::find_if(
        bands, [&](const FourierBands& candidate) { return placed.is_explained(rank, candidate); });
    return found == bands.end() ? std::nullopt : std::optional(*found);
}

/// Returns what all axes may have in common, or else what each has of its own.
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

/// Returns the frequencies of this form, by axis.
std::vector<AllBands> all_bands(BandForm form, const Placed& placed, bool begins_with_0) {
    const std::size_t count = placed.lines.front().angles.size();
    std::vector<std::vector<FourierBands>> known;
    for (std::size_t rank = 0; rank < placed.lines.size(); ++rank) {
        std::vector<FourierBands>& of_line = known.emplace_back();
        FourierBands bands{form, {}, {}, {}};
        if (form == BandForm::pow2) {
            for (std::size_t k = 0; k < count; ++k) {
                bands.frequencies.push_back(std::ldexp(1.0, static_cast<int>(k)));
            }
            of_line.push_back(bands);
        } else if (form == BandForm::linear && begins_with_0) {
            for (std::size_t k = 0; k < count; ++k) {
                bands.frequencies.push_back(static_cast<double>(k));
            }
            bands.number.value = static_cast<double>(count - 1);
            of_line.push_back(bands);
        } else if (form == BandForm::linear) {
            of_line = linear_bands(placed, rank);
        } else {
            const auto& measured = placed.lines[rank].geometric;
            if (measured) of_line.push_back(*measured);
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

}  // namespace

std::optional<FourierLine> fourier_line(BandForm form, FourierAngles angles, std::int64_t extent,
                                        const Sample& sample) {
    FourierLine line{extent, std::move(angles), {}, {}};
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
    if (form == BandForm::geometric) {
        line.geometric = fourier_bands(form, line.angles, sample, {true, {}});
    }
    return line;
}

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

}  // namespace pegen::encodings
