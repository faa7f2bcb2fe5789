#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pegen::encodings {

/// The positions of a token on t, y and x.
using TokenPosition = std::array<std::int64_t, 3>;

/// A sequence as --sequence and --next have it.
struct SequenceText {
    std::string sequence;     ///< "text:5,image:4x6"
    std::string_view next{};  ///< "max", "grid", or "" if the sequence is the same with both
};

/// Returns the sequence whose tokens have these positions; none if there is none. A single token
/// of an image is a token of text.
std::optional<SequenceText> sequence_of(const std::vector<TokenPosition>& tokens);

}  // namespace pegen::encodings
