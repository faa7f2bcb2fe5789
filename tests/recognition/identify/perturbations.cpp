#include "recognition/identify/perturbations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

#include "recognition/kernel/rotary_kernel.h"

namespace pegen::trials {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Tables of two axes, whose rows are positions.
constexpr std::array<std::string_view, 10> tables{
    "sinusoid --len 60 --d 32",
    "fairseq --len 50 --d 64",
    "whisper --len 80 --d 48",
    "tensor2tensor --len 40 --d 16",
    "marian --len 64 --d 24",
    "rope --len 64 --d 32",
    "rope --len 64 --d 64 --table sin --base 500000",
    "rope --len 50 --d 32 --layout interleaved",
    "sinusoid --len 70 --d 40 --base 77 --dtype float64",
    "xpos --len 48 --d 32 --table sin-q",
};

/// Tables in which --start counts the rows that are missing.
constexpr std::array<std::string_view, 7> with_start{
    "sinusoid --len 60 --d 32",
    "fairseq --len 50 --d 64",
    "whisper --len 80 --d 48",
    "rope --len 64 --d 32",
    "rope --len 40 --d 16 --table sin",
    "sinusoid --len 70 --d 40 --base 77 --dtype float64",
    "index --len 100",
};

constexpr std::array<std::string_view, 4> with_out_scale{
    "sinusoid --len 60 --d 32",
    "tensor2tensor --len 40 --d 16",
    "whisper --len 80 --d 48",
    "mae --height 6 --width 6 --d 32",
};

constexpr std::array<std::string_view, 3> sinusoids{
    "sinusoid --len 60 --d 32",
    "tensor2tensor --len 40 --d 16",
    "whisper --len 80 --d 48",
};

constexpr std::array<std::string_view, 9> any_rank{
    "sinusoid --len 60 --d 32",
    "fairseq --len 50 --d 64",
    "mae --height 6 --width 7 --d 32",
    "timm --height 6 --width 5 --d 32",
    "detr --height 6 --width 8 --num-pos-feats 16",
    "rope --len 64 --d 32 --table sin",
    "bert --len 40 --d 24",
    "alibi --heads 8 --len 24",
    "rope-grid --height 6 --width 7 --d 32",
};

constexpr std::array<std::string_view, 3> images{
    "detr --height 6 --width 8 --num-pos-feats 16",
    "mae --height 6 --width 7 --d 32 --view grid",
    "fourier --height 6 --width 7",
};

constexpr std::array<std::string_view, 4> channels_first_images{
    "mae --height 6 --width 7 --d 32 --view grid",
    "tatp22 --height 5 --width 7 --d 32 --view grid",
    "detr --height 6 --width 8 --num-pos-feats 16",
    "sinusoid --len 60 --d 32",
};

constexpr std::array<std::string_view, 5> image_tokens{
    "grid --height 6 --width 8 --d 32",      "mae --height 7 --width 7 --d 64",
    "rope-grid --height 6 --width 8 --d 32", "rope-grid --height 5 --width 7 --d 64 --table sin",
    "fourier --height 6 --width 8",
};

constexpr std::array<std::string_view, 12> float64_tables{
    "sinusoid --len 100 --d 64 --dtype float64",
    "sinusoid --len 100 --d 64 --layout halves --dtype float64",
    "mae --height 6 --width 7 --d 32 --dtype float64",
    "transformer-xl --len 40 --d 32 --dtype float64",
    "whisper --len 80 --d 48 --dtype float64",
    "normalized --len 100 --dtype float64",
    "sandwich --heads 1 --len 12 --dtype float64",
    "relative --len 20 --d 16 --dtype float64",
    "rope --len 40 --d 32 --table sin --dtype float64",
    "alibi --heads 4 --len 24 --dtype float64",
    "swin-v2 --height 4 --width 4 --dtype float64",
    "xpos --len 48 --d 32 --table sin-q --dtype float64",
};

constexpr std::array<std::string_view, 2> masked{
    "alibi --heads 8 --len 24 --mask causal",
    "press --heads 4 --len 20 --mask causal",
};

constexpr std::array<std::string_view, 6> waves{
    "sinusoid --len 300 --d 64",
    "sinusoid --len 4096 --d 32",
    "sinusoid --len 1025 --d 48 --base 500",
    "rope --len 300 --d 64",
    "rope --len 4096 --d 128",
    "rope --len 1025 --d 32 --base 500000",
};

constexpr std::array<std::string_view, 3> float32_tables{
    "sinusoid --len 60 --d 32",
    "sinusoid --len 300 --d 64",
    "sinusoid --len 100 --d 32 --base 500",
};

void expect_departure(Trial& trial, std::string departure) {
    trial.expected = Expected::departure;
    trial.departure = std::move(departure);
}

/// Adds to the value in channel 5 of a row.
void add_to_value(Trial& trial, std::int64_t row, double difference) {
    trial.array.at(row, 5) += difference;
    expect_departure(trial, fmt::format("one value, at ({}, 5)", row));
}

double normal(Random& random) { return std::normal_distribution<double>()(random); }

/// Sets the parameter of the truth, if it has it.
void shift_start(Trial& trial, double by) {
    Parameters& parameters = trial.truth->parameters;
    const double step = parameters.real("step");
    parameters.set("start", fmt::format("{}", parameters.real("start") + by * step), Origin::user);
    parameters.set("len", fmt::format("{}", trial.array.rows()), Origin::user);
}

Array first_rows_missing(const Array& array, std::int64_t missing) {
    Array rest = array;
    rest.values.erase(rest.values.begin(), rest.values.begin() + missing * array.columns());
    rest.extents.front() -= missing;
    return rest;
}

void scale(Trial& trial, double by) {
    for (double& value : trial.array.values) value *= by;
    trial.array = rounded_to(trial.array, trial.array.dtype);
    trial.expected = Expected::array;
}

void store_as_float32(Trial& trial, DType dtype) {
    trial.array = rounded_to(trial.array, dtype);
    trial.array.dtype = DType::float32;
    trial.precision = dtype;
    trial.truth->dtype = dtype;
}

/// The numbers that code rounds to 16 bits.
struct SixteenBits {
    DType format;
    bool positions, frequencies, angles;
};

double rounded_if(bool is_rounded, double value, DType format) {
    return is_rounded ? recognition::rounded(value, format) : value;
}

/// A sinusoid or the cosines of rope as code in 16 bits makes it, which --rounded calls `rounded`.
void compute_in_16_bits(Trial& trial, const SixteenBits& bits, std::string_view rounded) {
    const Parameters& parameters = trial.truth->parameters;
    const auto base = static_cast<float>(parameters.real("base"));
    const std::int64_t d = trial.array.columns();
    const bool is_rope = trial.truth->encoding->name == "rope";
    for (std::int64_t pair = 0; pair < d / 2; ++pair) {
        const float exponent = static_cast<float>(2 * pair) / static_cast<float>(d);
        const double frequency =
            rounded_if(bits.frequencies, 1.0F / std::pow(base, exponent), bits.format);
        for (std::int64_t row = 0; row < trial.array.rows(); ++row) {
            const double position =
                rounded_if(bits.positions, static_cast<double>(row), bits.format);
            const double angle =
                rounded_if(bits.angles, static_cast<float>(position * frequency), bits.format);
            trial.array.at(row, is_rope ? pair : 2 * pair) =
                is_rope ? std::cos(angle) : std::sin(angle);
            trial.array.at(row, is_rope ? pair + d / 2 : 2 * pair + 1) = std::cos(angle);
        }
    }
    trial.array = rounded_to(trial.array, trial.array.dtype);
    trial.truth->parameters.set("arith", info(bits.format).name, Origin::user);
    trial.truth->parameters.set("rounded", rounded, Origin::user);
}

/// Changes the values of each row by what their mean and deviation are.
void change_rows(Trial& trial, const std::function<double(double, double, double)>& change) {
    const auto columns = static_cast<double>(trial.array.columns());
    for (std::int64_t row = 0; row < trial.array.rows(); ++row) {
        double sum = 0, squares = 0;
        for (std::int64_t i = 0; i < trial.array.columns(); ++i) sum += trial.array.at(row, i);
        const double mean = sum / columns;
        for (std::int64_t i = 0; i < trial.array.columns(); ++i) {
            squares += (trial.array.at(row, i) - mean) * (trial.array.at(row, i) - mean);
        }
        const double deviation = std::sqrt(squares / columns);
        for (std::int64_t i = 0; i < trial.array.columns(); ++i) {
            trial.array.at(row, i) = change(trial.array.at(row, i), mean, deviation);
        }
    }
    trial.array = rounded_to(trial.array, trial.array.dtype);
}

/// The table as code in float32 makes it: frequencies, products, sines and cosines rounded each.
void compute_in_float32(Trial& trial) {
    const Parameters& parameters = trial.truth->parameters;
    const auto base = static_cast<float>(parameters.real("base"));
    const std::int64_t d = trial.array.columns();
    for (std::int64_t pair = 0; pair < d / 2; ++pair) {
        const float exponent = static_cast<float>(2 * pair) / static_cast<float>(d);
        const float frequency = 1.0F / std::pow(base, exponent);
        for (std::int64_t row = 0; row < trial.array.rows(); ++row) {
            const float angle = static_cast<float>(row) * frequency;
            trial.array.at(row, 2 * pair) = std::sin(angle);
            trial.array.at(row, 2 * pair + 1) = std::cos(angle);
        }
    }
}

void standardise(Trial& trial) {
    std::vector<double>& values = trial.array.values;
    const auto count = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const double deviation = std::sqrt(squares / (count - 1));
    for (double& value : values) value = (value - mean) / (10 * deviation);
    trial.array = rounded_to(trial.array, trial.array.dtype);
    trial.expected = Expected::array;
}

void add_noise(Trial& trial, double size, Random& random) {
    for (double& value : trial.array.values) value += size * normal(random);
    trial.array = rounded_to(trial.array, trial.array.dtype);
    expect_departure(trial, "");
}

void spoil_row(Array& array, std::int64_t row, Random& random) {
    for (std::int64_t i = 0; i < array.columns(); ++i) array.at(row, i) = 0.5 * normal(random);
}

constexpr std::array perturbations{
    Perturbation{"rows missing in front", with_start,
                 [](Trial& trial, Random&) {
                     trial.array = first_rows_missing(trial.array, 3);
                     shift_start(trial, 3);
                 }},
    Perturbation{"columns cut", tables,
                 [](Trial& trial, Random&) {
                     const std::int64_t half = trial.array.columns() / 2;
                     trial.array = with_columns(trial.array, numbers_from(0, half));
                     trial.expected = Expected::array;
                 }},
    Perturbation{"every second row", with_start,
                 [](Trial& trial, Random&) {
                     const std::int64_t half = trial.array.rows() / 2;
                     const auto rows = numbers_from(0, half, 2);
                     Array kept = with_rows(trial.array, rows);
                     kept.extents.front() = half;
                     trial.array = kept;
                     trial.truth->parameters.set("step", "2", Origin::user);
                     shift_start(trial, 0);
                 }},
    Perturbation{"transposed", any_rank,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     trial.array = transposed(trial.array);
                 }},
    Perturbation{"channels first", channels_first_images,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     trial.array = transposed(trial.array);
                     trial.array.extents.insert(trial.array.extents.begin(), 1);
                     trial.expected = Expected::array;  // --view channels-first is one, too
                 }},
    Perturbation{"channels in 4 heads", sinusoids,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     const std::int64_t rows = trial.array.rows();
                     trial.array.extents = {rows, 4, trial.array.columns() / 4};
                 }},
    Perturbation{"leading axes of extent 1", any_rank,
                 [](Trial& trial, Random&) {
                     trial.array.extents.insert(trial.array.extents.begin(), {1, 1});
                 }},
    Perturbation{"a batch of equal tables", images,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     const std::vector<double> once = trial.array.values;
                     std::erase(trial.array.extents, 1);
                     trial.array.extents.insert(trial.array.extents.begin(), 2);
                     trial.array.values.insert(trial.array.values.end(), once.begin(), once.end());
                     trial.expected = Expected::array;
                 }},
    Perturbation{"scaled by 0.02", with_out_scale,
                 [](Trial& trial, Random&) { scale(trial, 0.02); }},
    Perturbation{"x sqrt(d)", with_out_scale,
                 [](Trial& trial, Random&) {
                     scale(trial, std::sqrt(static_cast<double>(trial.array.columns())));
                 }},
    Perturbation{"standardised", sinusoids, [](Trial& trial, Random&) { standardise(trial); }},
    Perturbation{"float16 as float32", any_rank,
                 [](Trial& trial, Random&) { store_as_float32(trial, DType::float16); }},
    Perturbation{"bfloat16 as float32", any_rank,
                 [](Trial& trial, Random&) { store_as_float32(trial, DType::bfloat16); }},
    Perturbation{"printed with 4 decimals", tables,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     for (double& value : trial.array.values) value = std::rint(value * 1e4) / 1e4;
                     trial.array = rounded_to(trial.array, trial.array.dtype);
                 }},
    Perturbation{"float32 arithmetic", float32_tables,
                 [](Trial& trial, Random&) { compute_in_float32(trial); }},
    Perturbation{"one value spoiled", tables,
                 [](Trial& trial, Random&) { add_to_value(trial, 7, 0.25); }},
    Perturbation{"one value of a double is off by 1e-9", float64_tables,
                 [](Trial& trial, Random&) {
                     std::vector<double>& values = trial.array.values;
                     const auto telling = [](double value) { return std::abs(value) > 0.01; };
                     *std::find_if(values.begin() + std::ssize(values) / 2, values.end(),
                                   telling) += 1e-9;
                     expect_departure(trial, "one value, at ");
                 }},
    Perturbation{"one value is nan", tables,
                 [](Trial& trial, Random&) { add_to_value(trial, 7, nan); }},
    Perturbation{"one value is infinite", tables,
                 [](Trial& trial, Random& random) {
                     add_to_value(trial, 7, normal(random) < 0 ? -infinity : infinity);
                 }},
    Perturbation{"a row is nan", tables,
                 [](Trial& trial, Random&) {
                     for (std::int64_t i = 0; i < trial.array.columns(); ++i) {
                         trial.array.at(7, i) = nan;
                     }
                     expect_departure(trial, "row 7");
                 }},
    Perturbation{"zeros are -0", tables,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     for (double& value : trial.array.values) {
                         if (value == 0) value = -0.0;
                     }
                 }},
    Perturbation{"one value of an image", image_tokens,
                 [](Trial& trial, Random&) { add_to_value(trial, 24, 0.25); }},
    Perturbation{"rows 10 to 19 spoiled", tables,
                 [](Trial& trial, Random& random) {
                     for (std::int64_t row = 10; row < 20; ++row) {
                         spoil_row(trial.array, row, random);
                     }
                     trial.array = rounded_to(trial.array, trial.array.dtype);
                     expect_departure(trial, "rows 10 to 19");
                 }},
    Perturbation{"a channel spoiled", tables,
                 [](Trial& trial, Random& random) {
                     for (std::int64_t row = 0; row < trial.array.rows(); ++row) {
                         trial.array.at(row, 9) = 0.5 * normal(random);
                     }
                     trial.array = rounded_to(trial.array, trial.array.dtype);
                     expect_departure(trial, "channel 9");
                 }},
    Perturbation{"rows shuffled", tables,
                 [](Trial& trial, Random& random) {
                     auto rows = numbers_from(0, trial.array.rows());
                     std::ranges::shuffle(rows, random);
                     trial.array = with_rows(trial.array, rows);
                     expect_departure(trial, "order");
                 }},
    Perturbation{"columns shuffled", tables,
                 [](Trial& trial, Random& random) {
                     auto columns = numbers_from(0, trial.array.columns());
                     std::ranges::shuffle(columns, random);
                     trial.array = with_columns(trial.array, columns);
                     expect_departure(trial, "order");
                 }},
    Perturbation{"noise of 1e-3", tables,
                 [](Trial& trial, Random& random) { add_noise(trial, 1e-3, random); }},
    Perturbation{"noise of 1e-2", tables,
                 [](Trial& trial, Random& random) { add_noise(trial, 1e-2, random); }},
    Perturbation{"noise of 1e-1", tables,
                 [](Trial& trial, Random& random) { add_noise(trial, 1e-1, random); }},
    Perturbation{"dropout", tables,
                 [](Trial& trial, Random& random) {
                     std::bernoulli_distribution is_dropped(0.1);
                     for (double& value : trial.array.values) {
                         value = is_dropped(random) ? 0 : value / 0.9;
                     }
                     trial.array = rounded_to(trial.array, trial.array.dtype);
                     expect_departure(trial, "dropout of 0.1 is on");
                 }},
    Perturbation{"mapped to 0 ... 1", tables,
                 [](Trial& trial, Random&) {
                     for (double& value : trial.array.values) value = (value + 1) / 2;
                     trial.array = rounded_to(trial.array, trial.array.dtype);
                     expect_departure(trial, "all values are multiplied by 0.5, then 0.5 is added");
                 }},
    Perturbation{"negated", tables,
                 [](Trial& trial, Random&) {
                     for (double& value : trial.array.values) value = -value;
                     // Sines are negated at negative positions, too.
                     const bool has_option = trial.truth->parameters.knows("out-scale") ||
                                             trial.truth->table->name == "sin";
                     trial.expected = Expected::array;
                     if (!has_option) expect_departure(trial, "all values are multiplied by -1");
                 }},
    Perturbation{"channels reversed", sinusoids,
                 [](Trial& trial, Random&) {
                     auto channels = numbers_from(0, trial.array.columns());
                     std::ranges::reverse(channels);
                     trial.array = with_columns(trial.array, channels);
                     trial.expected = Expected::array;
                 }},
    Perturbation{"halves exchanged", sinusoids,
                 [](Trial& trial, Random&) {
                     auto channels = numbers_from(0, trial.array.columns());
                     std::rotate(channels.begin(), channels.begin() + std::ssize(channels) / 2,
                                 channels.end());
                     trial.array = with_columns(trial.array, channels);
                     trial.expected = Expected::array;
                 }},
    Perturbation{"each row centred", tables,
                 [](Trial& trial, Random&) {
                     change_rows(trial, [](double x, double mean, double) { return x - mean; });
                     expect_departure(trial, "the mean of each row is subtracted");
                 }},
    Perturbation{"layer normalization", tables,
                 [](Trial& trial, Random&) {
                     change_rows(trial, [](double x, double mean, double deviation) {
                         return (x - mean) / std::sqrt(deviation * deviation + 1e-5);
                     });
                     expect_departure(trial, "each row is standardized, as by layer normalization");
                 }},
    Perturbation{"each channel centred", tables,
                 [](Trial& trial, Random&) {
                     trial.array = transposed(trial.array);
                     change_rows(trial, [](double x, double mean, double) { return x - mean; });
                     trial.array = transposed(trial.array);
                     expect_departure(trial, "each channel");
                 }},
    Perturbation{"the levels of a picture", tables,
                 [](Trial& trial, Random&) {
                     for (double& value : trial.array.values) {
                         value = std::rint(127.5 * std::clamp(value, -1.0, 1.0) + 127.5);
                     }
                     expect_departure(trial, "the values are the levels of a picture");
                 }},
    Perturbation{"padded with channels of zeros", tables,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     Array& array = trial.array;
                     const std::int64_t rows = array.rows(), columns = array.columns();
                     Array padded{{rows, columns + 8}, array.dtype, {}};
                     padded.values.assign(rows * (columns + 8), 0);
                     for (std::int64_t row = 0; row < rows; ++row) {
                         for (std::int64_t i = 0; i < columns; ++i) {
                             padded.at(row, i) = array.at(row, i);
                         }
                     }
                     array = padded;
                 }},
    Perturbation{"the last rows are 0", tables,
                 [](Trial& trial, Random&) {
                     const std::int64_t rows = trial.array.rows();
                     for (std::int64_t row = rows - 10; row < rows; ++row) {
                         for (std::int64_t i = 0; i < trial.array.columns(); ++i) {
                             trial.array.at(row, i) = 0;
                         }
                     }
                     expect_departure(
                         trial, fmt::format("rows {} to {}, which are 0", rows - 10, rows - 1));
                     // Sines are 0 at position 0, too.
                     if (trial.truth->table->name == "sin") trial.expected = Expected::array;
                 }},
    Perturbation{"a mask's number for -inf", masked,
                 [](Trial& trial, Random&) {
                     trial.upright = trial.array;
                     const double lowest = -std::numeric_limits<float>::max();
                     std::ranges::replace(trial.array.values, -infinity, lowest);
                 }},
    Perturbation{
        "frequencies in bfloat16", waves,
        [](Trial& trial, Random&) {
            compute_in_16_bits(trial, {DType::bfloat16, false, true, false}, "frequencies");
        }},
    Perturbation{"frequencies in float16", waves,
                 [](Trial& trial, Random&) {
                     compute_in_16_bits(trial, {DType::float16, false, true, false}, "frequencies");
                 }},
    Perturbation{"angles in bfloat16", waves,
                 [](Trial& trial, Random&) {
                     compute_in_16_bits(trial, {DType::bfloat16, false, false, true}, "angles");
                 }},
    Perturbation{"everything in bfloat16", waves,
                 [](Trial& trial, Random&) {
                     compute_in_16_bits(trial, {DType::bfloat16, true, true, true}, "all");
                 }},
    Perturbation{"quantised to 8 bits", tables,
                 [](Trial& trial, Random&) {
                     for (double& value : trial.array.values) {
                         value = std::round(value * 127) / 127;
                     }
                     trial.array = rounded_to(trial.array, trial.array.dtype);
                     expect_departure(trial, "");
                 }},
};

}  // namespace

std::span<const Perturbation> all_perturbations() { return perturbations; }

std::vector<Trial> perturbed(const Perturbation& perturbation, Random& random) {
    std::vector<Trial> trials;
    for (const std::string_view command : perturbation.commands) {
        Trial trial = trial_of(command_of(command));
        perturbation.change(trial, random);
        trial.name = fmt::format("{}: {}", command, perturbation.name);
        trials.push_back(std::move(trial));
    }
    return trials;
}

}  // namespace pegen::trials
