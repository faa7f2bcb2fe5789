#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pegen::encodings {

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

/// Returns the sequence whose `count` tokens may stand where they do in it; none if there is none.
/// A single token of an image is a token of text.
std::optional<SequenceText> sequence_of(std::int64_t count, const MayStand& may_stand);

}  // namespace pegen::encodings
