#include "encodings/rotary/sequence_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "encodings/rotary/token_sequence.h"

namespace pegen::encodings {
namespace {

using Tokens = std::span<const TokenPosition>;

TokenPosition all_at(std::int64_t position) { return {position, position, position}; }

bool has(const Segment& segment, Tokens tokens) {
    if (segment.tokens() > std::ssize(tokens)) return false;
    for (std::int64_t token = 0; token < segment.tokens(); ++token) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::int64_t position = segment.position(token, axis);
            if (tokens[static_cast<std::size_t>(token)][axis] != position) return false;
        }
    }
    return true;
}

/// Returns the text or the grid that begins at `start`; none if neither does.
std::optional<Segment> segment_at(Tokens tokens, std::int64_t start) {
    if (tokens.front() != all_at(start)) return std::nullopt;
    const auto count = std::ssize(tokens);
    std::int64_t columns = 1, rows = 1, frames = 1;
    const auto at = [&](std::int64_t token) -> const TokenPosition& {
        return tokens[static_cast<std::size_t>(token)];
    };
    while (columns < count && at(columns) == TokenPosition{start, start, start + columns}) {
        ++columns;
    }
    while ((rows + 1) * columns <= count &&
           at(rows * columns) == TokenPosition{start, start + rows, start}) {
        ++rows;
    }
    const std::int64_t area = rows * columns;
    while ((frames + 1) * area <= count &&
           at(frames * area) == TokenPosition{start + frames, start, start}) {
        ++frames;
    }
    Segment segment{false, start, {frames, rows, columns}};
    if (segment.tokens() == 1) {
        std::int64_t length = 1;
        while (length < count && at(length) == all_at(start + length)) ++length;
        // The last of them begins a grid if the next token does not go on as text.
        if (length > 1 && length < count && at(length)[0] < start + length) --length;
        segment = {true, start, {1, 1, length}};
    }
    if (!has(segment, tokens)) return std::nullopt;
    return segment;
}

std::string text_of(const Segment& segment) {
    const auto [frames, rows, columns] = segment.extents;
    if (segment.is_text) return fmt::format("text:{}", columns);
    if (frames == 1) return fmt::format("image:{}x{}", rows, columns);
    return fmt::format("video:{}x{}x{}", frames, rows, columns);
}

}  // namespace

std::optional<SequenceText> sequence_of(const std::vector<TokenPosition>& tokens) {
    SequenceText text;
    std::int64_t start = 0, start_behind_grid = 0;
    for (Tokens rest(tokens); !rest.empty();) {
        std::optional<Segment> segment = segment_at(rest, start);
        if (!segment && start_behind_grid != start) {
            if (text.next == "max") return std::nullopt;
            text.next = "grid";
            segment = segment_at(rest, start_behind_grid);
        } else if (segment && start_behind_grid != start) {
            if (text.next == "grid") return std::nullopt;
            text.next = "max";
        }
        if (!segment) return std::nullopt;
        text.sequence += (text.sequence.empty() ? "" : ",") + text_of(*segment);
        const auto [frames, rows, columns] = segment->extents;
        start_behind_grid = segment->start + std::max(rows, columns);
        start = std::max(start_behind_grid, segment->start + frames);
        rest = rest.subspan(static_cast<std::size_t>(segment->tokens()));
    }
    if (text.sequence.empty()) return std::nullopt;
    return text;
}

}  // namespace pegen::encodings
