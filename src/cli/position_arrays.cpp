#include "cli/position_arrays.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/names.h"

namespace pegen::cli {
namespace {

/// Words in the names of arrays that hold positions.
constexpr std::string_view position_words =
    "abs absolute alibi biases bucket cis cos distance freq freqs frequencies gaussian pe pos "
    "posemb position positional positions rel relative rope rotary rpb rpe sin sincos sinusoid "
    "slopes timescale timescales wpe";
/// Ends of names that DETR's code has for positions.
constexpr std::array<std::string_view, 3> position_ends{"row_embed.weight", "col_embed.weight",
                                                        "query_embed.weight"};
constexpr std::string_view rotary_words = "cis cos freq freqs frequencies rope rotary sin";
/// Words in the names of weights that only work on positions.
constexpr std::string_view layer_words =
    "conv cpb dense fc fc1 fc2 layer_norm layernorm linear ln mlp norm proj wise";

/// Returns true if one of the words of a name is in the list: "blocks.0.rel_pos_h" has the words
/// "blocks", "0", "rel", "pos" and "h".
bool has_any(std::string_view name, std::string_view list) {
    std::string text = lower_case(name);
    std::ranges::replace_if(
        text,
        [](char letter) { return std::string_view("._/-").find(letter) != std::string_view::npos; },
        ' ');
    return std::ranges::any_of(words(text),
                               [=](std::string_view word) { return has_word(list, word); });
}

}  // namespace

bool is_position_name(std::string_view name) {
    const auto ends_name = [=](std::string_view end) { return name.ends_with(end); };
    return (has_any(name, position_words) && !has_any(name, layer_words)) ||
           std::ranges::any_of(position_ends, ends_name);
}

bool is_rotary_name(std::string_view name) { return has_any(name, rotary_words); }

bool has_position_shape(const Table& table) {
    const Shape& shape = table.shape;
    return table.dtype != DType::boolean && shape.rank() >= 3 && shape[0] == 1 &&
           squeezed(shape.extents()).size() >= 2;
}

}  // namespace pegen::cli
