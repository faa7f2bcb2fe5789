#include "recognition/kernel/rotary_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/dtype.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "recognition/parameters/position_proposals.h"
#include "recognition/rotary/frequency_settings.h"

namespace pegen::recognition {
namespace {

using rows::Pairing;

/// Returns the channel of the row that the kernel reads as channel `j`.
std::int64_t read_from(std::int64_t j, const Convention& c) {
    if (!c.reads_neighbours) return j;
    const std::int64_t half = c.dim / 2;
    return j < half ? 2 * j : 2 * (j - half) + 1;
}

/// Returns "m and m + 8" or "2m and 2m + 1".
std::string pair_text(Pairing pairing, std::int64_t dim) {
    return pairing == Pairing::half ? fmt::format("m and m + {}", dim / 2) : "2m and 2m + 1";
}

}  // namespace

std::vector<Term> terms_of(const Convention& c) {
    const std::int64_t half = c.dim / 2;
    std::vector<Term> terms;
    for (std::int64_t j = 0; j < c.dim; ++j) {
        const bool is_half = c.pairing == Pairing::half;
        const bool is_first = is_half ? j < half : j % 2 == 0;
        const std::int64_t apart = is_half ? half : 1;
        const std::int64_t partner = is_first ? j + apart : j - apart;
        const double sign = is_first && !c.lacks_minus ? -1 : 1;
        terms.push_back({.own = c.first + read_from(j, c),
                         .partner = c.first + read_from(partner, c),
                         .angle = c.layout == Pairing::half ? j % half : j / 2,
                         .sign = c.lacking == Lacking::sines ? 0 : sign,
                         .of_own = c.lacking == Lacking::cosines ? 0.0 : 1.0});
    }
    return terms;
}

std::vector<Convention> conventions_of(std::int64_t first, std::int64_t dim) {
    std::vector<Convention> all;
    for (const bool lacks_minus : {false, true}) {
        for (const bool reads_neighbours : {false, true}) {
            for (const bool is_laid_out_alike : {true, false}) {
                for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
                    const Pairing other =
                        pairing == Pairing::half ? Pairing::interleaved : Pairing::half;
                    all.push_back({.first = first,
                                   .dim = dim,
                                   .pairing = pairing,
                                   .layout = is_laid_out_alike ? pairing : other,
                                   .reads_neighbours = reads_neighbours,
                                   .lacks_minus = lacks_minus});
                }
            }
        }
    }
    return all;
}

std::vector<std::string> oddities_of(const Convention& c, std::int64_t channels) {
    std::vector<std::string> sentences;
    if (c.pairing != c.layout) {
        sentences.push_back(fmt::format(
            "Pairs are rotated as {}, channels {}, where cos and sin are laid out as {}: the two "
            "channels of a pair are turned by different angles, which is no rotation.",
            c.pairing == Pairing::half ? "halves" : "neighbours", pair_text(c.pairing, c.dim),
            c.layout == Pairing::half ? "halves" : "interleaved neighbours"));
    }
    if (c.lacks_minus) {
        sentences.push_back(fmt::format(
            "The minus sign is missing: x[a] cos + x[b] sin where x[a] cos - x[b] sin belongs, "
            "for the pairs (a, b) of channels {}; that is no rotation.",
            pair_text(c.pairing, c.dim)));
    }
    if (c.lacking != Lacking::nothing) {
        const bool has_cosines = c.lacking == Lacking::sines;
        sentences.push_back(fmt::format(
            "The part with the {} is missing: {} where x[a] cos - x[b] sin belongs, for the pairs "
            "(a, b) of channels {}; that is no rotation.",
            has_cosines ? "sines" : "cosines", has_cosines ? "x[a] cos" : "-x[b] sin",
            pair_text(c.pairing, c.dim)));
    }
    if (c.reads_neighbours) {
        sentences.emplace_back(
            c.pairing == Pairing::half
                ? "Neighbours are read as a pair, and the result is written in halves, as "
                  "DeepSeek's code in transformers does it."
                : "The even channels, then the odd ones are put before the rotation of "
                  "neighbours.");
    }
    if (c.first > 0) {
        sentences.push_back(
            fmt::format("The rotated channels are {} to {}; the first {} are not "
                        "rotated.",
                        c.first, c.first + c.dim - 1, c.first));
    }
    const std::int64_t left = channels - c.first - c.dim;
    if (left > 0) sentences.push_back(fmt::format("The last {} channels are not rotated.", left));
    return sentences;
}

std::string_view name_of(Pairing pairing) {
    return pairing == Pairing::half ? "half" : "interleaved";
}

namespace {

/// Returns the settings of the kernel's positions that differ from the defaults.
std::vector<Setting> position_settings(const RotaryKernel& kernel) {
    if (!kernel.list.empty()) {
        const std::string text = position_list_text(kernel.list);
        return {{"positions", text.empty() ? joined(kernel.list, ",") : text}};
    }
    std::vector<Setting> settings;
    if (kernel.start != 0) settings.push_back({"start", shortest(kernel.start)});
    if (kernel.step != 1) settings.push_back({"step", shortest(kernel.step)});
    return settings;
}

Parameters parameters_of(const RotaryKernel& kernel, std::int64_t positions) {
    Parameters parameters = rope_parameters(kernel.settings, kernel.convention.dim);
    parameters.set("layout", "single", Origin::user);
    if (kernel.list.empty()) parameters.set("len", fmt::format("{}", positions), Origin::user);
    for (const Setting& setting : position_settings(kernel)) {
        parameters.set(setting.name, setting.value, Origin::user);
    }
    return parameters;
}

Rows engine_rows(std::string_view table, const Parameters& parameters) {
    const Encoding& rope = *find_encoding("rope");
    return make_table(rope, *find_table(rope, table), parameters, DType::float64).rows;
}

/// Returns `rows`, which are rows of doubles, with each value changed by `change`.
Rows changed(const Rows& rows, double (*change)(double)) {
    return rows_like(rows, [=](RowRange range, std::span<std::byte> out) {
        rows(range, out);
        auto* const values = reinterpret_cast<double*>(out.data());
        std::transform(values, values + out.size() / sizeof(double), values, change);
    });
}

/// Returns cos or sin of positions times frequencies, where no settings of rope have these
/// frequencies.
Rows own_rows(const RotaryKernel& kernel, std::int64_t positions, double (*wave)(double)) {
    return {[where = kernel.positions(positions), kernel, wave](RowRange range,
                                                                std::span<std::byte> out) {
                auto* place = reinterpret_cast<double*>(out.data());
                for (std::int64_t row = range.first; row < range.first + range.count; ++row) {
                    for (std::size_t pair = 0; pair < kernel.frequencies.size(); ++pair) {
                        *place++ = wave(kernel.angle(where[row], pair));
                    }
                }
            },
            positions, std::ssize(kernel.frequencies), DType::float64};
}

/// What a kernel rounds, as a word of --rounded, and to which format.
struct Rounding {
    std::string_view of;
    DType format;
};

std::vector<Rounding> roundings_of(const RotaryKernel& kernel) {
    std::vector<Rounding> all;
    const std::optional<RoundedCount> count = rounding_of(kernel.list);
    if (count) all.push_back({"positions", count->format});
    if (kernel.frequency_format) all.push_back({"frequencies", *kernel.frequency_format});
    if (kernel.angle_format) all.push_back({"angles", *kernel.angle_format});
    return all;
}

/// True if the settings are a yarn scaling that has no effect except its attention factor.
bool is_plain_scaling(const RotaryKernel& kernel) {
    const auto has = [&](std::string_view name, std::string_view value) {
        return std::ranges::any_of(kernel.settings, [&](const Setting& setting) {
            return setting.name == name && setting.value == value;
        });
    };
    return has("scaling", "yarn") && has("factor", "1");
}

/// Rows whose positions have one step.
struct Run {
    std::int64_t first = 0;
    std::int64_t count = 1;
    double start = 0;
    double step = 1;
};

std::vector<Run> runs_of(const std::vector<double>& positions) {
    std::vector<Run> runs;
    const std::int64_t rows = std::ssize(positions);
    const auto step_at = [&](std::int64_t row) { return positions[row + 1] - positions[row]; };
    for (std::int64_t row = 0; row < rows; row += runs.back().count) {
        Run run{.first = row, .start = positions[row]};
        if (row + 1 < rows) run.step = step_at(row);
        while (row + run.count < rows && step_at(row + run.count - 1) == run.step) ++run.count;
        // Two rows are no run if the second one begins a longer run.
        if (run.count == 2 && row + 3 < rows && step_at(row + 1) == step_at(row + 2)) run.count = 1;
        runs.push_back(run);
    }
    return runs;
}

std::string text_of(const Run& run) {
    const std::string rows =
        run.count == 1 ? fmt::format("in row {}", run.first)
                       : fmt::format("in rows {} to {}", run.first, run.first + run.count - 1);
    const std::string start = shortest(run.start);
    if (run.count == 1 || run.step == 0) return fmt::format("are {} {}", start, rows);
    if (run.step == 1) return fmt::format("count from {} {}", start, rows);
    if (run.step == -1) return fmt::format("count down from {} {}", start, rows);
    return fmt::format("go from {} in steps of {} {}", start, shortest(run.step), rows);
}

std::string position_finding(const RotaryKernel& kernel) {
    const std::vector<double>& list = kernel.list;
    if (list.empty()) {
        if (kernel.step == -1) {
            return fmt::format("Positions count down from {}.", shortest(kernel.start));
        }
        if (kernel.step != 1) {
            return fmt::format("Positions start at {} and are {} apart.", shortest(kernel.start),
                               shortest(kernel.step));
        }
        return kernel.start == 0 ? ""
                                 : fmt::format("Positions start at {}.", shortest(kernel.start));
    }
    const std::string counting = counting_text(list);
    if (rounding_of(list)) {
        return fmt::format("Positions {}. Count them in integers or float32.", counting);
    }
    if (std::ranges::all_of(list, [&](double p) { return p == list.front(); })) {
        return fmt::format("All rows have position {}, as the heads of one token do.",
                           shortest(list.front()));
    }
    if (!counting.empty()) return fmt::format("Positions {}.", counting);
    for (std::size_t row = 1; row < list.size(); ++row) {
        if (list[row] == list[row - 1] + 1) continue;
        return fmt::format(
            "Positions do not count the rows: row {} has position {}, row {} has {}.", row - 1,
            shortest(list[row - 1]), row, shortest(list[row]));
    }
    return "";
}

bool rise(const std::vector<double>& frequencies) {
    return frequencies.size() > 1 && frequencies.front() < frequencies.back();
}

/// Returns a number without an exponent, and any other text as it is.
std::string typed(const std::string& text) {
    const bool is_number = text.find_first_not_of("0123456789.e+-") == text.npos;
    return is_number ? plain(parse_real(text, "value")) : text;
}

std::string options_text(const std::vector<Setting>& settings) {
    std::string text;
    for (const Setting& setting : settings) {
        text += fmt::format(" --{}", setting.name);
        if (setting.value != "true") text += " " + typed(setting.value);
    }
    return text;
}

}  // namespace

std::string twice_text(double attention_factor, double scaling) {
    const double once = 0.1 * std::log(scaling) + 1;
    constexpr double close = 1e-5;
    if (!(scaling > 1) || !(std::fabs(attention_factor / (once * once) - 1) <= close)) return "";
    return fmt::format("the attention factor {} is {:.5g}, YaRN's for factor {}, applied twice",
                       shortest(attention_factor), once, shortest(scaling));
}

std::optional<RoundedCount> rounding_of(const std::vector<double>& positions) {
    const auto has_step = [&](auto&& is_such) {
        return std::ranges::adjacent_find(positions, [&](double a, double b) {
                   return is_such(b - a);
               }) != positions.end();
    };
    // Positions that repeat for another reason, such as positions of one token or clamped
    // positions, leave no position out.
    const bool is_uneven = has_step([](double step) { return step == 0; }) &&
                           has_step([](double step) { return step > 1; });
    constexpr double largest = 0x1p24;
    if (!is_uneven || std::fabs(positions.front()) > largest) return {};
    for (const DType format : {DType::bfloat16, DType::float16}) {
        const auto are_rounded = [&](double exact) {
            return std::ranges::all_of(
                positions, [&](double position) { return position == rounded(exact++, format); });
        };
        double first = positions.front();
        while (rounded(first - 1, format) == positions.front()) --first;
        for (; rounded(first, format) == positions.front(); ++first) {
            if (are_rounded(first)) return RoundedCount{format, first};
        }
    }
    return {};
}

double RotaryKernel::angle(double position, std::size_t pair) const {
    if (!angle_format) return position * frequencies[pair];
    const float product = static_cast<float>(position) * static_cast<float>(frequencies[pair]);
    return rounded(product, *angle_format);
}

Positions RotaryKernel::positions(std::int64_t count) const {
    return list.empty() ? Positions(start, step, count) : Positions(list);
}

bool RotaryKernel::has_command() const {
    const std::vector<Rounding> roundings = roundings_of(*this);
    const bool has_one_format =
        !table_format && std::ranges::all_of(roundings, [&](const Rounding& rounding) {
            return rounding.format == roundings.front().format;
        });
    const bool is_typed = list.empty() || rounding_of(list) || !position_list_text(list).empty();
    return convention.is_rotation() && convention.first == 0 && !is_exchanged && has_one_format &&
           is_typed && (!convention.reads_neighbours || convention.pairing == rows::Pairing::half);
}

KernelWaves waves_of(const RotaryKernel& kernel, std::int64_t positions) {
    KernelWaves waves;
    if (kernel.frequency_format || kernel.angle_format) {
        waves = {own_rows(kernel, positions, [](double angle) { return std::cos(angle); }),
                 own_rows(kernel, positions, [](double angle) { return std::sin(angle); })};
    } else {
        const Parameters parameters = parameters_of(kernel, positions);
        waves = {engine_rows("cos", parameters), engine_rows("sin", parameters)};
    }
    if (kernel.is_inverse) {
        waves.sin = changed(std::move(waves.sin), [](double value) { return -value; });
    }
    if (kernel.is_exchanged) std::swap(waves.cos, waves.sin);
    return waves;
}

std::string counting_text(const std::vector<double>& positions) {
    if (positions.empty()) return "";
    if (const std::optional<RoundedCount> count = rounding_of(positions)) {
        double exact = positions.front();
        while (rounded(exact, count->format) == exact) ++exact;
        return fmt::format("are rounded to {}: {} is {}", info(count->format).name, shortest(exact),
                           shortest(rounded(exact, count->format)));
    }
    const std::vector<Run> runs = runs_of(positions);
    constexpr std::size_t few = 4;
    if (runs.size() < 2) return "";
    if (runs.size() <= few) {
        std::vector<std::string> parts;
        for (const Run& run : runs) parts.push_back(text_of(run));
        return joined(parts, ", ");
    }
    const Run& first = runs.front();
    const bool is_periodic = std::all_of(runs.begin(), runs.end() - 1, [&](const Run& run) {
        return run.count == first.count && run.start == first.start && run.step == first.step;
    });
    if (is_periodic) {
        return fmt::format("start again from {} every {} rows", shortest(first.start), first.count);
    }
    const bool are_sequences = std::ranges::all_of(runs, [&](const Run& run) {
        return run.start == first.start && (run.step == first.step || run.count == 1);
    });
    if (are_sequences) {
        std::vector<std::int64_t> rows;
        for (std::size_t i = 1; i <= few; ++i) rows.push_back(runs[i].first);
        return fmt::format("start again from {} in {} rows: {}{}", shortest(first.start),
                           runs.size() - 1, joined(rows, ", "),
                           runs.size() > few + 1 ? ", ..." : "");
    }
    return "";
}

std::vector<std::string> command_of(const RotaryKernel& kernel, const std::string& path,
                                    std::int64_t channels, std::optional<int> position_axis) {
    const Convention& convention = kernel.convention;
    std::vector<std::string> words{"pe-gen", "apply", "rope", "--x", path};
    const auto add = [&](std::string_view name, const std::string& value) {
        words.push_back(fmt::format("--{}", name));
        words.push_back(value);
    };
    // Channels that are read as neighbours are rotated as neighbours before they are put into
    // halves.
    const bool is_interleaved =
        convention.pairing == rows::Pairing::interleaved || convention.reads_neighbours;
    if (is_interleaved) add("pairing", "interleaved");
    if (convention.dim != channels) add("rotary-dim", fmt::format("{}", convention.dim));
    for (const Setting& setting : kernel.settings) {
        if (setting.value == "true") {
            words.push_back(fmt::format("--{}", setting.name));
        } else {
            add(setting.name, typed(setting.value));
        }
    }
    const bool is_negative = kernel.is_inverse && kernel.factor != 1;
    RotaryKernel turned = kernel;
    if (is_negative) {
        // The positions are negated instead, because --inverse would undo the factor, too.
        turned.start = kernel.start == 0 ? 0 : -kernel.start;
        turned.step = -kernel.step;
        for (double& position : turned.list) position = -position;
    }
    const std::vector<Rounding> roundings = roundings_of(turned);
    if (const std::optional<RoundedCount> count = rounding_of(turned.list)) {
        turned.list.clear();
        turned.start = count->first;
    }
    if (!roundings.empty()) {
        add("arith", std::string(info(roundings.front().format).name));
        std::vector<std::string_view> what;
        for (const Rounding& rounding : roundings) what.push_back(rounding.of);
        constexpr std::size_t all = 3;
        if (what.size() < all) add("rounded", joined(what, "-"));
    }
    for (const Setting& setting : position_settings(turned)) {
        add(setting.name, setting.value);
    }
    if (kernel.is_inverse && !is_negative) words.emplace_back("--inverse");
    if (position_axis) add("position-axis", fmt::format("{}", *position_axis));
    return words;
}

std::string angles_command(const RotaryKernel& kernel) {
    return fmt::format("pe-gen rope --d {}{}", kernel.convention.dim,
                       options_text(kernel.settings));
}

std::vector<std::string> findings_of(const RotaryKernel& kernel, std::int64_t channels) {
    std::vector<std::string> sentences = oddities_of(kernel.convention, channels);
    if (kernel.is_exchanged) {
        sentences.emplace_back("cos and sin are exchanged: x[a] sin - x[b] cos.");
    }
    if (kernel.is_inverse) {
        sentences.emplace_back(
            "sin has the wrong sign: pairs turn by the negative angles, as when the rotation is "
            "undone, or when the arrays before and after are exchanged.");
    }
    if (const std::string finding = position_finding(kernel); !finding.empty()) {
        sentences.push_back(finding);
    }
    sentences.insert(sentences.end(), kernel.findings.begin(), kernel.findings.end());
    if (kernel.frequency_format) {
        sentences.push_back(fmt::format(
            "The frequencies are rounded to {}, as if the buffer inv_freq had been cast with the "
            "model; keep it in float32.",
            info(*kernel.frequency_format).name));
    }
    if (kernel.angle_format) {
        sentences.push_back(
            fmt::format("The angles, positions times frequencies, are rounded to {}, as under "
                        "autocast; compute them in float32.",
                        info(*kernel.angle_format).name));
    }
    if (rise(kernel.frequencies)) {
        const double fastest = kernel.step * kernel.frequencies.back();
        const bool are_reversed = kernel.list.empty() && std::fabs(fastest - 1) < 1e-4;
        sentences.push_back(fmt::format("The frequencies rise from pair to pair{}.",
                                        are_reversed ? ": they are reversed" : ""));
    }
    if (kernel.table_format) {
        sentences.push_back(fmt::format("cos and sin are rounded to {} before they are used.",
                                        info(*kernel.table_format).name));
    }
    if (kernel.factor != 1) {
        sentences.push_back(
            fmt::format("Rotated channels are multiplied by {}.", shortest(kernel.factor)));
        for (const Setting& setting : kernel.settings) {
            if (setting.name != "factor") continue;
            std::string twice = twice_text(kernel.factor, parse_real(setting.value, "factor"));
            if (twice.empty()) continue;
            twice.front() = 'T';
            sentences.push_back(twice + ".");
        }
        if (kernel.has_command() && is_plain_scaling(kernel)) {
            sentences.emplace_back(
                "This is plain scaling, such as that of a softmax: the command says it as the "
                "attention factor of a yarn that changes no frequency.");
        }
    }
    if (!kernel.has_command() && !kernel.frequency_format && !kernel.angle_format) {
        const bool is_typed = kernel.list.empty() || !position_list_text(kernel.list).empty();
        sentences.push_back(fmt::format(
            "The angles are those of {}{}.", angles_command(kernel),
            is_typed ? options_text(position_settings(kernel)) : " at the rows' positions"));
    }
    return sentences;
}

}  // namespace pegen::recognition
