#include "figure/scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace pegen {
namespace {

enum class Fault : std::uint8_t { leftwards, joined, mark, turned };

struct Block {
    char32_t first;
    char32_t last;
    Fault fault;
    std::string_view name;
};

using enum Fault;

/// The blocks of Unicode 15 whose characters cannot be drawn one by one.
constexpr std::array blocks{
    Block{0x0300, 0x036f, mark, ""},
    Block{0x0483, 0x0489, mark, ""},
    Block{0x0590, 0x05ff, leftwards, "Hebrew"},
    Block{0x0600, 0x06ff, leftwards, "Arabic"},
    Block{0x0700, 0x074f, leftwards, "Syriac"},
    Block{0x0750, 0x077f, leftwards, "Arabic"},
    Block{0x0780, 0x07bf, leftwards, "Thaana"},
    Block{0x07c0, 0x07ff, leftwards, "N'Ko"},
    Block{0x0800, 0x083f, leftwards, "Samaritan"},
    Block{0x0840, 0x085f, leftwards, "Mandaic"},
    Block{0x0860, 0x086f, leftwards, "Syriac"},
    Block{0x0870, 0x08ff, leftwards, "Arabic"},
    Block{0x0900, 0x097f, joined, "Devanagari"},
    Block{0x0980, 0x09ff, joined, "Bengali"},
    Block{0x0a00, 0x0a7f, joined, "Gurmukhi"},
    Block{0x0a80, 0x0aff, joined, "Gujarati"},
    Block{0x0b00, 0x0b7f, joined, "Oriya"},
    Block{0x0b80, 0x0bff, joined, "Tamil"},
    Block{0x0c00, 0x0c7f, joined, "Telugu"},
    Block{0x0c80, 0x0cff, joined, "Kannada"},
    Block{0x0d00, 0x0d7f, joined, "Malayalam"},
    Block{0x0d80, 0x0dff, joined, "Sinhala"},
    Block{0x0e31, 0x0e31, mark, ""},
    Block{0x0e34, 0x0e3a, mark, ""},
    Block{0x0e47, 0x0e4e, mark, ""},
    Block{0x0eb1, 0x0eb1, mark, ""},
    Block{0x0eb4, 0x0ebc, mark, ""},
    Block{0x0ec8, 0x0ece, mark, ""},
    Block{0x0f00, 0x0fff, joined, "Tibetan"},
    Block{0x1000, 0x109f, joined, "Burmese"},
    Block{0x1100, 0x11ff, joined, "Hangul in parts"},
    Block{0x135d, 0x135f, mark, ""},
    Block{0x1700, 0x177f, joined, "a script of the Philippines"},
    Block{0x1780, 0x17ff, joined, "Khmer"},
    Block{0x1800, 0x18af, joined, "Mongolian"},
    Block{0x1900, 0x194f, joined, "Limbu"},
    Block{0x1a00, 0x1a1f, joined, "Buginese"},
    Block{0x1a20, 0x1aaf, joined, "Tai Tham"},
    Block{0x1ab0, 0x1aff, mark, ""},
    Block{0x1b00, 0x1b7f, joined, "Balinese"},
    Block{0x1b80, 0x1bbf, joined, "Sundanese"},
    Block{0x1bc0, 0x1bff, joined, "Batak"},
    Block{0x1c00, 0x1c4f, joined, "Lepcha"},
    Block{0x1cd0, 0x1cff, mark, ""},
    Block{0x1dc0, 0x1dff, mark, ""},
    Block{0x200e, 0x200f, turned, ""},
    Block{0x202a, 0x202e, turned, ""},
    Block{0x2066, 0x2069, turned, ""},
    Block{0x20d0, 0x20f0, mark, ""},
    Block{0x2cef, 0x2cf1, mark, ""},
    Block{0x2de0, 0x2dff, mark, ""},
    Block{0x302a, 0x302f, mark, ""},
    Block{0x3099, 0x309a, mark, ""},
    Block{0xa66f, 0xa672, mark, ""},
    Block{0xa674, 0xa67d, mark, ""},
    Block{0xa69e, 0xa69f, mark, ""},
    Block{0xa6f0, 0xa6f1, mark, ""},
    Block{0xa800, 0xa82f, joined, "Syloti Nagri"},
    Block{0xa840, 0xa87f, joined, "Phags-pa"},
    Block{0xa880, 0xa8df, joined, "Saurashtra"},
    Block{0xa8e0, 0xa8ff, joined, "Devanagari"},
    Block{0xa900, 0xa92f, joined, "Kayah Li"},
    Block{0xa930, 0xa95f, joined, "Rejang"},
    Block{0xa960, 0xa97f, joined, "Hangul in parts"},
    Block{0xa980, 0xa9df, joined, "Javanese"},
    Block{0xa9e0, 0xa9ff, joined, "Burmese"},
    Block{0xaa00, 0xaa5f, joined, "Cham"},
    Block{0xaa60, 0xaa7f, joined, "Burmese"},
    Block{0xaa80, 0xaadf, joined, "Tai Viet"},
    Block{0xaae0, 0xaaff, joined, "Meetei Mayek"},
    Block{0xabc0, 0xabff, joined, "Meetei Mayek"},
    Block{0xd7b0, 0xd7ff, joined, "Hangul in parts"},
    Block{0xfb1d, 0xfb4f, leftwards, "Hebrew"},
    Block{0xfb50, 0xfdff, leftwards, "Arabic"},
    Block{0xfe20, 0xfe2f, mark, ""},
    Block{0xfe70, 0xfefc, leftwards, "Arabic"},
    Block{0x10800, 0x10fff, leftwards, "a script of the ancient or the modern Orient"},
    Block{0x11000, 0x11fff, joined, "a script of South or Southeast Asia"},
    Block{0x1e800, 0x1edff, leftwards, "a script of Africa or Asia"},
    Block{0x1ee00, 0x1eeff, leftwards, "Arabic"},
};

static_assert(std::ranges::is_sorted(blocks, {}, &Block::first));

}  // namespace

std::string fault_of_script(char32_t character) {
    const auto* block = std::ranges::lower_bound(blocks, character, {}, &Block::last);
    if (block == blocks.end() || character < block->first) return "";
    const auto code = static_cast<std::uint32_t>(character);
    switch (block->fault) {
        case leftwards:
            return fmt::format(
                "contains {}, which is written from right to left and cannot be drawn",
                block->name);
        case joined:
            return fmt::format("contains {}, which needs shaping and cannot be drawn", block->name);
        case mark:
            return fmt::format(
                "contains U+{:04X}, a combining mark, which cannot be "
                "drawn; use a letter that has its mark, such as \u00e9",
                code);
        case turned:
            break;
    }
    return fmt::format("contains U+{:04X}, which turns the direction of text and cannot be drawn",
                       code);
}

}  // namespace pegen
