#include "encodings/images/grid_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/parameters/grid_axes.h"
#include "encodings/parameters/shared.h"

namespace pegen::encodings {

numerics::ChannelLayout layout_of(const GridNesting& nesting, char axis) {
    const std::size_t rank = nesting.axes.find(axis);
    const std::int64_t pairs = nesting.channels[rank] / 2;
    const auto step = [&](char digit) {
        return stride(nesting.order, digit, std::ssize(nesting.axes), pairs);
    };
    std::int64_t first = 0;
    for (std::size_t before = 0; before < rank; ++before) {
        first += nesting.order.front() == 'a' ? nesting.channels[before] : step('a');
    }
    return numerics::strided(nesting.d, first, {step('k'), step('f')}, pairs, nesting.first);
}

namespace {

// Up to this number of parts, sums of shares are exact.
constexpr std::int64_t most_parts = 1000;

/// A share of numerator / denominator channels.
struct Share {
    std::int64_t numerator;
    std::int64_t denominator;

    bool is_rest() const { return denominator == 0; }
    bool is_even() const { return numerator % (2 * denominator) == 0; }
    std::int64_t even_below() const { return 2 * (numerator / (2 * denominator)); }
    std::int64_t even_above() const {
        return 2 * ((numerator + 2 * denominator - 1) / (2 * denominator));
    }
};

std::int64_t parse_count(std::string_view text, std::int64_t most, const GridSplit& split) {
    const std::int64_t count = parse_integer(text, "--split");
    if (count < 0 || count > most) {
        refuse("split", split.shares, fmt::format("{} must be between 0 and {}", text, most));
    }
    return count;
}

/// The share of an axis that gets the channels left by the other axes; a marker, not a number.
constexpr Share rest{0, 0};

Share parse_share(std::string_view text, const GridSplit& split) {
    if (text == "rest") return rest;
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return {parse_count(text, most_channels, split), 1};
    const std::int64_t denominator = parse_count(text.substr(slash + 1), most_parts, split);
    if (denominator == 0)
        refuse("split", split.shares, fmt::format("{} is not a part of anything", text));
    return {parse_count(text.substr(0, slash), most_parts, split) * split.d, denominator};
}

std::vector<Share> parse_shares(const GridSplit& split) {
    const auto axes = static_cast<std::size_t>(split.axes);
    if (split.shares == "equal") return std::vector<Share>(axes, {split.d, split.axes});
    const std::vector<std::string_view> texts = fields(split.shares, ',');
    if (texts.size() != axes || std::ranges::count(texts, "") > 0) {
        refuse(
            "split", split.shares,
            fmt::format("must be equal, or {} numbers such as {}: of channels, or parts "
                        "of d, for {}height and width",
                        axes, axes == 3 ? "1/2,1/4,1/4" : "1/4,3/4", axes == 3 ? "depth, " : ""));
    }
    std::vector<Share> shares;
    for (const std::string_view text : texts) shares.push_back(parse_share(text, split));
    return shares;
}

void check_sum(const std::vector<Share>& shares, const GridSplit& split) {
    std::int64_t common = 1, sum = 0;
    for (const Share& share : shares) common *= share.denominator;
    for (const Share& share : shares) sum += share.numerator * (common / share.denominator);
    if (sum == split.d * common) return;
    refuse("split", split.shares,
           fmt::format("adds up to {:g} channels, but --d is {}",
                       static_cast<double>(sum) / static_cast<double>(common), split.d));
}

[[noreturn]] void refuse_uneven(const GridSplit& split) {
    if (split.shares != "equal") {
        refuse("split", split.shares,
               fmt::format("every axis must get an even number of the {} channels with --odd "
                           "error; use another --split or --d, or --odd zero-pad",
                           split.d));
    }
    const std::int64_t unit = 2 * split.axes;
    const std::int64_t below = split.d / unit * unit;
    throw UsageError(
        fmt::format("--d {}: must be a multiple of {} with --odd error; use {}{} or --odd zero-pad",
                    split.d, unit, below > 0 ? fmt::format("{}, ", below) : "", below + unit));
}

/// Returns the channels of each axis if one share is the rest. The other shares are rounded down to
/// even numbers, whatever --odd says.
std::vector<std::int64_t> channels_beside_rest(const std::vector<Share>& shares,
                                               const GridSplit& split) {
    std::int64_t left = split.d;
    for (const Share& share : shares) left -= share.is_rest() ? 0 : share.even_below();
    if (left < 0 || left % 2 != 0 || std::ranges::count_if(shares, &Share::is_rest) > 1) {
        refuse("split", split.shares,
               fmt::format("must have one rest, an even number of the {} channels", split.d));
    }
    std::vector<std::int64_t> channels;
    for (const Share& share : shares) {
        channels.push_back(share.is_rest() ? left : share.even_below());
    }
    return channels;
}

}  // namespace

std::vector<std::int64_t> channels_of_axes(const GridSplit& split) {
    const std::vector<Share> shares = parse_shares(split);
    if (std::ranges::any_of(shares, &Share::is_rest)) return channels_beside_rest(shares, split);
    check_sum(shares, split);
    std::vector<std::int64_t> channels;
    for (const Share& share : shares) {
        if (split.odd == "error" && !share.is_even()) refuse_uneven(split);
        channels.push_back(split.odd == "round-up" ? share.even_above() : share.even_below());
    }
    return channels;
}

}  // namespace pegen::encodings
