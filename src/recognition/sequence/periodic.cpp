#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "recognition/evidence/lone_wave.h"
#include "recognition/evidence/proposal.h"
#include "recognition/evidence/sample.h"
#include "recognition/evidence/wave_table.h"
#include "recognition/parameters/position_proposals.h"

namespace pegen::recognition {
namespace {

using evidence::WaveSteps;
using evidence::WaveTable;

constexpr std::int64_t most_rows = 4096;

/// Returns the possible start and step of the angle, from the sines and cosines in two columns.
std::vector<WaveTable> tables_of_both(const Sample& array) {
    std::vector<std::int64_t> rows(std::min(array.leading, most_rows));
    std::iota(rows.begin(), rows.end(), 0);
    const std::vector<evidence::WaveColumns> columns{{.sine = 0, .cosine = 1}};
    return evidence::wave_tables(array, rows, columns);
}

/// Returns the possible start and step of the angle, rising or falling, from the sines or cosines
/// in one column.
std::vector<WaveTable> tables_of_one(const Sample& array, bool is_sine) {
    std::vector<double> values = array.values, errors;
    if (std::ssize(values) > most_rows) values.resize(most_rows);
    for (const double value : values) errors.push_back(array.error_of(value));
    const auto wave = evidence::lone_wave(values, errors, {.amplitude = 1});
    if (!wave) return {};
    constexpr double pi = std::numbers::pi;
    const double shift = is_sine ? 0 : pi / 2;
    std::vector<WaveTable> tables;
    for (const double sign : {1.0, -1.0}) {
        const double phase =
            sign > 0 ? wave->phase.value - shift : (is_sine ? pi : shift) - wave->phase.value;
        WaveTable table{.circle = {}, .log_ratio = {}, .steps = {}};
        table.steps = WaveSteps{{evidence::wrapped(phase), wave->phase.error},
                                {sign * wave->advance.value, wave->advance.error}};
        tables.push_back(std::move(table));
    }
    return tables;
}

constexpr std::array usual_alphas{10.0, 1.0,   2.0,    5.0, 20.0, 30.0,
                                  50.0, 100.0, 1000.0, 0.1, 0.5,  7.5};
constexpr std::array usual_steps{1.0,  2.0,   3.0,    4.0, 5.0,  10.0,
                                 50.0, 100.0, 1000.0, 0.1, 0.25, 0.5};
constexpr std::array usual_starts{0.0,  1.0,   2.0,   3.0,    4.0,   5.0,    10.0,
                                  50.0, 100.0, 500.0, 1000.0, 512.0, 1024.0, 10000.0,
                                  0.5,  -0.5,  -1.0,  -2.0,   -5.0,  -10.0};

/// True if the angle agrees with the measured angle up to whole turns. `share` is the relative
/// error of the angle.
bool is_seen_as(double angle, const Measured& measured, double share) {
    const double off = std::remainder(angle - measured.value, 2 * std::numbers::pi);
    return std::fabs(off) <= measured.error + share * std::fabs(angle);
}

/// Adds the proposals of usual numbers that make these steps. Several may agree, since angles are
/// known only modulo whole turns.
void add_usual(std::vector<Proposal>& proposals, const Sample& array, const WaveSteps& steps,
               const std::string& function) {
    const double share = array.precision.digits > 24 ? 0x1p-48 : 0x1p-22;
    const auto last = static_cast<double>(array.extents[0] - 1);
    for (const bool is_reversed : {false, true}) {
        const Measured first = is_reversed ? Measured{steps.start.value + last * steps.step.value,
                                                      steps.start.error + last * steps.step.error}
                                           : steps.start;
        const Measured advance{is_reversed ? -steps.step.value : steps.step.value,
                               steps.step.error};
        for (const double alpha : usual_alphas) {
            for (const double step : usual_steps) {
                if (!is_seen_as(step / alpha, advance, share)) continue;
                for (const double start : usual_starts) {
                    if (!is_seen_as(start / alpha, first, share)) continue;
                    Proposal proposal{.settings = {{"len", fmt::format("{}", array.extents[0])},
                                                   {"alpha", fmt::format("{}", alpha)},
                                                   {"function", function},
                                                   {"start", fmt::format("{}", start)},
                                                   {"step", fmt::format("{}", step)},
                                                   {"reverse", is_reversed ? "true" : "false"}}};
                    proposal.angle = [=](std::int64_t row, std::int64_t) {
                        const auto r = static_cast<double>(row);
                        return (start + step * (is_reversed ? last - r : r)) / alpha;
                    };
                    proposals.push_back(std::move(proposal));
                }
            }
        }
    }
}

/// Replaces --freq-scale by its inverse, --alpha, or adds an --alpha of 1. False if the inverse is
/// no simple number.
bool put_alpha(std::vector<Setting>& settings) {
    bool has_factor = false;
    for (Setting& setting : settings) {
        if (setting.name != "freq-scale") continue;
        has_factor = true;
        if (setting.value.find("pi") != std::string::npos) return false;
        const double factor = std::stod(setting.value);
        const double error = factor * 1e-7;
        const auto numbers = evidence::simple_numbers({1 / factor, error / factor / factor}, 1);
        if (numbers.empty() || !(numbers.front().value > 0)) return false;
        setting = {"alpha", numbers.front().text};
    }
    if (!has_factor) settings.push_back({"alpha", "1"});
    return true;
}

void add_proposals(std::vector<Proposal>& proposals, const Sample& array,
                   const std::vector<WaveTable>& tables, const std::string& function) {
    for (const WaveTable& table : tables) {
        if (table.steps) add_usual(proposals, array, *table.steps, function);
    }
    for (const WaveTable& table : tables) {
        for (PricedSettings& priced : position_proposals(table, array.extents[0])) {
            if (!put_alpha(priced.settings)) continue;
            priced.settings.push_back({"function", function});
            const std::size_t columns = array.rank() == 2 ? array.extents[1] : 1;
            proposals.push_back(
                {.settings = std::move(priced.settings),
                 .angle = evidence::wave_angle(table, 0, std::vector<std::int64_t>(columns, 0))});
        }
    }
}

}  // namespace

std::vector<Proposal> recognize_periodic(const Sample& array) {
    if (!is_floating(array.table.dtype)) return {};
    std::vector<Proposal> proposals;
    if (array.rank() == 2 && array.extents[1] == 2) {
        add_proposals(proposals, array, tables_of_both(array), "both");
    } else if (array.rank() == 1) {
        add_proposals(proposals, array, tables_of_one(array, true), "sin");
        add_proposals(proposals, array, tables_of_one(array, false), "cos");
    }
    return proposals;
}

}  // namespace pegen::recognition
