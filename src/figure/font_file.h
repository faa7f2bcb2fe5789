#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "figure/cff_outlines.h"
#include "figure/fenced_bytes.h"
#include "files/input_file.h"

namespace pegen {

/// A font of a TrueType or OpenType file, or of a collection of these, whose tables lie within it.
/// What the tables contain is not checked, except for what would be fatal to stb_truetype: see
/// check_outline().
class FontFile {
  public:
    /// Reads font `number` of the file, counted from 0. Throws: FileError if the file cannot be
    /// read or is too large, UsageError if it has fewer fonts, FormatError if it is not a font or
    /// is damaged.
    explicit FontFile(const InputFile& file, std::int64_t number = 0);

    const unsigned char* begin() const { return bytes_.begin(); }
    std::int64_t size() const { return bytes_.size(); }
    int start() const { return start_; }  ///< offset of the font's table directory
    int glyphs() const { return glyphs_; }
    std::string_view path() const { return path_; }
    std::string name() const { return "--font " + path_; }  ///< for messages

    /// A name that the font says it has, in English if it says it in English.
    enum class NameKind { family = 1, postscript = 6, family_of_all_styles = 16 };
    std::string own_name(NameKind kind) const;  ///< "" if it has none

    int weight() const;  ///< 400 is regular, 700 bold
    bool is_italic() const;

    /// Checks the outline of a glyph. Throws: FormatError if the outline would make stb_truetype
    /// write beyond its allocated memory, or take practically forever: if the ends of the contours
    /// of a simple glyph decrease, if a glyph made from others has too many parts, nests too
    /// deeply or contains itself, or if CffOutlines refuses it.
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
    void find_start(std::int64_t number);
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
    Table offsets_;                   // loca
    Table outlines_;                  // glyf
    std::optional<CffOutlines> cff_;  // instead of the two
};

}  // namespace pegen
