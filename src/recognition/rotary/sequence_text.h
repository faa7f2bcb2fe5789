#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::recognition {

/// The positions of a token on the axes t, y and x.
using TokenPosition = std::array<std::int64_t, 3>;

/// A sequence as typed for --sequence and --next.
struct SequenceText {
    std::string sequence;     ///< "text:5,image:4x6"
    std::string_view next{};  ///< "max", "grid", or "" if the sequence is the same with both
    bool has_grid = false;    ///< true if it contains an image or a video
};

/// A function that is true if a token may have these positions.
using MayStand = std::function<bool(std::int64_t token, const TokenPosition& position)>;

/// Returns the sequences of `count` tokens for whose positions `may_stand` is true; empty if there
/// is no such sequence, or so many that the array does not tell them apart. A single token of an
/// image is treated as a token of text.
std::vector<SequenceText> sequences_of(std::int64_t count, const MayStand& may_stand);

}  // namespace pegen::recognition
