#include "encodings/rotary/token_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"

namespace pegen::encodings {
namespace {

[[noreturn]] void refuse_sequence(std::string_view text) {
    refuse("sequence", text,
           "must be a list of text:TOKENS, image:ROWSxCOLUMNS and video:FRAMESxROWSxCOLUMNS, such "
           "as text:5,image:4x6");
}

/// Reads a segment such as "image:4x6", leaving its start at 0. `all` is the whole sequence, for
/// messages.
Segment parse_segment(std::string_view text, std::string_view all) {
    const std::vector<std::string_view> parts = fields(text, ':');
    if (parts.size() != 2) refuse_sequence(all);
    const std::vector<std::string_view> extents = fields(parts[1], 'x');
    const std::size_t expected = parts[0] == "text"    ? 1
                                 : parts[0] == "image" ? 2
                                 : parts[0] == "video" ? 3
                                                       : 0;
    if (extents.size() != expected) refuse_sequence(all);
    Segment segment{parts[0] == "text", 0, {1, 1, 1}};
    for (std::size_t i = 0; i < extents.size(); ++i) {
        const std::int64_t extent = parse_integer(extents[i], "--sequence");
        if (!any_count.contains_whole(extent)) {
            refuse("sequence", text, fmt::format("{} {}", extents[i], describe(any_count)));
        }
        segment.extents[3 - extents.size() + i] = extent;
    }
    return segment;
}

/// Returns the position at which the next segment starts.
std::int64_t end_of(const Segment& segment, NextPosition next) {
    const std::int64_t side = std::max(segment.extents[1], segment.extents[2]);
    return segment.start + (next == NextPosition::max ? segment.positions() : side);
}

}  // namespace

std::int64_t Segment::place_of_frame(std::int64_t frame) const {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(frame) * frame_step));
}

std::int64_t Segment::positions() const {
    return std::max({place_of_frame(extents[0] - 1) + 1, extents[1], extents[2]});
}

std::int64_t Segment::position(std::int64_t token, std::size_t axis) const {
    if (is_text || axis == 2) return start + token % extents[2];
    if (axis == 1) return start + token / extents[2] % extents[1];
    return start + place_of_frame(token / (extents[1] * extents[2]));
}

std::vector<Segment> parse_sequence(std::string_view text, NextPosition next, double frame_step) {
    std::vector<Segment> segments;
    std::int64_t start = 0;
    long double tokens = 0;
    for (const std::string_view part : fields(text, ',')) {
        Segment segment = parse_segment(part, text);
        const auto [frames, rows, columns] = segment.extents;
        tokens += static_cast<long double>(frames) * static_cast<long double>(rows) *
                  static_cast<long double>(columns);
        if (tokens > two_to_53) refuse("sequence", text, "has more than 2^53 tokens");
        segment.frame_step = frame_step;
        if (static_cast<double>(start) + static_cast<double>(frames) * frame_step > two_to_53) {
            refuse("sequence", text, "has positions beyond 2^53");
        }
        segment.start = start;
        start = end_of(segment, next);
        segments.push_back(segment);
    }
    return segments;
}

std::int64_t token_count(const std::vector<Segment>& segments) {
    std::int64_t tokens = 0;
    for (const Segment& segment : segments) tokens += segment.tokens();
    return tokens;
}

}  // namespace pegen::encodings
