#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pegen {

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

}  // namespace pegen
