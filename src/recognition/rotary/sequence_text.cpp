#include "recognition/rotary/sequence_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "encodings/rotary/token_sequence.h"

namespace pegen::recognition {
namespace {

TokenPosition all_at(std::int64_t position) { return {position, position, position}; }

/// The tokens of a sequence from token `first` on.
struct Tokens {
    const MayStand& may_stand;
    std::int64_t first;
    std::int64_t count;

    bool stands(std::int64_t token, const TokenPosition& position) const {
        return token < count && may_stand(first + token, position);
    }
};

/// Returns the segments that may begin at the position `start`: the text, if there is one, and
/// grids.
std::vector<encodings::Segment> segments_at(const Tokens& tokens, std::int64_t start) {
    std::vector<encodings::Segment> found;
    std::int64_t length = 0;
    while (tokens.stands(length, all_at(start + length))) ++length;
    // If the text ends here, its last token is the first token of a grid.
    const std::int64_t text = length < tokens.count ? length - 1 : length;
    if (text > 0) found.push_back({true, start, {1, 1, text}});
    if (length != 1) return found;
    const auto row_stands = [&](std::int64_t frame, std::int64_t row,
                                const encodings::Segment& grid) {
        const auto [frames, rows, columns] = grid.extents;
        const std::int64_t first = (frame * rows + row) * columns;
        for (std::int64_t column = 0; column < columns; ++column) {
            const TokenPosition position{start + frame, start + row, start + column};
            if (!tokens.stands(first + column, position)) return false;
        }
        return true;
    };
    const auto frame_stands = [&](std::int64_t frame, const encodings::Segment& grid) {
        for (std::int64_t row = 0; row < grid.extents[1]; ++row) {
            if (!row_stands(frame, row, grid)) return false;
        }
        return true;
    };
    encodings::Segment grid{false, start, {1, 1, 1}};
    auto& [frames, rows, columns] = grid.extents;
    for (; tokens.stands(columns - 1, {start, start, start + columns - 1}); ++columns) {
        for (rows = 1; row_stands(0, rows - 1, grid); ++rows) {
            for (frames = 1; frames == 1 || frame_stands(frames - 1, grid); ++frames) {
                if (grid.tokens() > 1) found.push_back(grid);
            }
            frames = 1;
        }
        rows = 1;
    }
    return found;
}

std::string text_of(const encodings::Segment& segment) {
    const auto [frames, rows, columns] = segment.extents;
    if (segment.is_text) return fmt::format("text:{}", columns);
    if (frames == 1) return fmt::format("image:{}x{}", rows, columns);
    return fmt::format("video:{}x{}x{}", frames, rows, columns);
}

/// A search for all sequences, segment by segment from the beginning.
struct Search {
    const MayStand& may_stand;
    std::int64_t count;
    std::vector<SequenceText> found{};
    std::int64_t segments_tried = 0;

    static constexpr std::size_t most_found = 8;
    static constexpr std::int64_t most_tried = 1000;
    bool is_hopeless() const { return found.size() > most_found || segments_tried > most_tried; }

    /// The next position after a segment with --next max and with --next grid.
    struct Starts {
        std::int64_t max, grid;
    };

    void go_on_with(const encodings::Segment& segment, std::int64_t first, SequenceText text) {
        ++segments_tried;
        if (!text.sequence.empty()) text.sequence += ',';
        text.sequence += text_of(segment);
        text.has_grid = text.has_grid || !segment.is_text;
        const auto [frames, rows, columns] = segment.extents;
        const std::int64_t grid = segment.start + std::max(rows, columns);
        go_on(first + segment.tokens(), {std::max(grid, segment.start + frames), grid}, text);
    }

    void go_on(std::int64_t first, const Starts& starts, const SequenceText& text) {
        if (is_hopeless()) return;
        if (first == count) {
            found.push_back(text);
            return;
        }
        const Tokens rest{may_stand, first, count - first};
        for (const auto& [next, start] :
             {std::pair{std::string_view("max"), starts.max}, {"grid", starts.grid}}) {
            const bool is_same = starts.max == starts.grid;
            if (is_same ? next == "grid" : !text.next.empty() && text.next != next) continue;
            SequenceText more = text;
            if (!is_same) more.next = next;
            for (const encodings::Segment& segment : segments_at(rest, start)) {
                go_on_with(segment, first, more);
            }
        }
    }
};

}  // namespace

std::vector<SequenceText> sequences_of(std::int64_t count, const MayStand& may_stand) {
    if (count == 0) return {};
    Search search{may_stand, count};
    search.go_on(0, {0, 0}, {});
    if (search.is_hopeless()) return {};
    return search.found;
}

}  // namespace pegen::recognition
