#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "figure/fenced_bytes.h"

namespace pegen {

/// A TrueType or OpenType file whose tables lie within it. What the tables contain is not checked,
/// except for what would be fatal to stb_truetype: see check_outline().
class FontFile {
  public:
    /// Reads the file. Throws: FileError if it cannot be read or is too large, FormatError if it is
    /// not a font or is damaged.
    explicit FontFile(std::string_view path);

    const unsigned char* begin() const { return bytes_.begin(); }
    std::int64_t size() const { return bytes_.size(); }
    int start() const { return start_; }  ///< offset of the (first) font's table directory
    int glyphs() const { return glyphs_; }
    std::string_view path() const { return path_; }
    std::string name() const { return "--font " + path_; }  ///< for messages

    /// Checks the outline of a glyph. Throws: FormatError if the outline would make stb_truetype
    /// write beyond its allocated memory, or take practically forever: if the ends of the contours
    /// of a simple glyph decrease, or if a glyph made from others has too many parts, nests too
    /// deeply or contains itself.
    void check_outline(int glyph) const;

  private:
    struct Table {
        std::int64_t offset = 0;
        std::int64_t length = 0;  ///< 0 if there is no such table
    };
    struct Effort {
        int components;
        int points;
    };

    std::int64_t u16(std::int64_t offset) const;
    std::int64_t u32(std::int64_t offset) const;
    void find_start();
    void check_directory() const;
    Table find(std::string_view tag) const;
    Table need(std::string_view tag, std::int64_t least_bytes) const;
    std::int64_t outline_offset(int glyph) const;
    void check_outline(int glyph, int depth, Effort& effort) const;

    std::string path_;
    FencedBytes bytes_;
    int start_ = 0;
    int glyphs_ = 0;
    bool has_long_offsets_ = false;
    Table offsets_;   // loca
    Table outlines_;  // glyf
};

}  // namespace pegen
