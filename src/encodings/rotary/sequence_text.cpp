#include "encodings/rotary/sequence_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "encodings/rotary/token_sequence.h"

namespace pegen::encodings {
namespace {

TokenPosition all_at(std::int64_t position) { return {position, position, position}; }

/// The tokens from one on.
struct Tokens {
    const MayStand& may_stand;
    std::int64_t first;
    std::int64_t count;

    bool stands(std::int64_t token, const TokenPosition& position) const {
        return token < count && may_stand(first + token, position);
    }
};

bool has(const Segment& segment, const Tokens& tokens) {
    for (std::int64_t token = 0; token < segment.tokens(); ++token) {
        const TokenPosition position{segment.position(token, 0), segment.position(token, 1),
                                     segment.position(token, 2)};
        if (!tokens.stands(token, position)) return false;
    }
    return true;
}

/// Returns the text or the grid that begins at `start`; none if neither does.
std::optional<Segment> segment_at(const Tokens& tokens, std::int64_t start) {
    if (!tokens.stands(0, all_at(start))) return std::nullopt;
    std::int64_t length = 1;
    while (tokens.stands(length, all_at(start + length))) ++length;
    // The last of them begins a grid if text does not go on.
    if (length > 1 && length < tokens.count) --length;
    if (length > 1 || tokens.count == 1) return Segment{true, start, {1, 1, length}};
    if (tokens.stands(1, all_at(start + 1))) return Segment{true, start, {1, 1, 1}};
    std::int64_t columns = 1, rows = 1, frames = 1;
    while (tokens.stands(columns, {start, start, start + columns})) ++columns;
    while (tokens.stands(rows * columns, {start, start + rows, start})) ++rows;
    const std::int64_t area = rows * columns;
    while (tokens.stands(frames * area, {start + frames, start, start})) ++frames;
    const Segment grid{false, start, {frames, rows, columns}};
    if (grid.tokens() == 1 || !has(grid, tokens)) return std::nullopt;
    return grid;
}

std::string text_of(const Segment& segment) {
    const auto [frames, rows, columns] = segment.extents;
    if (segment.is_text) return fmt::format("text:{}", columns);
    if (frames == 1) return fmt::format("image:{}x{}", rows, columns);
    return fmt::format("video:{}x{}x{}", frames, rows, columns);
}

}  // namespace

std::optional<SequenceText> sequence_of(std::int64_t count, const MayStand& may_stand) {
    SequenceText text;
    std::int64_t start = 0, start_behind_grid = 0;
    for (Tokens rest{may_stand, 0, count}; rest.count > 0;) {
        std::optional<Segment> segment = segment_at(rest, start);
        if (start_behind_grid != start) {
            const std::string_view next = segment ? "max" : "grid";
            if (!text.next.empty() && text.next != next) return std::nullopt;
            text.next = next;
            if (!segment) segment = segment_at(rest, start_behind_grid);
        }
        if (!segment) return std::nullopt;
        if (!text.sequence.empty()) text.sequence += ',';
        text.sequence += text_of(*segment);
        text.has_grid = text.has_grid || !segment->is_text;
        const auto [frames, rows, columns] = segment->extents;
        start_behind_grid = segment->start + std::max(rows, columns);
        start = std::max(start_behind_grid, segment->start + frames);
        rest.first += segment->tokens();
        rest.count -= segment->tokens();
    }
    if (text.sequence.empty()) return std::nullopt;
    return text;
}

}  // namespace pegen::encodings
