#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expression.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parameters.h"
#include "core/shape.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/waves.h"
#include "encodings/points/coordinates.h"
#include "numerics/axis_waves.h"
#include "numerics/float32_angles.h"
#include "numerics/frequencies.h"
#include "numerics/plane_waves.h"
#include "numerics/real.h"
#include "numerics/sinusoid.h"
#include "rows/arranged.h"
#include "rows/grid_rows.h"

namespace pegen::encodings {
namespace {

using numerics::Coordinates;
using numerics::Frequencies;

using numerics::Ratio;
using numerics::Real;
using Fields = std::vector<std::string_view>;
// The weights of the frequencies of Fourier features.

constexpr ParameterSpec window_parameter{
    .name = "window",
    .aliases = "alpha",
    .range = {.lowest = 0},
    .summary =
        "the first X frequencies count, a fraction of the next: the window of Nerfies and "
        "BARF",
    .is_rare = true};

constexpr ParameterSpec variances_parameter{
    .name = "variances",
    .type = ParameterType::path,
    .summary = "NPY file like --points: the variance of each coordinate, for integrated features",
    .is_rare = true};

/// The weights of the frequencies that --window and --variances ask for.
struct FrequencyWeights {
    std::optional<double> window;
    std::optional<PointsFile> variances;  ///< has the shape of the points

    bool are_any() const { return window || variances; }
};

/// Returns how far the window is open for frequency k, from 0 to 1.
double share_of(double window, std::size_t k) {
    return std::clamp(window - static_cast<double>(k), 0.0, 1.0);
}

Real window_weight(double window, std::size_t k) {
    const double share = share_of(window, k);
    if (share == 0 || share == 1) return share;
    // The equivalent 1 - cos(x) would lose bits for a small share.
    const Real root = sin(numerics::pi() * share / 2);
    return root * root;
}

/// Reads --window and --variances. `points` is the file of --points, or null. Throws: UsageError if
/// variances are given without points; FileError and FormatError for the file of the variances,
/// also if its shape is not the shape of the points.
FrequencyWeights frequency_weights_of(const Parameters& p, const PointsFile* points) {
    FrequencyWeights weights;
    if (p.has("window")) weights.window = p.real("window");
    if (!p.has("variances")) return weights;
    if (!points) {
        throw UsageError(
            fmt::format("--variances {}: needs --points of the same shape", p.word("variances")));
    }
    weights.variances = open_points(p.word("variances"));
    const Shape &own = weights.variances->table.shape, &shape = points->table.shape;
    if (own != shape) {
        throw FormatError(p.word("variances"), fmt::format("shape {}: must be that of --points, {}",
                                                           to_string(own), to_string(shape)));
    }
    return weights;
}

/// Returns the variances, a list for each axis; nothing without a file. Throws: FileError;
/// FormatError, also if a variance is negative.
std::vector<std::vector<double>> read_variances(const FrequencyWeights& weights) {
    if (!weights.variances) return {};
    std::vector<std::vector<double>> axes = read_points(*weights.variances, "variances");
    for (const std::vector<double>& axis : axes) {
        for (const double variance : axis) {
            if (variance >= 0) continue;
            throw FormatError(weights.variances->path,
                              fmt::format("{}: a variance must be at least 0", shortest(variance)));
        }
    }
    return axes;
}

/// Returns each frequency multiplied by the factor.
Frequencies scaled(const Frequencies& frequencies, double factor) {
    return product(frequencies, Frequencies(std::vector<Ratio>(frequencies.size(), {factor, 1})));
}

/// Returns the weights of the frequencies along an axis with these variances, one for each row.
numerics::WaveWeights wave_weights(std::optional<double> window, const Frequencies& frequencies,
                                   Positions variances) {
    const std::int64_t count = frequencies.size();
    return {.shares = Frequencies([=] {
                std::vector<Real> shares(count, Real(1));
                for (std::size_t k = 0; window && k < shares.size(); ++k) {
                    shares[k] = window_weight(*window, k);
                }
                return shares;
            }),
            .rates = scaled(product(frequencies, frequencies), 0.5),
            .variances = std::move(variances)};
}

constexpr std::int64_t most_frequencies = 1 << 16;
constexpr std::int64_t largest_exponent = 1000;

std::int64_t parse_count(std::string_view text) {
    const std::int64_t count = parse_integer(text, "--freqs");
    if (count >= 1 && count <= most_frequencies) return count;
    refuse("freqs", text, "the number of frequencies must be between 1 and 65536");
}

Frequencies powers_of_two(const Fields& numbers) {
    const bool has_both = numbers.size() == 2;
    const std::int64_t low = has_both ? parse_integer(numbers.front(), "--freqs") : 0;
    const std::int64_t high = parse_integer(numbers.back(), "--freqs");
    if (low < -largest_exponent || high > largest_exponent || low >= high) {
        refuse("freqs", fmt::format("pow2:{}", joined(numbers, ":")),
               has_both ? "needs -1000 <= LO < HI <= 1000: 2^k for LO <= k < HI"
                        : "needs a K between 1 and 1000: 2^k for 0 <= k < K");
    }
    std::vector<Ratio> ratios;
    for (std::int64_t k = low; k < high; ++k) {
        ratios.push_back({std::ldexp(1.0, static_cast<int>(k)), 1});
    }
    return Frequencies(ratios);
}

Frequencies linear(const Fields& numbers) {
    const double low = parse_real(numbers[0], "--freqs");
    const double high = parse_real(numbers[1], "--freqs");
    const std::int64_t count = parse_count(numbers[2]);
    return Frequencies([along = numerics::Coordinates::between(low, high, count)] {
        std::vector<Real> frequencies;
        for (std::int64_t k = 0; k < along.size(); ++k) frequencies.push_back(along.at(k));
        return frequencies;
    });
}

Frequencies logspace(const Fields& numbers) {
    const double low = parse_real(numbers[0], "--freqs");
    const double high = parse_real(numbers[1], "--freqs");
    const std::int64_t count = parse_count(numbers[2]);
    if (!(low > 0 && high > 0)) {
        refuse("freqs", fmt::format("logspace:{}", joined(numbers, ":")),
               "LO and HI must be positive");
    }
    return Frequencies([low, high, count] {
        std::vector<Real> frequencies{low};
        for (std::int64_t k = 1; k + 1 < count; ++k) {
            const Real exponent = Real(static_cast<double>(k)) / static_cast<double>(count - 1);
            frequencies.push_back(low * pow(Real(high) / low, exponent));
        }
        if (count > 1) frequencies.emplace_back(high);
        return frequencies;
    });
}

Frequencies geometric(const Fields& numbers) {
    const double base = parse_real(numbers[0], "--freqs");
    const std::int64_t count = parse_count(numbers[1]);
    if (!(base > 0)) {
        refuse("freqs", fmt::format("geometric:{}", joined(numbers, ":")), "BASE must be positive");
    }
    return Frequencies(
        {.base = base, .step = -1, .width = count, .shift = 0, .scale = 1, .count = count});
}

/// Reads a number, or a quotient such as "(1/3)", which is exact.
Ratio parse_ratio(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (text.starts_with('(') && text.ends_with(')') && slash != text.npos) {
        const std::string_view numerator = text.substr(1, slash - 1);
        const std::string_view denominator = text.substr(slash + 1, text.size() - slash - 2);
        if (!is_expression(numerator) && !is_expression(denominator)) {
            const Ratio ratio{parse_real(numerator, "--freqs"), parse_real(denominator, "--freqs")};
            if (ratio.denominator != 0) return ratio;
        }
    }
    return {parse_real(text, "--freqs"), 1};
}

/// Refuses a whole number, which the user may mean as a count. Throws: UsageError.
void check_not_count(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return;
    const std::int64_t number = parse_integer(text, "--freqs");
    if (number < 2 || number > largest_exponent) return;
    refuse("freqs", text,
           fmt::format("may mean {0} frequencies or one: write pow2:{0} for 1, 2, 4 ..., or "
                       "linear:{0}:{0}:1 for the frequency {0} alone",
                       number));
}

Frequencies listed(std::string_view text) {
    check_not_count(text);
    std::vector<Ratio> ratios;
    for (const std::string_view number : fields(text, ',')) ratios.push_back(parse_ratio(number));
    if (std::ssize(ratios) > most_frequencies) {
        refuse("freqs", fmt::format("with {} numbers", ratios.size()),
               "must be at most 65536 of them");
    }
    return Frequencies(ratios);
}

struct Form {
    std::string_view name;
    std::size_t fewest_numbers;
    std::size_t most_numbers;
    std::string_view shape;
    Frequencies (*parse)(const Fields& numbers);
};

constexpr std::array forms{Form{"pow2", 1, 2, "pow2:K or pow2:LO:HI", powers_of_two},
                           Form{"linear", 3, 3, "linear:LO:HI:K", linear},
                           Form{"logspace", 3, 3, "logspace:LO:HI:K", logspace},
                           Form{"geometric", 2, 2, "geometric:BASE:K", geometric}};

/// True if the text begins a form that still lacks numbers. A slash after such a text is a
/// division.
bool is_begun(std::string_view text) {
    const Fields parts = fields(text, ':');
    const auto form = std::ranges::find(forms, parts.front(), &Form::name);
    return form != forms.end() && parts.size() <= form->fewest_numbers;
}

/// True if the text is a form or a name of one, not a list. A list may also begin with a letter:
/// pi,2*pi.
bool is_word(std::string_view text) {
    const bool begins_with_letter = !text.empty() && text[0] >= 'a' && text[0] <= 'z';
    return text.find(':') != text.npos ||
           (begins_with_letter && text.find_first_of(",*+^(") == text.npos && text != "pi");
}

/// Splits --freqs at the slashes that separate axes. A slash inside parentheses, or inside a number
/// of a form such as geometric:1/40000:8, is a division. Returns one part for all axes, or one part
/// for each.
std::vector<std::string_view> frequencies_of_axes(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] != '/' || depth > 0 || is_begun(text.substr(begin, i - begin))) continue;
        parts.push_back(text.substr(begin, i - begin));
        begin = i + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

/// Reads one part of --freqs: pow2:K, pow2:LO:HI, linear:LO:HI:K, logspace:LO:HI:K,
/// geometric:BASE:K or a,b,c. In a list, a quotient in parentheses is exact. Allows at most 2^16
/// frequencies. The formulas are in fourier.cpp. Refuses a single whole number, which may be meant
/// as a count. Throws: UsageError with the valid forms, or with the rule that a number breaks.
Frequencies parse_frequency_bands(std::string_view text) {
    if (!is_word(text)) return listed(text);
    Fields parts = fields(text, ':');
    const auto form = std::ranges::find(forms, parts.front(), &Form::name);
    if (form == forms.end()) {
        std::vector<std::string_view> names;
        for (const Form& known : forms) names.push_back(known.name);
        refuse("freqs", text,
               fmt::format("must be numbers, or begin with one of {}{}", joined(names, ", "),
                           did_you_mean(parts.front(), names)));
    }
    parts.erase(parts.begin());
    if (parts.size() < form->fewest_numbers || parts.size() > form->most_numbers) {
        refuse("freqs", text, fmt::format("must be {}", form->shape));
    }
    return form->parse(parts);
}

constexpr std::array parameters{
    points_parameter,
    height_parameter,
    width_parameter,
    depth_parameter,
    coords_parameter,
    ParameterSpec{
        .name = "freqs",
        .type = ParameterType::text,
        .default_value = "pow2:10",
        .summary =
            "pow2:K, pow2:LO:HI, linear:LO:HI:K, logspace:LO:HI:K, geometric:BASE:K or a,b,c; or "
            "one of these per axis, separated by /"},
    freq_scale_parameter,
    order_parameter,
    point_axes_parameter,
    first_parameter,
    keep_channels_parameter,
    view_parameter,
    ParameterSpec{
        .name = "raw",
        .type = ParameterType::word,
        .default_value = "none",
        .choices = "none before after after-each",
        .summary = "add the coordinates as channels: before or after all others, or by axis"},
    window_parameter,
    variances_parameter,
    ParameterSpec{.name = "pad-to",
                  .type = ParameterType::integer,
                  .range = any_channel_count,
                  .summary = "zeros behind all others, up to N channels",
                  .is_rare = true},
    rare_arith_parameter("the exact formula, or float32 arithmetic: (x * nu) * freq-scale"),
};

/// The channels and the frequencies for points with a given number of axes, as given by the
/// parameters.
struct Features {
    FourierChannels channels;
    std::vector<Frequencies> bands;  ///< nu: one entry for all axes, or one for each
    double freq_scale;
    FrequencyWeights weights;
    bool is_exact;  ///< --arith exact

    const Frequencies& of_axis(std::size_t index) const {
        return bands[bands.size() == 1 ? 0 : index];
    }
};

std::vector<Frequencies> bands_of(const Parameters& p) {
    std::vector<Frequencies> bands;
    for (const std::string_view of_axis : frequencies_of_axes(p.word("freqs"))) {
        bands.push_back(parse_frequency_bands(of_axis));
    }
    return bands;
}

/// Returns the number of channels of zeros that --pad-to adds. Throws: UsageError if --pad-to is
/// less than the number of channels.
std::int64_t padding_of(const Parameters& p, const FourierChannels& channels) {
    if (!p.has("pad-to")) return 0;
    const std::int64_t padding = p.integer("pad-to") - channels.count();
    if (padding >= 0) return padding;
    throw UsageError(fmt::format("--pad-to {}: there are {} channels already", p.integer("pad-to"),
                                 channels.count()));
}

/// Returns the features that the parameters give. `ranks` has the rank of each axis of the points
/// in the order of the channels; `file` is the file of --points, or null.
Features features_of(const Parameters& p, const std::vector<std::int64_t>& ranks,
                     const PointsFile* file) {
    const std::int64_t axes = std::ssize(ranks);
    const std::size_t given = frequencies_of_axes(p.word("freqs")).size();
    if (given != 1 && given != to_size(axes)) {
        throw UsageError(
            fmt::format("--freqs {}: has {} parts; must have 1{}; a slash separates the axes, so a "
                        "quotient in a list is written (1/3)",
                        p.word("freqs"), given,
                        axes > 1 ? fmt::format(", or {}, one for each axis", axes) : ""));
    }
    std::vector<Frequencies> bands = bands_of(p);
    const std::int64_t count = bands.front().size();
    FourierChannels channels{axes, count, p.word("order"), p.word("raw"), p.word("first") == "sin"};
    const auto has_count = [=](const Frequencies& of_axis) { return of_axis.size() == count; };
    if (!std::ranges::all_of(bands, has_count)) {
        if (channels.order.front() != 'a') {
            throw UsageError(
                fmt::format("--freqs {}: must have the same number of frequencies for "
                            "each axis with --order {}; use akf or afk",
                            p.word("freqs"), channels.order));
        }
        channels.own_frequencies.resize(ranks.size());
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            channels.own_frequencies[ranks[i]] = bands[i].size();
        }
    }
    channels.padding = padding_of(p, channels);
    FrequencyWeights weights = frequency_weights_of(p, file);
    if (!is_exact(p) && weights.are_any()) {
        throw UsageError(
            "--arith float32: has neither --window nor --variances; use --arith exact");
    }
    return {std::move(channels), std::move(bands), p.real("freq-scale"), std::move(weights),
            is_exact(p)};
}

/// An axis of the points: its index among the axes, and its rank in the order of the channels.
struct PointAxis {
    std::int64_t index;
    std::int64_t rank;
};

constexpr std::string_view angle_options = "--freqs, --freq-scale, the coordinates";

/// Checks the angles of the axis. Throws: UsageError if one is too large.
void check_waves(const Features& features, const numerics::WaveAxis& axis) {
    const double angle = numerics::largest_angle_of({axis}, features.freq_scale);
    if (!(angle <= numerics::largest_angle)) {
        throw UsageError(fmt::format("{}: an angle would be {} radians; they end at 2^100",
                                     angle_options, shortest(angle)));
    }
    if (features.is_exact) return;
    const double frequency = axis.weights.largest();
    check_float32(frequency * std::max(axis.coordinates.largest(), 1.0), angle_options);
}

/// Returns the waves of an axis, with all channels of the table. `variances` has one for each
/// coordinate, 0 without --variances.
numerics::AxisWaves waves_of(const Features& features, const Coordinates& coordinates,
                             PointAxis axis, Positions variances) {
    const Frequencies& bands = features.of_axis(axis.index);
    check_waves(features, {{coordinates, 1}, bands});
    const Frequencies nu = scaled(bands, features.freq_scale);
    numerics::AxisWaves waves{coordinates, nu, layout(features.channels, axis.rank)};
    if (features.weights.are_any()) {
        waves.weights = wave_weights(features.weights.window, nu, std::move(variances));
    }
    return waves;
}

/// Returns the same waves as float32 code computes them.
Rows float32_rows(const Features& features, const Coordinates& coordinates, PointAxis axis,
                  DType dtype) {
    const numerics::WaveAxis waves{{coordinates, 1}, features.of_axis(axis.index)};
    check_waves(features, waves);
    return numerics::float32_wave_rows(
        numerics::projected_angles({waves}, to_float32("freq-scale", features.freq_scale)),
        layout(features.channels, axis.rank), 1, dtype);
}

/// Returns the rows with the coordinates of an axis, if --raw asks for them.
Rows with_raw(const Features& features, const Rows& rows, const Coordinates& coordinates,
              std::int64_t rank) {
    if (!features.channels.is_raw()) return rows;
    check_holds(rows.dtype(), coordinates.largest(), "the largest coordinate");
    return with_coordinates(rows, {coordinates, 1}, raw_column(features.channels, rank));
}

/// Returns the waves of an axis of a grid, a row for each coordinate, and with --raw its
/// coordinates. The channels of other axes are 0.
Rows axis_rows(const Features& features, const Coordinates& coordinates, PointAxis axis,
               DType dtype) {
    const Positions variances(0, 0, coordinates.size());
    const Rows rows =
        features.is_exact
            ? numerics::axis_wave_rows(waves_of(features, coordinates, axis, variances), dtype)
            : float32_rows(features, coordinates, axis, dtype);
    return with_raw(features, rows, coordinates, axis.rank);
}

/// Returns the rows of a list of points, a list of coordinates and one of variances for each axis.
Rows point_rows(const Features& features, std::vector<std::vector<double>> points,
                std::vector<std::vector<double>> variances, DType dtype) {
    std::vector<Coordinates> axes;
    for (std::vector<double>& list : points) axes.emplace_back(Positions(std::move(list)));
    std::vector<Rows> tables;
    std::vector<numerics::AxisWaves> waves;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        if (!features.is_exact) {
            tables.push_back(float32_rows(features, axes[i], {index, index}, dtype));
            continue;
        }
        waves.push_back(waves_of(features, axes[i], {index, index},
                                 variances.empty() ? Positions(0, 0, axes[i].size())
                                                   : Positions(std::move(variances[i]))));
    }
    if (features.is_exact) {
        if (std::optional<Rows> joint = numerics::joint_wave_rows(waves, dtype)) {
            tables.push_back(*joint);
        } else {
            for (const auto& axis : waves) tables.push_back(numerics::axis_wave_rows(axis, dtype));
        }
    }
    Rows rows = rows::merged(tables);
    for (std::size_t rank = 0; rank < axes.size(); ++rank) {
        rows = with_raw(features, rows, axes[rank], static_cast<std::int64_t>(rank));
    }
    return rows;
}

/// An axis of a grid of points.
struct GridAxis {
    char name;  ///< t, y or x
    Coordinates coordinates;
    std::int64_t rank;  ///< its place in the order of the channels
};

/// Returns the term of frequency k, in radians per unit of the coordinates.
Term frequency_term(const Features& features, const Frequencies& bands, std::int64_t k) {
    const Term nu = digits_term([=] { return bands.reals()[k]; });
    const double scale = features.freq_scale;
    return {[=] { return nu.value() * scale; },
            scale == 1 ? nu.text : fmt::format("{} * {}", shortest(scale), nu.text)};
}

/// Returns the cell of a channel for the coordinate `position` of the axis; nothing if the channel
/// belongs to another axis.
std::optional<Cell> cell_along(const Features& features, const Term& position,
                               const PointAxis& axis, std::int64_t channel) {
    const FourierChannels& channels = features.channels;
    if (channels.is_raw() && channel == raw_column(channels, axis.rank)) {
        return Cell{.value = position, .note = "The channel is the coordinate itself, by --raw."};
    }
    const numerics::ChannelLayout waves = layout(channels, axis.rank);
    if (!content_of(waves, channel)) return std::nullopt;
    const Frequencies& bands = features.of_axis(axis.index);
    Cell cell = layout_cell(1, waves, channel, position,
                            [&](std::int64_t k) { return frequency_term(features, bands, k); });
    if (features.weights.are_any()) {
        cell.value = {nullptr, fmt::format("weight * {}", cell.value.text)};
    }
    return cell;
}

Cell cell_of(const Features& features, const std::vector<GridAxis>& axes,
             const std::vector<std::int64_t>& point, std::int64_t channel) {
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto& [name, coordinates, rank] = axes[i];
        const Term position = coordinate_term(coordinates, point[i]);
        std::optional<Cell> cell =
            cell_along(features, position, {static_cast<std::int64_t>(i), rank}, channel);
        if (!cell) continue;
        cell->of = name;
        return *cell;
    }
    return zero_cell("The channel is filled up with zeros, by --pad-to.");
}

Plan grid_plan(Parameters p) {
    p = resolve_axes(std::move(p));
    std::vector<GridAxis> axes;
    std::vector<std::int64_t> extents;
    for (const char axis : axes_of(p)) {
        extents.push_back(extent(p, axis));
        axes.push_back({axis, grid_coordinates(p.word("coords"), extents.back()),
                        static_cast<std::int64_t>(p.word("axes").find(axis))});
    }
    std::vector<std::int64_t> ranks;
    for (const GridAxis& axis : axes) ranks.push_back(axis.rank);
    const Features features = features_of(p, ranks, nullptr);
    const std::int64_t points = point_count(p);
    return {.parameters = std::move(p),
            .shape = {points, features.channels.count()},
            .axes = {point_axis(extents), channel_axis()},
            .make_rows =
                [=](DType dtype) {
                    std::vector<Rows> tables;
                    for (const auto& [name, coordinates, rank] : axes) {
                        tables.push_back(
                            axis_rows(features, coordinates, {std::ssize(tables), rank}, dtype));
                    }
                    return rows::point_rows(tables);
                },
            .pairs = [channels = features.channels] { return pairs_of(channels); },
            .cell =
                [=](std::span<const std::int64_t> index) {
                    return cell_of(features, axes, index_of(index[0], extents), index[1]);
                }};
}

Plan file_plan(Parameters p) {
    p = without_grid(std::move(p));
    const PointsFile file = open_points(p.word("points"));
    std::vector<std::int64_t> ranks(file.axes());
    std::iota(ranks.begin(), ranks.end(), 0);
    const Features features = features_of(p, ranks, &file);
    const std::int64_t channels = features.channels.count();
    if (channels > most_channels) {
        throw UsageError(
            fmt::format("--points {}: {} channels; they end at 2^20, use fewer "
                        "--freqs",
                        p.word("points"), channels));
    }
    return {.parameters = std::move(p),
            .shape = {file.points(), channels},
            .axes = {point_axis({}), channel_axis()},
            .make_rows = [=](DType dtype) {
                return point_rows(features, read_points(file), read_variances(features.weights),
                                  dtype);
            }};
}

Plan plan(Parameters p, std::string_view) {
    if (p.word("raw") == "after-each" && p.word("order").front() != 'a') {
        throw UsageError(
            fmt::format("--raw after-each: --order {} has no channels of one axis together; use "
                        "--order akf or afk, or --raw after",
                        p.word("order")));
    }
    return p.has("points") ? file_plan(std::move(p)) : grid_plan(std::move(p));
}

constexpr std::array tables{TableSpec{.name = "encoding",
                                      .summary = "the encoding, (points, features)",
                                      .title = "Fourier Features ({freqs}, order {order})",
                                      .value_label = "Positional Encoding Values",
                                      .promises = "rotation offset spacing"}};

constexpr std::array fourier_presets{
    PresetSpec{.name = "barf",
               .aliases = "bundle-adjusting-nerf",
               .settings = "--freqs pow2:10 --freq-scale pi --order afk --raw before",
               .summary = "BARF's points, all frequencies on",
               .source = "chenhsuanlin/bundle-adjusting-NeRF, model/nerf.py, positional_encoding",
               .note = "With pi, and the frequency runs fastest. During training BARF fades "
                       "the higher frequencies in: --window."},
    PresetSpec{.name = "dino-points",
               .aliases = "petr lw-detr",
               .settings = "--coords linspace:0:1 --freqs geometric:0.0001:64 --freq-scale 2*pi",
               .summary = "reference points and boxes of DAB-DETR's and DINO's decoders",
               .source = "IDEA-Research/DINO, models/dino/utils.py, gen_sineembed_for_position",
               .note =
                   "Its points are a file of two columns, y and x, or four, y, x, w, h, from 0 to "
                   "1. The code takes x first and gives y first."},
    PresetSpec{.name = "gencast",
               .settings = "--axes x --width 100 --freqs linear:1:32:32 --freq-scale 2*pi/16 "
                           "--order fak --first cos",
               .summary = "GenCast's fourier_features of noise levels: 32 multiples of 1 / 16",
               .source = "google-deepmind/graphcast, graphcast/model_utils.py, fourier_features",
               .note = "Cosines come first. Points are logarithms of noise levels: --points. "
                       "base_period is the 16, num_frequencies the 32."},
    PresetSpec{.name = "giraffe",
               .settings = "--freqs pow2:10 --freq-scale pi --order kfa",
               .summary = "GIRAFFE's points, without the coordinates",
               .source = "autonomousvision/giraffe, im2scene/giraffe/models/decoder.py, "
                         "transform_points",
               .note = "The code halves its points first: downscale_p_by. View directions have "
                       "--freqs pow2:4."},
    PresetSpec{
        .name = "gligen",
        .settings = "--coords linspace:0:1 --freqs geometric:100:8 --order kfa",
        .summary = "GLIGEN's boxes; also in Diffusers",
        .source = "gligen/GLIGEN, ldm/modules/diffusionmodules/util.py, FourierEmbedder",
        .note =
            "Frequencies grow from 1 to less than 100, there is no pi. Its points are "
            "boxes: a file of four columns, x0, y0, x1, y1 from 0 to 1; or keypoints, x and y."},
    PresetSpec{
        .name = "lucidrains-perceiver",
        .settings = "--freqs linear:1:5:6 --freq-scale pi --order afk --raw after-each",
        .summary = "perceiver-pytorch with its README's bands: 6, up to 10 / 2",
        .source = "lucidrains/perceiver-pytorch, perceiver_pytorch/perceiver_pytorch.py, "
                  "fourier_encode",
        .note = "The coordinate follows the channels of its axis; those of perceiver stand "
                "before all. --freqs is linear:1:max_freq/2:num_freq_bands. Before 0.7.4 the bands "
                "were geometric, from 1 to max_freq/2: --freqs geometric:6.898648307306074:6."},
    PresetSpec{
        .name = "mip-nerf",
        .aliases = "mipnerf multinerf shap-e",
        .settings = "--freqs pow2:0:16 --order fka --raw before",
        .summary = "mip-NeRF's pos_enc: all sines before all cosines",
        .source = "google/mipnerf, internal/mip.py, pos_enc",
        .note =
            "These are the function's own channels. View directions have --freqs pow2:0:4. Points "
            "along a ray have no raw channels, and every value is damped by the size of "
            "the cone: --raw none --variances."},
    PresetSpec{
        .name = "nerf",
        .aliases = "nerf-pl nerfies torch-ngp",
        .settings = "--freqs pow2:10 --order kfa --raw before",
        .summary = "NeRF's points; view directions have --freqs pow2:4",
        .source = "bmild/nerf, run_nerf_helpers.py, Embedder",
        .note =
            "The paper's formula has pi and no coordinates, --freq-scale pi --raw none; this, the "
            "code, has coordinates and no pi. log_sampling off is --freqs linear:1:512:10."},
    PresetSpec{
        .name = "perceiver",
        .aliases = "hf-perceiver perceiver-io",
        .settings = "--height 224 --width 224 --freqs linear:1:112:64 --freq-scale pi --order "
                    "fak --raw before",
        .summary = "Perceiver and Perceiver IO on ImageNet's pixels",
        .source = "huggingface/transformers, "
                  "src/transformers/models/perceiver/modeling_perceiver.py",
        .note = "--freqs is linear:1:max_resolution/2:num_bands; a max_resolution of two different "
                "numbers gives each axis frequencies of its own, as --freqs "
                "linear:1:184:64/linear:1:248:64 of optical flow."},
    PresetSpec{
        .name = "pips",
        .aliases = "pips-3d",
        .settings = "--freqs linear:0:968.75:32 --raw after",
        .summary = "PIPs' get_3d_embedding for C = 64: equally spaced frequencies, starting at 0",
        .source = "aharley/pips, utils/misc.py",
        .note = "--freqs is linear:0:1000 (C - 2) / C:C / 2 as numbers. Its points are a file of "
                "three columns, x, y and z. The frequencies are multiplied where a division was "
                "meant."},
    PresetSpec{.name = "pixel-nerf",
               .settings = "--freqs pow2:6 --freq-scale pi --order kfa --raw before",
               .summary = "pixelNeRF's PositionalEncoding with its defaults",
               .source = "sxyu/pixel-nerf, src/model/code.py, PositionalEncoding",
               .note = "nerf with pi, and 6 frequencies; its configurations have freq_factor 1.5: "
                       "--freq-scale 1.5."},
    PresetSpec{.name = "pytorch3d",
               .aliases = "pytorch3d-harmonic",
               .settings = "--freqs pow2:6 --order fak --raw after",
               .summary = "PyTorch3D's HarmonicEmbedding: the coordinates come last",
               .source = "facebookresearch/pytorch3d, "
                         "pytorch3d/renderer/implicit/harmonic_embedding.py",
               .note =
                   "--freq-scale is omega_0. logspace off is --freqs linear:1:32:6. diag_cov is "
                   "--variances."},
    PresetSpec{
        .name = "siren",
        .settings = "--freqs pow2:10 --freq-scale pi --order kaf --raw before",
        .summary = "SIREN's PosEncodingNeRF: with pi, sine and cosine of a coordinate together",
        .source = "vsitzmann/siren, modules.py, PosEncodingNeRF",
        .note = "Ten frequencies are those of three coordinates; others depend on the number "
                "of samples."},
    PresetSpec{.name = "timm-fourier",
               .settings = "--freqs linear:1:112:64 --freq-scale pi --order fka --raw before",
               .summary = "timm's FourierEmbed",
               .source = "huggingface/pytorch-image-models, timm/layers/pos_embed_sincos.py, "
                         "FourierEmbed",
               .note = "The bands of perceiver, but the axis runs fastest. max_res stays 224 "
                       "whatever the size of the image: --freqs linear:1:max_res/2:num_bands."},
    PresetSpec{.name = "vggt",
               .settings = "--axes xy --freqs geometric:0.01:64 --order afk",
               .summary = "VGGT's position_grid_to_embed: x before y, base 100",
               .source = "facebookresearch/vggt, vggt/heads/utils.py, position_grid_to_embed",
               .note =
                   "K is a quarter of the channels. Its points reach as far as the aspect ratio "
                   "says, normalized_view_plane_uv: give them with --points, x first."},
};

}  // namespace

/// x_a is the point's coordinate on axis a: column a of the array in --points, or a coordinate of a
/// grid with n points along the axis, i = 0 ... n - 1. linspace gives LO if n is 1; linear gives LO
/// if K is 1. The axes are in the order of --axes or of the file's columns, the functions in the
/// order of --first. With --raw the coordinates are channels, too: before or after all other
/// channels, or each after the channels of its axis.
///
/// --window multiplies the waves of frequency k by a weight that grows from 0 to 1 as X grows from
/// k to k + 1 (Park et al. 2021, Nerfies, arXiv:2011.12948, equation 8). --variances multiplies
/// them by a weight that gives the mean over a normal distribution of the coordinate (Barron et al.
/// 2021, Mip-NeRF, arXiv:2103.13415, equation 14).
///
/// Table: encoding (points, features), axes (point, channel); features = axes * 2 K, and one more
/// for each axis with --raw. Points of a grid run along x fastest, t slowest.
/// Correctly rounded, with all numbers as the doubles they are, unless --arith float32 rounds every
/// step: x_a, nu, their product and its product with freq-scale. pi is the nearest double, as in
/// all known code. For a file, eight bytes are kept in memory for each coordinate, sixteen with
/// --raw, and sixteen more with --window or --variances; at most 2^28 coordinates are allowed.
extern constinit const Encoding fourier{
    .name = "fourier",
    .summary = "sines and cosines of real-valued coordinates: NeRF, Perceiver and others",
    .formula =
        "PE[point, (a, k, f)] = f(x_a * freq-scale * nu[k]),  f = sin, cos\n"
        "x_a: the point's coordinate on axis a, from a file or by --coords; nu: --freqs\n"
        "(a, k, f): the rank in --order, slowest first\n"
        "linspace:LO:HI  x[i] = LO + (HI - LO) i / (n - 1);  center:SCALE  x[i] = (2i + 1 - n) "
        "SCALE / n\n"
        "pow2: 2^k; linear:LO:HI:K  LO + (HI - LO) k / (K - 1); geometric:BASE:K  BASE^(k / K)\n"
        "logspace:LO:HI:K  LO (HI / LO)^(k / (K - 1))\n"
        "--window X: times (1 - cos(pi min(max(X - k, 0), 1))) / 2\n"
        "--variances v_a: times exp(-(freq-scale * nu[k])^2 v_a / 2)",
    .source =
        "Mildenhall et al. 2020, NeRF, arXiv:2003.08934; Jaegle et al. 2021, Perceiver, "
        "arXiv:2103.03206",
    .examples =
        "fourier --height 2 --width 3 --freqs pow2:2\n"
        "fourier --height 16 --width 16 --freqs linear:1:8:8 --freq-scale pi --png fourier.png\n"
        "fourier --height 64 --width 64 --coords center:1 --raw before --npy fourier.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = fourier_presets,
    .plan = plan};

}  // namespace pegen::encodings
