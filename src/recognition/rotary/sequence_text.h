#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::recognition {

/// The positions of a token on t, y and x.
using TokenPosition = std::array<std::int64_t, 3>;

/// A sequence as --sequence and --next have it.
struct SequenceText {
    std::string sequence;     ///< "text:5,image:4x6"
    std::string_view next{};  ///< "max", "grid", or "" if the sequence is the same with both
    bool has_grid = false;    ///< an image or a video
};

/// True if a token may stand at these positions.
using MayStand = std::function<bool(std::int64_t token, const TokenPosition& position)>;

/// Returns the sequences whose `count` tokens may stand where they do in them; none if there are
/// none, or so many that nothing is known. A single token of an image is a token of text.
std::vector<SequenceText> sequences_of(std::int64_t count, const MayStand& may_stand);

}  // namespace pegen::recognition
