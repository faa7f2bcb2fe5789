#include "encodings/choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/cell.h"
#include "encodings/parameters/shared.h"
#include "rows/arranged.h"

namespace pegen {

RowRange parse_range(std::string_view text, std::int64_t extent, std::string_view option) {
    const std::vector<std::string_view> ends = fields(text, ':');
    if (ends.size() != 2) refuse(option, text, "must be FROM:TO");
    const auto end = [&](std::string_view number, std::int64_t usual) {
        const std::int64_t index =
            number.empty() ? usual : parse_integer(number, fmt::format("--{}", option));
        return index < 0 ? index + extent : index;
    };
    const std::int64_t from = end(ends[0], 0), to = end(ends[1], extent);
    if (from < 0 || to > extent || from >= to) {
        const std::string_view indices = option.substr(option.find('-') + 1);  // "rows"
        refuse(option, text, fmt::format("there are {} 0 to {}", indices, extent - 1));
    }
    return {from, to - from};
}

Axis part_of(const Axis& axis, RowRange range) {
    Axis result{.kind = axis.kind, .name = axis.name, .label = axis.label};
    const bool counts = !axis.positions && axis.rows_before == 0 && axis.extents.empty();
    const auto progression = counts           ? Progression{0, 1}
                             : axis.positions ? axis.positions->exact_progression()
                                              : std::optional<Progression>();
    if (!axis.index_names.empty() || axis.kind == AxisKind::head) {
        for (std::int64_t i = 0; i < range.count; ++i) {
            result.index_names.push_back(index_name(axis, range.first + i));
        }
    }
    if (progression && axis.rows_before == 0) {
        const auto [start, step] = *progression;
        const double first = start + step * static_cast<double>(range.first);
        result.positions.emplace(first, step, range.count);
    }
    return result;
}

namespace {

[[noreturn]] void refuse_channels(std::string_view text, std::string_view rule) {
    refuse("keep-channels", text, rule);
}

std::optional<std::int64_t> parse_end(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(parse_integer(text, "--keep-channels"));
}

/// Returns the number of a channel counted from 0; a negative `channel` counts from the end.
std::int64_t from_front(std::int64_t channel, std::int64_t count) {
    return channel < 0 ? channel + count : channel;
}

void add_slice(std::vector<std::int64_t>& channels, std::string_view text, std::int64_t count) {
    const std::vector<std::string_view> parts = fields(text, ':');
    if (parts.size() > 3) refuse_channels(text, "must be FROM:TO or FROM:TO:STEP");
    const std::int64_t step = parts.size() == 3 ? parse_end(parts[2]).value_or(1) : std::int64_t{1};
    if (step == 0) refuse_channels(text, "the step must not be 0");
    const auto from = parse_end(parts[0]), to = parse_end(parts[1]);
    for (const std::optional<std::int64_t>& end : {from, to}) {
        if (end && (*end > count || *end < -count)) {
            refuse_channels(text, fmt::format("there are {} channels", count));
        }
    }
    const std::int64_t last = count - 1;
    if (step > 0) {
        const std::int64_t end = to ? from_front(*to, count) : count;
        for (std::int64_t i = from ? from_front(*from, count) : 0; i < end; i += step) {
            channels.push_back(i);
        }
    } else {
        const std::int64_t end = to ? from_front(*to, count) : -1;
        std::int64_t i = from ? std::min(from_front(*from, count), last) : last;
        for (; i > end; i += step) channels.push_back(i);
    }
}

/// Returns the pairs of which both channels were chosen, as positions in `chosen`. A channel that
/// was chosen more than once has its last position.
std::vector<ChannelPair> chosen_pairs(const std::vector<ChannelPair>& pairs,
                                      const std::vector<std::int64_t>& chosen, std::int64_t count) {
    std::vector<std::int64_t> place(count, -1);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        place[chosen[i]] = static_cast<std::int64_t>(i);
    }
    std::vector<ChannelPair> result;
    for (const auto& [first, second] : pairs) {
        const ChannelPair pair{place[first], place[second]};
        if (pair.first >= 0 && pair.second >= 0) result.push_back(pair);
    }
    return result;
}

/// Returns the first position of a channel in `chosen`; nothing if the channel was not chosen.
std::optional<std::int64_t> place_of(std::int64_t channel,
                                     const std::vector<std::int64_t>& chosen) {
    const auto found = std::ranges::find(chosen, channel);
    if (found == chosen.end()) return std::nullopt;
    return found - chosen.begin();
}

/// Returns the cell of the chosen channel number index.back().
Cell chosen_cell(const std::function<Cell(std::span<const std::int64_t>)>& cell_of,
                 const std::vector<std::int64_t>& chosen, std::span<const std::int64_t> index) {
    std::vector<std::int64_t> before(index.begin(), index.end());
    before.back() = chosen[index.back()];
    Cell cell = cell_of(before);
    if (cell.partner) cell.partner = place_of(*cell.partner, chosen);
    return cell;
}

}  // namespace

std::vector<std::int64_t> parse_channels(std::string_view text, std::int64_t count) {
    std::vector<std::int64_t> channels;
    for (const std::string_view part : fields(text, ',')) {
        const std::size_t times = part.find('x');
        const std::string_view choice = part.substr(0, times);
        std::vector<std::int64_t> some;
        if (choice.find(':') != choice.npos) {
            add_slice(some, choice, count);
        } else {
            const std::int64_t channel = parse_integer(choice, "--keep-channels");
            if (channel >= count || channel < -count) {
                refuse_channels(choice, fmt::format("there are {} channels", count));
            }
            some.push_back(from_front(channel, count));
        }
        const std::string_view after = times == part.npos ? "1" : part.substr(times + 1);
        if (after.empty()) refuse_channels(part, "needs a number after the x, as in 0:16x2");
        const std::int64_t copies = parse_integer(after, "--keep-channels");
        if (copies < 1) refuse_channels(part, "each channel must be there at least once, x1");
        const std::int64_t most = encodings::most_channels - std::ssize(channels);
        if (copies > most || std::ssize(some) > most / copies) {
            refuse_channels(text, "must be at most 2^20 of them");
        }
        for (const std::int64_t channel : some) channels.insert(channels.end(), copies, channel);
    }
    if (channels.empty()) refuse_channels(text, "there is none of them");
    return channels;
}

std::string channels_text(const std::vector<std::int64_t>& channels) {
    std::string text;
    const auto copies_at = [&](std::size_t i) {
        return std::ranges::find_if(channels.begin() + i, channels.end(),
                                    [&](std::int64_t other) { return other != channels[i]; }) -
               (channels.begin() + i);
    };
    for (std::size_t begin = 0, end = 0; begin < channels.size(); begin = end) {
        const std::int64_t copies = copies_at(begin);
        end = begin + copies;
        while (end < channels.size() && channels[end] == channels[end - 1] + 1 &&
               copies_at(end) == copies) {
            end += copies;
        }
        text += fmt::format("{}{}:{}{}", text.empty() ? "" : ",", channels[begin],
                            channels[end - 1] + 1, copies > 1 ? fmt::format("x{}", copies) : "");
    }
    return text;
}

std::optional<std::string> channel_choice(const Parameters& parameters) {
    for (const Parameters::Entry& entry : parameters.entries()) {
        if (entry.spec->name != encodings::keep_channels_parameter.name) continue;
        if (const auto* text = std::get_if<std::string>(&entry.value)) return *text;
    }
    return {};
}

Parameters without_channel_choice(Parameters parameters) {
    if (channel_choice(parameters)) {
        parameters.resolve(encodings::keep_channels_parameter.name, Value());
    }
    return parameters;
}

Plan with_chosen_channels(Plan plan) {
    const std::optional<std::string> choice = channel_choice(plan.parameters);
    const std::optional<int> axis = find_axis(plan.axes, AxisKind::channel);
    if (!choice || !axis) return plan;
    if (*axis + 1 != plan.shape.rank()) {
        refuse_channels(*choice, "the channels must be the last axis; use --view tokens");
    }
    plan.terms = terms_of(plan);
    const std::int64_t count = plan.shape[*axis];
    std::vector<std::int64_t> chosen = parse_channels(*choice, count);
    std::vector<std::int64_t> extents = plan.shape.extents();
    extents.back() = std::ssize(chosen);
    plan.shape = Shape(std::move(extents));
    plan.pairs = [pairs = std::move(plan.pairs), chosen, count] {
        return pairs ? chosen_pairs(pairs(), chosen, count) : std::vector<ChannelPair>{};
    };
    if (plan.cell) {
        plan.cell = [cell = std::move(plan.cell), chosen](std::span<const std::int64_t> index) {
            return chosen_cell(cell, chosen, index);
        };
    }
    plan.make_rows = [make_rows = std::move(plan.make_rows), chosen = std::move(chosen)](
                         DType dtype) { return rows::chosen_columns(make_rows(dtype), chosen); };
    return plan;
}

}  // namespace pegen
