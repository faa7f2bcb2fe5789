#include "encodings/sequence/sinusoid_recognition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/to_size.h"
#include "encodings/sequence/sinusoid_channels.h"
#include "encodings/sequence/sinusoid_frequency_lists.h"
#include "encodings/sequence/sinusoid_layouts.h"
#include "encodings/sequence/sinusoid_per_channel.h"
#include "encodings/sequence/sinusoid_proposals.h"
#include "encodings/sequence/sinusoid_rows.h"
#include "encodings/sequence/sinusoid_usual.h"
#include "evidence/simple_number.h"
#include "evidence/wave_table.h"

namespace pegen::encodings {
namespace {

using evidence::Proposal;
using evidence::Sample;
using evidence::Setting;
using evidence::WaveTable;

constexpr std::size_t most_proposals = 36;

/// Adds the channels of a wider table of the usual base that the array may have been cut out of.
void add_cut_channels(std::vector<PricedProposal>& found, const Sample& array,
                      const SinusoidRows& rows, const SinusoidLayout& layout,
                      const WaveTable& table) {
    if (!table.log_ratio || rows.channels % 2 != 0 || rows.channels < 4) return;
    const double log_ratio = table.log_ratio->value;
    const double unit = table.steps ? std::fabs(table.steps->step.value) : 1;
    const double missing = -std::log(unit) / log_ratio;
    std::vector<std::int64_t> firsts{0};
    if (std::fabs(missing - std::rint(missing)) < 0.02 && missing > 0.5 && missing < 4096) {
        firsts.insert(firsts.begin(), std::llrint(missing));
    }
    const double denominator = 2 * std::log(10000.0) / log_ratio;
    const double less = static_cast<double>(rows.channels) - denominator;
    const bool is_uncut = less > -0.02 && less < 2.02;
    if (is_uncut) return;
    for (const double shift : {0.0, 2.0, 1.0}) {
        const double width = denominator + shift;
        const std::int64_t d = std::llrint(width / 2) * 2;
        if (std::fabs(width - static_cast<double>(d)) > 0.02 || d <= rows.channels || d > 65536) {
            continue;
        }
        for (const std::int64_t first : firsts) {
            if (2 * first + rows.channels > d) continue;
            PricedSettings settings = layout_settings(layout, d);
            if (shift != 0)
                settings = joined(settings, priced("denom-shift", shift == 1 ? "1" : "2", 4));
            SinusoidWaves waves{.table = table,
                                .pair_of_channel = layout.pair_of_channel,
                                .channels = {settings},
                                .first_angle = std::exp(log_ratio * static_cast<double>(first))};
            for (std::int64_t c = 0; c < rows.channels; ++c) {
                const std::int64_t pair = first + layout.pair_of_channel[to_size(c)];
                const bool is_second = layout.has_halves ? c >= rows.channels / 2 : c % 2 == 1;
                waves.selected.push_back(layout.has_halves ? pair + (is_second ? d / 2 : 0)
                                                           : 2 * pair + (is_second ? 1 : 0));
            }
            add_proposals(found, array, rows, waves);
        }
    }
}

void add_shared(std::vector<PricedProposal>& found, const Sample& array, const SinusoidRows& rows) {
    const bool is_padded = has_constant_end(array, rows);
    for (const SinusoidLayout& layout : sinusoid_layouts(rows.channels)) {
        const bool is_clear = rows.others.size() > 1 && !layout.odd.empty();
        if (is_clear && is_padded != (layout.odd == "zero-pad")) continue;
        add_usual_numbers(found, array, rows, layout);
        const auto pairs = std::ssize(layout.pairs);
        const auto width = static_cast<double>(layout.width);
        for (const WaveTable& table :
             evidence::wave_tables(array, rows.others, layout.pairs, usual_log_ratios(width))) {
            std::vector<PricedSettings> channels;
            for (const PricedSettings& spacing :
                 spacing_proposals(table.log_ratio, 2, width, pairs)) {
                channels.push_back(joined(layout_settings(layout, rows.channels), spacing));
            }
            add_proposals(found, array, rows,
                          {.table = table,
                           .pair_of_channel = layout.pair_of_channel,
                           .channels = std::move(channels)});
            add_cut_channels(found, array, rows, layout, table);
        }
    }
}

bool has(const std::vector<Setting>& settings, std::string_view name) {
    return std::ranges::find(settings, name, &Setting::name) != settings.end();
}

/// Adds, to the cheapest proposals, the same in float32 arithmetic.
std::vector<Proposal> with_float32(std::vector<Proposal> proposals, const Sample& array) {
    constexpr std::size_t most_in_float32 = 4;
    if (array.precision.digits > 24) return proposals;
    const std::size_t count = proposals.size();
    for (std::size_t i = 0, added = 0; i < count && added < most_in_float32; ++i) {
        const std::vector<Setting>& settings = proposals[i].settings;
        if (has(settings, "standardize")) continue;
        const auto base = std::ranges::find(settings, "base", &Setting::name);
        if (base != settings.end() && evidence::bits_of_number(base->value) > 14) continue;
        for (const char* arith : {"float32", "float32-pow"}) {
            Proposal in_float32 = proposals[i];
            in_float32.settings.push_back({"arith", arith});
            proposals.push_back(std::move(in_float32));
        }
        ++added;
    }
    return proposals;
}

}  // namespace

std::vector<Proposal> recognize_sinusoid(const Sample& array) {
    if (array.rank() > 2 || !is_floating(array.table.dtype)) return {};
    if (array.rank() == 1) {
        std::vector<Proposal> lists = sinusoid_frequency_lists(array);
        if (!lists.empty()) return lists;
    }
    const SinusoidRows rows = sinusoid_rows_of(array);
    if (rows.others.empty() || rows.channels < 2 || rows.channels > 65536) return {};
    std::vector<PricedProposal> found;
    add_shared(found, array, rows);
    if (found.empty() && array.rank() == 2) add_lone(found, array, rows);
    std::size_t most = most_proposals;
    if (found.empty() && array.rank() == 2) {
        add_usual_per_channel(found, array, rows);
        most = 96;
    }
    return with_float32(cheapest(std::move(found), most), array);
}

}  // namespace pegen::encodings
