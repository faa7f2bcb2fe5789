#include "encodings/points/fourier_points.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/to_size.h"
#include "encodings/points/fourier_scales.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Proposal;
using evidence::Sample;

using Places = std::vector<Measured>;

/// Returns the slope of the places over the raw coordinates; none if they are not proportional.
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

/// True if the places of an axis are whole numbers.
bool are_whole(const Places& places) {
    return std::ranges::all_of(places, [](const Measured& place) {
        return std::fabs(place.value - std::rint(place.value)) < 1e-3;
    });
}

std::optional<AllBands> bands_of(const FourierArray& array, BandForm form,
                                 const std::vector<std::int64_t>& rows) {
    AllBands all;
    for (std::int64_t rank = 0; rank < array.channels.axes; ++rank) {
        const auto angles = fourier_angles(array.sample, array.channels, rank, rows);
        if (!angles || !is_possible(form, *angles)) return std::nullopt;
        std::vector<double> raw;
        if (array.channels.is_raw()) raw = raw_at(array, rank, rows);
        auto bands = fourier_bands(form, *angles, array.sample, {false, raw});
        if (!bands) return std::nullopt;
        all.push_back(std::move(*bands));
    }
    return all;
}

/// Returns the bands; none if they are no Fourier features, as waves at whole positions in whatever
/// order.
std::optional<AllBands> features_of(const FourierArray& array, BandForm form,
                                    const std::vector<std::int64_t>& rows) {
    auto all = bands_of(array, form, rows);
    const auto is_counted = [](const FourierBands& bands) { return are_whole(bands.places); };
    if (all && form == BandForm::geometric && std::ranges::any_of(*all, is_counted)) return {};
    return all;
}

std::vector<std::int64_t> rows_apart(std::int64_t step, std::int64_t end) {
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < end; row += step) rows.push_back(row);
    return rows;
}

/// Returns the coordinates as a table (points, axes) of float64: those of float32 where the array
/// allows them.
Table table_of(const std::vector<Places>& axes, double factor) {
    const std::size_t points = axes.front().size();
    auto values = std::make_shared<std::vector<double>>();
    for (std::size_t point = 0; point < points; ++point) {
        for (const Places& places : axes) {
            const double exact = places[point].value / factor;
            const auto single = static_cast<double>(static_cast<float>(exact));
            const bool is_single =
                std::fabs(single - exact) <= places[point].error / std::fabs(factor);
            values->push_back(is_single ? single : exact);
        }
    }
    Table table;
    const auto columns = std::ssize(axes);
    table.shape = Shape{static_cast<std::int64_t>(points), columns};
    table.dtype = DType::float64;
    table.axes.assign(2, Axis{});
    table.rows = rounded(
        [values, columns](RowRange range, std::span<double> out) {
            std::copy_n(values->begin() + range.first * columns, range.count * columns,
                        out.begin());
        },
        columns, DType::float64);
    return table;
}

}  // namespace

std::vector<Proposal> fourier_of_points(const FourierArray& array, BandForm form) {
    const Sample& sample = array.sample;
    if (sample.leading != sample.extents.front()) return {};
    // A few points show most of what is no such table.
    constexpr std::int64_t few = 64;
    const std::int64_t step = sample.leading / few;
    if (step > 1 && !features_of(array, form, rows_apart(step, sample.leading))) return {};
    const std::vector<std::int64_t> rows = rows_apart(1, sample.leading);
    const auto bands = features_of(array, form, rows);
    if (!bands) return {};
    std::vector<Places> places, raw;
    std::vector<std::vector<double>> frequencies;
    for (std::int64_t rank = 0; rank < array.channels.axes; ++rank) {
        places.push_back((*bands)[to_size(rank)].places);
        frequencies.push_back((*bands)[to_size(rank)].frequencies);
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
        const auto [rank, frequency] = columns[to_size(column)];
        return std::fabs(places[rank][to_size(row)].value) * frequency;
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

}  // namespace pegen::encodings
