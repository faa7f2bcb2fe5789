#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_file.h"

namespace pegen {

/// A copy of a file in memory, read-only and surrounded by zeros, for a reader that trusts the
/// 32-bit offsets it finds in the file: every such offset, and 16 MiB beyond either end, can be
/// read. The zeros take up 4 GiB of addresses but no memory.
class FencedBytes {
  public:
    /// Reads the file. Throws: FileError if it cannot be read or is larger than `most_bytes`.
    FencedBytes(const InputFile& file, std::int64_t most_bytes);
    FencedBytes(const FencedBytes&) = delete;
    FencedBytes& operator=(const FencedBytes&) = delete;
    ~FencedBytes();

    const unsigned char* begin() const { return begin_; }
    std::int64_t size() const { return size_; }

  private:
    void* fence_;
    const unsigned char* begin_;
    std::int64_t size_;
};

/// The outlines of a font in the Compact Font Format, the table `CFF ` of an OpenType font, of
/// Adobe's Technical Notes 5176 and 5177. It reads as much of them as it takes to know that
/// stb_truetype, which draws them but trusts them, reads within the table, ends soon, and computes
/// with numbers in the range of its types. No value of the table is believed.
class CffOutlines {
  public:
    /// `table` is at byte `offset` of the file that messages call `name`; it must outlive the
    /// object. Throws: FormatError if the table is damaged.
    CffOutlines(std::string name, std::int64_t offset, std::span<const unsigned char> table);

    /// Checks an outline. Throws: FormatError if the outline is missing, is no program that draws
    /// one, or is longer than any outline that people make.
    void check(int glyph) const;

  private:
    /// Bytes from `begin` to `end`, both places in the table.
    struct Part {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };
    /// An INDEX: objects, and the offsets by which they are found.
    struct Index {
        std::int64_t count = 0;
        std::int64_t bytes_per_offset = 0;
        std::int64_t offsets = 0;  ///< the place of the first one
        std::int64_t data = 0;     ///< the place that offset 0 would be
        std::int64_t end = 0;
    };
    class Program;

    [[noreturn]] void refuse(std::int64_t place, std::string_view failure) const;
    std::int64_t number(std::int64_t place, std::int64_t bytes) const;
    Index index_at(std::int64_t place) const;
    Part item(const Index& index, std::int64_t number) const;
    std::vector<std::int64_t> operands(Part dictionary, int key) const;
    Index subroutines(Part dictionary) const;
    std::int64_t font_of(int glyph) const;

    std::string name_;
    std::int64_t offset_;
    std::span<const unsigned char> table_;
    Index programs_;  ///< of the glyphs
    Index global_subroutines_;
    Index own_subroutines_;       ///< of a font that is not made of several
    Index fonts_;                 ///< the fonts that a font for Chinese is made of
    std::int64_t selection_ = 0;  ///< the place that says which glyph is in which of them; 0: no
};

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
