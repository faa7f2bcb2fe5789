#include "encodings/sequence/sinusoid_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/number.h"
#include "core/to_size.h"

namespace pegen::encodings {
namespace {

using evidence::Measured;
using evidence::Sample;
using evidence::Setting;
using evidence::WaveTable;

bool is_zero_row(const Sample& array, std::int64_t row, std::int64_t channels) {
    const auto begin = array.values.begin() + row * channels;
    return std::all_of(begin, begin + channels, [](double value) { return value == 0; });
}

/// The table with its first row one earlier.
WaveTable with_row_before(WaveTable table) {
    if (table.steps) {
        Measured& start = table.steps->start;
        start.value -= table.steps->step.value;
        start.error += table.steps->step.error;
    } else {
        table.positions.insert(table.positions.begin(), Measured{0, 0});
    }
    return table;
}

/// Returns the position of a row as the settings have it; none if it is not in them.
std::optional<double> position_of(const std::vector<Setting>& settings, std::int64_t row,
                                  std::int64_t rows) {
    double start = 0, step = 1;
    bool is_reversed = false;
    for (const Setting& setting : settings) {
        if (setting.name == "positions") return std::nullopt;
        if (setting.name == "start") start = parse_real(setting.value, setting.name);
        if (setting.name == "step") step = parse_real(setting.value, setting.name);
        if (setting.name == "reverse") is_reversed = true;
    }
    return start + step * static_cast<double>(is_reversed ? rows - 1 - row : row);
}

/// Puts a position that no other row has into a list, in the place of the row of zeros.
std::string with_unused_position(std::string& list, std::int64_t row) {
    std::vector<std::string> items;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        items.push_back(list.substr(begin, end - begin));
        begin = end + 1;
    }
    std::int64_t unused = 0;
    items[to_size(row)].clear();
    while (std::ranges::find(items, fmt::format("{}", unused)) != items.end()) ++unused;
    items[to_size(row)] = fmt::format("{}", unused);
    list = fmt::format("{}", fmt::join(items, ","));
    return items[to_size(row)];
}

bool has_fraction_in_list(const PricedSettings& priced) {
    return std::ranges::any_of(priced.settings, [](const evidence::Setting& setting) {
        return setting.name == "positions" &&
               setting.value.find_first_of(".e") != std::string::npos;
    });
}

}  // namespace

SinusoidRows sinusoid_rows_of(const Sample& array) {
    SinusoidRows rows{.count = array.rank() == 1 ? 1 : array.extents[0],
                      .channels = array.extents.back()};
    const std::int64_t in_memory = array.rank() == 1 ? 1 : array.leading;
    for (std::int64_t row = 0; row < in_memory; ++row) {
        const bool is_zero = is_zero_row(array, row, rows.channels);
        if (is_zero && rows.others.empty()) {
            ++rows.zeros_in_front;
            continue;
        }
        if (is_zero && !rows.zero_row) rows.zero_row = row - rows.zeros_in_front;
        rows.others.push_back(row);
    }
    return rows;
}

bool has_constant_end(const evidence::Sample& array, const SinusoidRows& rows) {
    std::optional<double> last;
    for (std::size_t i = 0; i < rows.others.size(); ++i) {
        if (rows.zero_row == static_cast<std::int64_t>(i)) continue;
        const double value = array.values[to_size((rows.others[i] + 1) * rows.channels - 1)];
        if (last && *last != value) return false;
        last = value;
    }
    return true;
}

std::vector<PricedSettings> row_proposals(const WaveTable& table, const SinusoidRows& rows) {
    std::vector<PricedSettings> options;
    // A single row of zeros may be the position of --zero-row, or be in front.
    struct Zeros {
        std::int64_t in_front;
        std::optional<std::int64_t> row;
    };
    std::vector<Zeros> choices{{rows.zeros_in_front, rows.zero_row}};
    if (rows.zeros_in_front > 0 && !rows.zero_row) {
        choices.push_back({rows.zeros_in_front - 1, 0});
    }
    for (const Zeros& zeros : choices) {
        const bool is_extended = zeros.in_front < rows.zeros_in_front;
        const WaveTable positions = is_extended ? with_row_before(table) : table;
        const std::int64_t count = rows.count - zeros.in_front;
        for (PricedSettings& settings : position_proposals(positions, count)) {
            // A list of any numbers explains any angles of a single pair.
            if (!table.log_ratio && has_fraction_in_list(settings)) continue;
            if (zeros.in_front > 0) {
                settings.settings.push_back({"prefix-rows", fmt::format("{}", zeros.in_front)});
                settings.bits += 6;
            }
            if (zeros.row) {
                const auto position = position_of(settings.settings, *zeros.row, count);
                std::string text;
                if (!position) {
                    for (Setting& setting : settings.settings) {
                        if (setting.name == "positions") {
                            text = with_unused_position(setting.value, *zeros.row);
                        }
                    }
                } else if (std::rint(*position) == *position && std::fabs(*position) < 0x1p53) {
                    text = fmt::format("{}", static_cast<std::int64_t>(*position));
                }
                if (text.empty()) continue;
                settings.settings.push_back({"zero-row", text});
                settings.bits += 6;
            }
            options.push_back(std::move(settings));
        }
    }
    return options;
}

}  // namespace pegen::encodings
