#include "recognition/images/grid_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.h"
#include "encodings/images/grid_layout.h"
#include "recognition/evidence/circle.h"
#include "recognition/evidence/geometric.h"

namespace pegen::recognition {
namespace {

using evidence::PointGrid;
using evidence::WaveColumns;
using numerics::ChannelRun;
using numerics::Function;

constexpr int of_no_pair = -2;

/// Returns, for each column, the index of the axis whose wave the nesting puts there, or
/// of_no_pair.
std::vector<int> axes_of_columns(const encodings::GridNesting& nesting, std::string_view names) {
    std::vector<int> axes(nesting.d, of_no_pair);
    for (std::size_t axis = 0; axis < names.size(); ++axis) {
        for (const ChannelRun& run : layout_of(nesting, names[axis]).runs) {
            for (std::int64_t i = 0; i < run.count; ++i) {
                axes[run.first_channel + i * run.channel_stride] = static_cast<int>(axis);
            }
        }
    }
    return axes;
}

/// True if every column may hold what the nesting puts there. A slow cosine may have the same value
/// at all points; a column without a wave must have.
bool is_possible(const encodings::GridNesting& nesting, const PointGrid& grid,
                 std::string_view names) {
    const std::vector<int> expected = axes_of_columns(nesting, names);
    return std::ranges::equal(expected, grid.axis_of_column, [](int axis, int found) {
        return found == axis || found == PointGrid::no_axis;
    });
}

/// Returns the number of channels from the first column of each axis to the first column of the
/// next axis, in the order of `blocks`; none if the axes are not in this order. Up to `still`
/// constant columns before the first varying column of an axis are counted as this axis's, since a
/// wave that turns by whole turns is constant.
std::optional<std::vector<std::int64_t>> measured_widths(const PointGrid& grid,
                                                         std::string_view names,
                                                         std::string_view blocks,
                                                         std::int64_t still) {
    const auto& columns = grid.axis_of_column;
    std::vector<std::int64_t> begins;
    for (const char block : blocks) {
        const auto first = std::ranges::find(columns, static_cast<int>(names.find(block)));
        if (first == columns.end()) return std::nullopt;
        std::int64_t begin = begins.empty() ? 0 : first - columns.begin();
        for (std::int64_t i = 0; i < still && begin > 0; ++i) {
            if (columns[begin - 1] == PointGrid::no_axis) --begin;
        }
        begins.push_back(begin);
    }
    if (!std::ranges::is_sorted(begins)) return std::nullopt;
    begins.push_back(std::ssize(columns));
    std::vector<std::int64_t> widths;
    for (std::size_t i = 1; i < begins.size(); ++i) widths.push_back(begins[i] - begins[i - 1]);
    return widths;
}

/// Returns the shares, one for each of `blocks`, as a list in the order of --split: t, y, x.
std::string split_of(std::string_view blocks, const std::vector<std::string>& shares) {
    std::string split;
    for (const char axis : std::string_view("tyx")) {
        const std::size_t rank = blocks.find(axis);
        if (rank == blocks.npos) continue;
        if (!split.empty()) split += ',';
        split += shares[rank];
    }
    return split;
}

/// Returns the values of --split to try, the simplest first.
std::vector<std::string> splits_of(const PointGrid& grid, std::string_view names,
                                   std::string_view blocks) {
    std::vector<std::string> splits{"equal"};
    const std::int64_t d = std::ssize(grid.axis_of_column);
    for (const std::int64_t still : {0, 1, 2}) {
        const auto widths = measured_widths(grid, names, blocks, still);
        if (!widths) return splits;
        std::vector<std::string> parts, counts;
        constexpr std::int64_t largest_denominator = 16;
        bool are_simple = true;
        for (const std::int64_t width : *widths) {
            const std::int64_t common = std::gcd(width, d);
            are_simple = are_simple && d / common <= largest_denominator;
            parts.push_back(fmt::format("{}/{}", width / common, d / common));
            counts.push_back(fmt::format("{}", width));
        }
        if (are_simple) splits.push_back(split_of(blocks, parts));
        splits.push_back(split_of(blocks, counts));
    }
    // An odd share is rounded, so its measured width does not show the share.
    if (names.size() == 2) splits.insert(splits.end(), {"1/4,3/4", "3/4,1/4"});
    if (names.size() == 3) splits.insert(splits.end(), {"1/2,1/4,1/4", "1/4,3/8,3/8"});
    return splits;
}

std::optional<std::vector<std::int64_t>> channels_by_block(const encodings::GridSplit& split,
                                                           std::string_view blocks) {
    try {
        const std::vector<std::int64_t> channels = encodings::channels_of_axes(split);
        std::vector<std::int64_t> by_block(blocks.size());
        std::size_t next = 0;
        for (const char axis : std::string_view("tyx")) {
            const std::size_t rank = blocks.find(axis);
            if (rank != blocks.npos) by_block[rank] = channels[next++];
        }
        return by_block;
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

}  // namespace

std::vector<WaveColumns> wave_columns(const encodings::GridNesting& nesting, char axis) {
    return evidence::columns_of(layout_of(nesting, axis)).pairs;
}

std::vector<ProposedNesting> nestings_of(const PointGrid& grid, std::string_view names) {
    std::vector<ProposedNesting> found;
    const std::int64_t d = std::ssize(grid.axis_of_column);
    const auto add = [&](ProposedNesting proposed) {
        const bool is_known = std::ranges::any_of(found, [&](const ProposedNesting& other) {
            if (other.nesting.first != proposed.nesting.first) return false;
            return std::ranges::all_of(names, [&](char axis) {
                const auto same = [](const WaveColumns& a, const WaveColumns& b) {
                    return a.sine == b.sine && a.cosine == b.cosine;
                };
                return std::ranges::equal(wave_columns(other.nesting, axis),
                                          wave_columns(proposed.nesting, axis), same);
            });
        });
        if (!is_known && is_possible(proposed.nesting, grid, names)) {
            found.push_back(std::move(proposed));
        }
    };
    std::string blocks(names);
    std::ranges::sort(blocks);
    do {
        for (const std::string& split : splits_of(grid, names, blocks)) {
            for (const char* odd : {"error", "zero-pad", "round-up"}) {
                const auto channels = channels_by_block({split, odd, d, std::ssize(names)}, blocks);
                if (!channels) continue;
                const bool are_equal =
                    std::ranges::adjacent_find(*channels, std::not_equal_to()) == channels->end();
                for (const char* order : {"akf", "afk", "fak", "kaf", "kfa", "fka"}) {
                    if (order[0] != 'a' && !are_equal) continue;
                    for (const Function first : {Function::sin, Function::cos}) {
                        add({{order, blocks, *channels, d, first}, split, odd});
                    }
                }
                if (std::string_view(odd) == "error") break;
            }
        }
    } while (std::ranges::next_permutation(blocks).found);
    return found;
}

namespace {

using evidence::Angles;
using evidence::Circle;
using evidence::Spacing;
using evidence::Turning;
using evidence::WavePairs;

constexpr std::size_t most_spacings = 8;

/// A base that costs this many bits more than another base is regarded as fitted to noise.
constexpr double most_more_bits = 10;

/// The relative error of frequencies in float32 code.
constexpr double float32_share = 0x1p-20;

double log_ratio(double base, double channels, double shift) {
    return 2 * std::log(base) / (channels - shift);
}

/// The least errors of measured numbers, however good a fit is.
struct LeastErrors {
    double phase;
    double advance;
    double share;  ///< relative error of a frequency in float32 code
};

Measured with_least_error(const Measured& number, double least) {
    return {number.value, std::max(number.error, least)};
}

/// Returns the bits of the simplest advance and base of the series.
double bits_of(const evidence::GeometricSeries& series, std::int64_t channels) {
    const auto bits_of_number = [](const Measured& number) {
        const auto numbers = evidence::simple_numbers(number, 1);
        return numbers.empty() ? std::numeric_limits<double>::infinity() : numbers.front().bits;
    };
    double least = std::numeric_limits<double>::infinity();
    for (const double shift : {0.0, 2.0}) {
        const double exponent = (static_cast<double>(channels) - shift) / 2;
        const double base = std::exp(series.log_ratio.value * exponent);
        if (exponent <= 0 || !std::isfinite(base)) continue;
        const Measured measured{base, base * series.log_ratio.error * exponent};
        least = std::min(least, bits_of_number(measured) + shift);
    }
    return least + bits_of_number(series.first);
}

/// Returns the series with the simplest numbers; none if there is no series. With few frequencies,
/// the fastest wave may have made any number of turns.
std::optional<evidence::GeometricSeries> simplest_series(const std::vector<Measured>& advances,
                                                         std::int64_t channels) {
    constexpr std::size_t few = 3, most = 8;
    constexpr double bits_of_turns = 16;
    std::optional<evidence::GeometricSeries> simplest;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& series :
         evidence::geometric_series(advances, advances.size() <= few ? most : 1)) {
        const double bits = bits_of(series, channels) + (simplest ? bits_of_turns : 0);
        if (simplest && !(bits < least)) continue;
        simplest = series;
        least = bits;
    }
    return simplest;
}

/// Returns the axis completed with the phases and the advance; none if the angles do not advance
/// evenly.
std::optional<MeasuredAxis> measured_axis(MeasuredAxis axis, const Angles& angles,
                                          const LeastErrors& least) {
    if (angles.rows == 1) {
        for (std::int64_t pair = 0; pair < angles.pairs; ++pair) {
            axis.phases.push_back({angles.values[pair], angles.errors[pair]});
        }
        return axis;
    }
    const auto turnings = evidence::turnings_of(angles);
    if (!turnings || turnings->empty()) return std::nullopt;
    std::vector<Measured> advances;
    for (const Turning& turning : *turnings) {
        axis.phases.push_back(with_least_error(turning.phase, least.phase));
        // The error of a slow wave's advance is truly small, since sin(x) is nearly x.
        advances.push_back(with_least_error(turning.advance, 1e-3 * least.advance));
    }
    axis.advance = advances.front();
    if (advances.size() > 1) {
        const auto series = simplest_series(advances, axis.channels);
        if (!series) return std::nullopt;
        axis.advance = series->first;
        axis.log_ratio =
            with_least_error(series->log_ratio, least.share / static_cast<double>(advances.size()));
    }
    axis.advance = with_least_error(*axis.advance,
                                    least.advance + least.share * std::fabs(axis.advance->value));
    return axis;
}

bool explains(const GridSpacing& spacing, const MeasuredGrid& grid) {
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        const MeasuredAxis& axis = grid.axes[i];
        const double channels = static_cast<double>(axis.channels);
        if (axis.channels > 2 && !(channels > spacing.shift)) return false;
        if (!axis.log_ratio) continue;
        const double expected = log_ratio(spacing.bases[i], channels, spacing.shift);
        const double error = 2 * axis.log_ratio->error + float32_share * axis.log_ratio->value;
        if (!(std::fabs(expected - axis.log_ratio->value) <= error)) return false;
    }
    return true;
}

/// Returns the spacings that agree with the axis. A base and a shift can compensate for each other,
/// so an unusual base together with a shift is returned only for sharply measured frequencies.
std::vector<Spacing> spacings_of(const MeasuredAxis& axis) {
    const auto channels = static_cast<double>(axis.channels);
    constexpr std::size_t most = 16;
    constexpr double well_known = 1e-4, most_bits_of_usual = 8;
    std::vector<Spacing> found = evidence::spacings(*axis.log_ratio, 2, channels, most);
    if (axis.log_ratio->error * channels / 2 < well_known) return found;
    std::erase_if(found, [](const Spacing& spacing) {
        return spacing.shift.value != 0 && spacing.base.bits > most_bits_of_usual;
    });
    return found;
}

/// Returns the spacing with the given shift and a base for each axis; none if some axis has no base
/// for this shift.
std::optional<GridSpacing> with_own_bases(const MeasuredGrid& grid, const Spacing& spacing) {
    GridSpacing own{spacing.shift.value, {}};
    for (const MeasuredAxis& axis : grid.axes) {
        double base = spacing.base.value;
        if (axis.log_ratio) {
            const std::vector<Spacing> known = spacings_of(axis);
            const auto same_shift = std::ranges::find_if(known, [&](const Spacing& candidate) {
                return candidate.shift.value == own.shift;
            });
            if (same_shift == known.end()) return std::nullopt;
            base = same_shift->base.value;
        }
        own.bases.push_back(base);
    }
    return own;
}

}  // namespace

std::optional<MeasuredLine> measured_line(MeasuredAxis axis, const WavePairs& pairs,
                                          const Sample& sample) {
    const std::optional<Circle> circle = evidence::common_circle(pairs);
    if (!circle) return std::nullopt;
    const double radius = circle->radius.value;
    const double unseen = sample.error_of(radius) / 4;
    const LeastErrors least{unseen / radius / 2,
                            unseen / radius / 2 / static_cast<double>(pairs.rows),
                            sample.precision.digits > 24 ? 0 : 0x1p-22};
    auto waves = measured_axis(std::move(axis), evidence::angles_of(pairs, *circle), least);
    if (!waves) return std::nullopt;
    return MeasuredLine{with_least_error(circle->radius, unseen), std::move(*waves)};
}

std::optional<MeasuredGrid> measured_grid(const Sample& sample, const evidence::PointGrid& grid,
                                          std::string_view names,
                                          const encodings::GridNesting& nesting) {
    MeasuredGrid measured{{0, 0}, {}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::int64_t channels = nesting.channels[nesting.axes.find(names[i])];
        MeasuredAxis axis{.channels = channels};
        const std::vector<evidence::WaveColumns> columns = wave_columns(nesting, names[i]);
        if (!columns.empty()) {
            const WavePairs pairs = evidence::pairs_of(sample, grid.line(i, sample), columns);
            auto line = measured_line(std::move(axis), pairs, sample);
            if (!line) return std::nullopt;
            if (measured.radius.value == 0 || line->radius.error < measured.radius.error) {
                measured.radius = line->radius;
            }
            axis = std::move(line->axis);
        }
        measured.axes.push_back(std::move(axis));
    }
    return measured;
}

std::vector<GridSpacing> grid_spacings(const MeasuredGrid& grid) {
    const MeasuredAxis* sharpest = nullptr;
    for (const MeasuredAxis& axis : grid.axes) {
        if (!axis.log_ratio) continue;
        if (!sharpest || axis.log_ratio->error < sharpest->log_ratio->error) sharpest = &axis;
    }
    if (!sharpest) return {{0, std::vector<double>(grid.axes.size(), 10000.0)}};
    const std::vector<Spacing> known = spacings_of(*sharpest);
    std::vector<GridSpacing> found;
    double most_bits = std::numeric_limits<double>::infinity();
    for (const Spacing& spacing : known) {
        if (spacing.bits > most_bits) break;
        const GridSpacing shared{spacing.shift.value,
                                 std::vector<double>(grid.axes.size(), spacing.base.value)};
        if (found.size() >= most_spacings || !explains(shared, grid)) continue;
        if (found.empty()) most_bits = spacing.bits + most_more_bits;
        found.push_back(shared);
    }
    for (const Spacing& spacing : known) {
        if (found.size() >= most_spacings || spacing.bits > most_bits) break;
        const auto own = with_own_bases(grid, spacing);
        if (own && explains(*own, grid)) found.push_back(*own);
    }
    return found;
}

std::optional<Measured> start_of(const MeasuredAxis& axis, double base, double shift) {
    if (axis.phases.empty()) return Measured{0, 0};
    if (axis.phases.size() == 1) return axis.phases.front();
    constexpr std::int64_t most_turns = 64;
    const double ratio = log_ratio(base, static_cast<double>(axis.channels), shift);
    // A second phase that changes too little with the turns of the first does not show their
    // number.
    if (std::exp(ratio) * axis.phases[1].error > 0.5) return axis.phases.front();
    return evidence::first_of_series(axis.phases, {ratio, 0x1p-40 * std::fabs(ratio)}, most_turns);
}

}  // namespace pegen::recognition
