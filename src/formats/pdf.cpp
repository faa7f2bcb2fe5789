#include "formats/pdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <utility>

#include "core/shape.h"
#include "core/utf8.h"
#include "figure/figure.h"
#include "figure/font.h"
#include "files/deflate.h"
#include "files/sha256.h"
#include "formats/cff.h"
#include "formats/metadata.h"
#include "formats/png.h"
#include "formats/vector.h"

namespace pegen {
namespace {

constexpr double points_per_inch = 72;

// The bytes after the version tell programs that transfer files that this one is binary.
constexpr std::string_view file_header = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";

/// A PDF file under way: its objects, numbered from 1 in the order in which they are added.
class File {
  public:
    void add(std::string_view object) {
        offsets_.push_back(bytes_.size());
        bytes_ += fmt::format("{} 0 obj\n", offsets_.size());
        bytes_.append(object).append("\nendobj\n");
    }

    /// Adds a stream; `entries` are those of its dictionary besides length and filter.
    void add_stream(std::string_view entries, std::string_view data) {
        add_compressed(entries, data.size(), deflated(data));
    }

    /// Adds a stream of `size` bytes, which are compressed as `data`.
    void add_compressed(std::string_view entries, std::size_t size, std::string_view data) {
        add(fmt::format("<< /Length {} /DL {} /Filter /FlateDecode{} >>\nstream\n{}\nendstream",
                        data.size(), size, entries, data));
    }

    /// Returns the file, with the table of its objects, of which the first is the information and
    /// the second the catalogue.
    std::string finished() {
        const std::size_t table = bytes_.size();
        bytes_ += fmt::format("xref\n0 {}\n0000000000 65535 f \n", offsets_.size() + 1);
        for (const std::size_t offset : offsets_)
            bytes_ += fmt::format("{:010} 00000 n \n", offset);
        bytes_ +=
            fmt::format("trailer\n<< /Size {} /Root 2 0 R /Info 1 0 R >>\nstartxref\n{}\n%%EOF\n",
                        offsets_.size() + 1, table);
        return std::move(bytes_);
    }

  private:
    std::string bytes_{file_header};
    std::vector<std::size_t> offsets_;
};

/// Returns a character in UTF-16, as hexadecimal digits.
std::string utf16(char32_t character) {
    const auto code = static_cast<unsigned>(character);
    if (code < 0x10000) return fmt::format("{:04x}", code);
    return fmt::format("{:04x}{:04x}", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
}

/// Returns a text as a string of PDF: as it is if it is printable ASCII, in UTF-16 otherwise.
std::string pdf_string(std::string_view text) {
    const bool is_plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
    std::string string = is_plain ? "(" : "<feff";
    for (const Character& character : decode_utf8(text)) {
        if (!is_plain) {
            string += utf16(character.code);
        } else {
            if (character.bytes.find_first_of("()\\") == 0) string += '\\';
            string += character.bytes;
        }
    }
    return string + (is_plain ? ')' : '>');
}

std::string information(const Figure& figure, const std::string& provenance) {
    std::string entries = " /Producer (pe-gen)";
    if (!provenance.empty()) entries += " /pe-gen " + pdf_string(provenance);
    if (!figure.title.empty()) entries += " /Title " + pdf_string(figure.title);
    return fmt::format("<<{} >>", entries);
}

/// The characters of a figure that are drawn in one font, and their glyphs. The first has the CID
/// 1, the next one 2, and so on, so that each CID is of one character, even if two look the same.
struct Subset {
    const Font* font;
    std::map<char32_t, int> glyphs{};

    int cid(char32_t character) const {
        return 1 + static_cast<int>(std::distance(glyphs.begin(), glyphs.find(character)));
    }
};

/// Returns the place in `subsets` of the font.
std::size_t place_of(const Font* font, const std::vector<Subset>& subsets) {
    return std::ranges::find(subsets, font, &Subset::font) - subsets.begin();
}

/// Returns the fonts of the figure, in the order of their first use.
std::vector<Subset> subsets_of(const Figure& figure) {
    std::vector<Subset> subsets;
    for (const PlacedText& text : figure.texts) {
        for (const TextGlyph& glyph : glyphs_of(text.text, text.style)) {
            const std::size_t place = place_of(glyph.font, subsets);
            if (place == subsets.size()) subsets.push_back({glyph.font});
            subsets[place].glyphs[glyph.character] = glyph.number;
        }
    }
    return subsets;
}

/// Returns a map from CIDs to characters, by which readers search and copy texts.
std::string to_unicode(const Subset& subset) {
    std::string map =
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
        "1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n";
    constexpr std::size_t most_in_block = 100;
    std::size_t left = subset.glyphs.size(), in_block = 0;
    for (const auto& [character, glyph] : subset.glyphs) {
        if (in_block == 0) {
            in_block = std::min(left, most_in_block);
            map += fmt::format("{} beginbfchar\n", in_block);
        }
        map += fmt::format("<{:04x}> <{}>\n", subset.cid(character), utf16(character));
        --left;
        if (--in_block == 0) map += "endbfchar\n";
    }
    return map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
}

/// Returns six letters for these bytes. With them begins the name of a font that is a part of
/// another one, so that programs that join files do not take two parts for the same.
std::string tag_of(std::string_view bytes) {
    Sha256 digest;
    digest.add(std::as_bytes(std::span(bytes)));
    std::string letters = digest.bytes().substr(0, 6);
    for (char& letter : letters) {
        letter = static_cast<char>('A' + static_cast<unsigned char>(letter) % 26);
    }
    return letters;
}

constexpr int objects_per_font = 5;

/// Adds the objects of a font, of which the first, whose number is `first`, is the font itself.
void add_font(File& file, const Subset& subset, std::size_t first) {
    std::vector<int> glyphs;
    std::string widths;
    for (const auto& [character, glyph] : subset.glyphs) {
        glyphs.push_back(glyph);
        widths += fmt::format(" {}", per_mille(*subset.font, subset.font->advance(glyph)));
    }
    const std::string plain_name = subset.font->embedded_name();
    const CffFont embedded = cff_font(plain_name, *subset.font, glyphs);
    const std::string name = fmt::format("/{}+{}", tag_of(embedded.program), plain_name);
    const GlyphBox& box = embedded.box;
    file.add(
        fmt::format("<< /Type /Font /Subtype /Type0 /BaseFont {} /Encoding /Identity-H "
                    "/DescendantFonts [{} 0 R] /ToUnicode {} 0 R >>",
                    name, first + 1, first + 4));
    file.add(fmt::format(
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont {} /CIDSystemInfo << "
        "/Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor {} 0 R "
        "/W [1 [{}]] >>",
        name, first + 2, widths.substr(1)));
    // The thickness of stems, which is required, and the heights are for readers that lack the
    // font.
    constexpr int is_symbolic = 4;
    file.add(
        fmt::format("<< /Type /FontDescriptor /FontName {} /Flags {} /FontBBox [{} {} {} {}] "
                    "/ItalicAngle 0 /Ascent {} /Descent {} /CapHeight {} /StemV 80 /FontFile3 {} 0 "
                    "R >>",
                    name, is_symbolic, box.left, box.bottom, box.right, box.top, box.top,
                    box.bottom, box.top, first + 3));
    file.add_stream(" /Subtype /CIDFontType0C", embedded.program);
    file.add_stream("", to_unicode(subset));
}

/// Adds an image whose pixels viewers do not smooth; `palette` is the number of the object with its
/// colours.
void add_image(File& file, const Image& image, std::size_t palette) {
    // The opacity of a colour is all or nothing, and one colour at most is seen through.
    const auto clear = std::ranges::find(image.opacities, 0);
    const auto place = clear - image.opacities.begin();
    const std::string mask =
        clear == image.opacities.end() ? "" : fmt::format(" /Mask [{} {}]", place, place);
    file.add_compressed(
        fmt::format(" /DecodeParms << /Predictor 15 /Columns {} >> /Type /XObject /Subtype /Image "
                    "/Width {} /Height {} /BitsPerComponent 8 /ColorSpace [/Indexed /DeviceRGB "
                    "255 {} 0 R] /Interpolate false{}",
                    image.width, image.width, image.height, palette, mask),
        (1 + to_size(image.width)) * to_size(image.height), png_rows(image));
}

/// Adds the grids as images, of which the first is object number `first`, and then their colours.
/// Panels share these.
void add_grids(File& file, const Figure& figure, std::size_t first) {
    const std::size_t first_palette = first + figure.grids.size();
    std::vector<std::array<Rgb, 256>> palettes;
    for (const PlacedGrid& grid : figure.grids) {
        const Image image = image_of(grid, figure);
        const auto place = std::ranges::find(palettes, image.colours) - palettes.begin();
        if (place == std::ssize(palettes)) palettes.push_back(image.colours);
        add_image(file, image, first_palette + place);
    }
    for (const std::array<Rgb, 256>& colours : palettes) {
        file.add_stream("", {reinterpret_cast<const char*>(colours.data()), sizeof(colours)});
    }
}

std::string operands(Rgb colour) {
    return fmt::format("{} {} {}", number(colour[0] / 255.0), number(colour[1] / 255.0),
                       number(colour[2] / 255.0));
}

std::string pair(Point point) { return fmt::format("{} {}", number(point.x), number(point.y)); }

/// Returns the operators that make a path from point to point. A path of one point is a line to
/// itself, which is drawn as a dot.
std::string path_operators(const std::vector<Point>& points) {
    std::string path = pair(points.front()) + " m\n";
    for (std::size_t i = points.size() == 1 ? 0 : 1; i < points.size(); ++i) {
        path += pair(points[i]) + " l\n";
    }
    return path;
}

std::string band_operators(const Band& band) {
    std::vector<Point> outline = band.upper;
    outline.insert(outline.end(), band.lower.rbegin(), band.lower.rend());
    return fmt::format("{} rg\n{}f\n", operands(band.colour), path_operators(outline));
}

std::string curve_operators(const Curve& curve) {
    return fmt::format("{} RG {} w\n{}S\n", operands(curve.colour), number(curve.width),
                       path_operators(curve.points));
}

/// Returns the operators that draw a line from end to end: viewers give lines of one width the same
/// number of pixels, but areas all pixels that they touch.
std::string line_operators(const Box& line) {
    const double x = (line.left + line.right) / 2, y = (line.top + line.bottom) / 2;
    const bool is_upright = line.height() > line.width();
    return is_upright ? fmt::format("{} w\n{}S\n", number(line.width()),
                                    path_operators({{x, line.top}, {x, line.bottom}}))
                      : fmt::format("{} w\n{}S\n", number(line.height()),
                                    path_operators({{line.left, y}, {line.right, y}}));
}

/// Returns the operators that write a text: the CIDs of its characters, with the kerning between
/// them.
std::string text_operators(const PlacedText& text, const Figure& figure,
                           const std::vector<Subset>& subsets) {
    const double size = text.style.points * text.style.dpi / points_per_inch;
    std::string shown;
    const Font* font = nullptr;
    int length = 0;  // in thousandths of an em
    for (const TextGlyph& glyph : glyphs_of(text.text, text.style)) {
        const std::size_t place = place_of(glyph.font, subsets);
        const int kerning = per_mille(*glyph.font, glyph.kerning);
        if (glyph.font != font) {
            shown += fmt::format("{}/F{} {} Tf [<", font ? ">] TJ " : "", place, number(size));
        } else if (kerning != 0) {
            shown += fmt::format("> {} <", -kerning);
        }
        shown += fmt::format("{:04x}", subsets[place].cid(glyph.character));
        font = glyph.font;
        length += kerning + per_mille(*font, font->advance(glyph.number));
    }
    const double moved =
        anchor_of(text.role).share * (text_advance(text.text, text.style) - length * size / 1000);
    const double slanted = half_turned * moved;
    const std::string place =
        text.direction == Direction::upwards
            ? fmt::format("0 -1 -1 0 {} {}", text.x, number(text.y - moved))
        : text.direction == Direction::slanted
            ? fmt::format("{0:.6f} -{0:.6f} -{0:.6f} -{0:.6f} {1} {2}", half_turned,
                          number(text.x + slanted), number(text.y - slanted))
            : fmt::format("1 0 0 -1 {} {}", number(text.x + moved), text.y);
    return fmt::format("{} rg BT {} Tm {}>] TJ ET\n",
                       operands(text.colour.value_or(figure.theme.ink)), place, shown);
}

/// Returns the operators that draw the figure, in pixels from the top left.
std::string page_operators(const Figure& figure, const std::vector<Subset>& subsets) {
    std::string page = fmt::format("{:.6f} 0 0 {:.6f} 0 {} cm\n", points_per_inch / figure.dpi,
                                   -points_per_inch / figure.dpi,
                                   number(points_per_inch * figure.height / figure.dpi));
    if (!figure.is_bare && !figure.theme.is_transparent) {
        page += fmt::format("{} rg\n0 0 {} {} re f\n", operands(figure.theme.ground), figure.width,
                            figure.height);
    }
    for (std::size_t i = 0; i < figure.grids.size(); ++i) {
        const auto& [left, top, grid] = figure.grids[i];
        page += fmt::format("q {} 0 0 {} {} {} cm /I{} Do Q\n", grid.width, -grid.height, left,
                            top + grid.height, i);
    }
    for (const Band& band : figure.bands) page += band_operators(band);
    if (!figure.curves.empty()) page += "1 J 1 j\n";
    for (const Curve& curve : figure.curves) page += curve_operators(curve);
    page += operands(figure.theme.ink) + " RG 0 J\n";
    for (const Box& line : figure.lines) page += line_operators(line);
    for (const PlacedText& text : figure.texts) page += text_operators(text, figure, subsets);
    return page;
}

std::string file_of(const Figure& figure, const std::string& provenance) {
    const std::vector<Subset> subsets = subsets_of(figure);
    constexpr std::size_t pages = 3, page = 4, operators = 5, first_font = 6;
    const std::size_t first_image = first_font + subsets.size() * objects_per_font;
    std::string images, fonts;
    for (std::size_t i = 0; i < figure.grids.size(); ++i) {
        images += fmt::format(" /I{} {} 0 R", i, first_image + i);
    }
    for (std::size_t i = 0; i < subsets.size(); ++i) {
        fonts += fmt::format(" /F{} {} 0 R", i, first_font + i * objects_per_font);
    }
    File file;
    file.add(information(figure, provenance));
    file.add(fmt::format("<< /Type /Catalog /Pages {} 0 R >>", pages));
    file.add(fmt::format("<< /Type /Pages /Kids [{} 0 R] /Count 1 >>", page));
    file.add(fmt::format(
        "<< /Type /Page /Parent {} 0 R /MediaBox [0 0 {} {}] /Contents {} 0 R "
        "/Resources << /XObject <<{} >> /Font <<{} >> >> >>",
        pages, number(points_per_inch * figure.width / figure.dpi),
        number(points_per_inch * figure.height / figure.dpi), operators, images, fonts));
    file.add_stream("", page_operators(figure, subsets));
    for (std::size_t i = 0; i < subsets.size(); ++i) {
        add_font(file, subsets[i], first_font + i * objects_per_font);
    }
    add_grids(file, figure, first_image);
    return file.finished();
}

/// Returns the number after `name` in a dictionary; 0 if there is none.
std::size_t number_after(std::string_view name, std::string_view dictionary) {
    const std::size_t at = dictionary.find(name);
    std::size_t number = 0;
    if (at != dictionary.npos) {
        std::from_chars(dictionary.data() + at + name.size(), dictionary.data() + dictionary.size(),
                        number);
    }
    return number;
}

/// Returns the objects of a file as File makes it, streams uncompressed and without the length that
/// they had; nothing if it is another file, which is not trusted.
std::vector<std::string> objects_of(std::string_view file) {
    constexpr std::string_view stream = "\nstream\n", after_stream = "\nendstream",
                               after_object = "\nendobj\n", length_entry = "<< /Length ";
    File again;
    std::vector<std::string> objects;
    std::string_view rest = file.substr(std::min(file_header.size(), file.size()));
    while (true) {
        const std::string opening = fmt::format("{} 0 obj\n", objects.size() + 1);
        if (!rest.starts_with(opening)) break;
        rest.remove_prefix(opening.size());
        std::string_view object = rest.substr(0, rest.find(after_object));
        std::string plain(object);
        if (object.starts_with(length_entry)) {
            const std::string_view dictionary = rest.substr(0, rest.find(stream));
            const std::size_t length = number_after(length_entry, dictionary),
                              size = number_after(" /DL ", dictionary);
            const std::string_view data =
                rest.substr(std::min(dictionary.size() + stream.size(), rest.size()), length);
            constexpr std::size_t most_of_a_byte = 1032;  // deflate's limit
            const auto bytes =
                size / most_of_a_byte <= data.size() ? inflated(data, size) : std::nullopt;
            if (!bytes) return {};
            object = rest.substr(
                0, dictionary.size() + stream.size() + data.size() + after_stream.size());
            plain = std::string(dictionary).erase(0, dictionary.find(" /", length_entry.size())) +
                    *bytes;
        }
        objects.push_back(std::move(plain));
        again.add(object);
        rest.remove_prefix(std::min(object.size() + after_object.size(), rest.size()));
    }
    return again.finished() == file ? objects : std::vector<std::string>();
}

/// True if both files have the same objects. Their bytes may differ, as different versions of the
/// compressor write different bytes.
bool is_same_drawing(std::string_view file, std::string_view other) {
    const std::vector<std::string> objects = objects_of(file);
    return !objects.empty() && objects == objects_of(other);
}

Drawing pdf_file(const Table& table, const Parameters& parameters) {
    Figure figure = compose_figure(table, parameters);
    check_fixed(figure.theme);
    return {file_of(figure, target_provenance(formats::pdf, table, parameters)),
            std::move(figure.notes)};
}

}  // namespace

constinit const Format formats::pdf{
    .name = "pdf",
    .summary = "the same figure as PDF, at its size in a document",
    .extensions = "pdf",
    .is_binary = true,
    .parameters = figure_parameters,
    .idle_parameters = "show-size show-colours show-as show-cell animate fps seconds",
    .options_title = "Figure options",
    .draw = pdf_file,
    .says_the_same = is_same_drawing,
};

}  // namespace pegen
