#include "figure/font.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <new>
#include <stdexcept>

#include "core/error.h"

namespace pegen {
namespace {

/// Allocates memory for stb_truetype, which does not check for nullptr, and which reads one point
/// beyond an outline that ends with a lone control point.
void* font_memory(std::size_t bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;
    constexpr std::size_t beyond = 64;
    void* memory = bytes <= most ? std::calloc(1, bytes + beyond) : nullptr;
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

/// A coordinate of an outline, in font units, clamped to the range of short: a glyph made from
/// others may magnify them beyond that range, and casting such a float to short is undefined
/// behaviour.
struct Coordinate {
    Coordinate() = default;
    Coordinate(double value) : units(static_cast<short>(std::clamp(value, -32768.0, 32767.0))) {}
    operator short() const { return units; }

    short units;
};

/// stb_truetype's stbtt_vertex with clamped coordinates.
struct Vertex {
    Coordinate x, y, cx, cy, cx1, cy1;
    unsigned char type, padding;
};

}  // namespace
}  // namespace pegen

#define stbtt_vertex pegen::Vertex
#define stbtt_vertex_type pegen::Coordinate
#define STBTT_malloc(x, u) ((void)(u), pegen::font_memory(x))
#define STBTT_free(x, u) ((void)(u), std::free(x))
// stb_truetype can safely continue after a failed assertion; a strange font must not abort.
#define STBTT_assert(x) ((void)0)
#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#include <stb_truetype.h>

extern "C" const unsigned char dejavu_sans_begin[];

namespace pegen {

struct Font::Info {
    stbtt_fontinfo stb{};

    bool load(const unsigned char* bytes, int start) {
        return stbtt_InitFont(&stb, bytes, start) != 0;
    }
};

namespace {

/// True if the character map that stb_truetype chose has a format it can read and lies within the
/// file.
bool has_readable_map(const stbtt_fontinfo& font, std::int64_t size) {
    const std::int64_t map = font.index_map;
    if (map < 0 || map + 16 > size) return false;
    switch (ttUSHORT(font.data + map)) {
        case 0:
        case 4:
        case 6:
            return true;
        case 12:
        case 13:
            return map + 16 + std::int64_t{12} * ttULONG(font.data + map + 12) <= size;
        default:
            return false;
    }
}

/// Turns a point of an outline by 45 degrees to the left about the glyph's origin.
void turn(Coordinate& x, Coordinate& y) {
    const double along = x, up = y;
    x = std::round(half_turned * (along - up));
    y = std::round(half_turned * (along + up));
}

std::vector<stbtt_vertex> vertices_of(const stbtt_fontinfo& font, int glyph) {
    stbtt_vertex* vertices = nullptr;
    const int count = stbtt_GetGlyphShape(&font, glyph, &vertices);
    const std::unique_ptr<stbtt_vertex, decltype(&std::free)> owner(vertices, &std::free);
    return {vertices, vertices + count};
}

}  // namespace

const Font& Font::built_in() {
    static const Font font;
    return font;
}

Font::Font() {
    auto info = std::make_unique<Info>();
    if (!info->load(dejavu_sans_begin, 0)) {
        throw std::logic_error("the built-in font is not a TrueType font");
    }
    info_ = std::move(info);
}

Font::Font(std::unique_ptr<const FontFile> file) : file_(std::move(file)) {
    auto info = std::make_unique<Info>();
    if (!info->load(file_->begin(), file_->start()) ||
        !has_readable_map(info->stb, file_->size())) {
        throw FormatError(file_->name(), "has no supported table of Unicode characters");
    }
    info_ = std::move(info);
}

Font::~Font() = default;

std::string Font::name() const { return file_ ? file_->name() : "the built-in font, DejaVu Sans"; }

std::string Font::embedded_name() const {
    if (!file_) return "DejaVuSans";
    const std::string_view path = file_->path();
    const std::string_view file = path.substr(path.find_last_of('/') + 1);
    const std::string own = file_->own_name(FontFile::NameKind::postscript);
    for (const std::string_view name : {std::string_view(own), file.substr(0, file.rfind('.'))}) {
        std::string letters;
        for (const char c : name) {
            const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                                  (c >= 'a' && c <= 'z') || c == '-';
            if (is_plain) letters += c;
        }
        if (!letters.empty()) return letters;
    }
    return "Font";
}

FontFace Font::face() const {
    if (!file_) return {};
    std::string family = file_->own_name(FontFile::NameKind::family_of_all_styles);
    if (family.empty()) family = file_->own_name(FontFile::NameKind::family);
    return {std::move(family), file_->weight(), file_->is_italic()};
}

int Font::glyph(char32_t character) const {
    const int glyph = stbtt_FindGlyphIndex(&info_->stb, static_cast<int>(character));
    if (glyph <= 0 || glyph >= info_->stb.numGlyphs) return 0;
    if (file_) file_->check_outline(glyph);
    return glyph;
}

double Font::factor(double em_in_pixels) const {
    return stbtt_ScaleForMappingEmToPixels(&info_->stb, static_cast<float>(em_in_pixels));
}

int Font::units_per_em() const {
    return static_cast<int>(std::lround(1 / stbtt_ScaleForMappingEmToPixels(&info_->stb, 1)));
}

int Font::advance(int glyph) const {
    int advance = 0, bearing = 0;
    stbtt_GetGlyphHMetrics(&info_->stb, glyph, &advance, &bearing);
    return advance;
}

int Font::kerning(int left, int right) const {
    return stbtt_GetGlyphKernAdvance(&info_->stb, left, right);
}

std::optional<GlyphBox> Font::box(int glyph) const {
    GlyphBox box{};
    if (!stbtt_GetGlyphBox(&info_->stb, glyph, &box.left, &box.bottom, &box.right, &box.top)) {
        return {};
    }
    return box;
}

std::vector<OutlinePart> Font::outline(int glyph) const {
    using enum OutlinePart::Kind;
    std::vector<OutlinePart> parts;
    for (const stbtt_vertex& vertex : vertices_of(info_->stb, glyph)) {
        parts.push_back({vertex.type == STBTT_vmove    ? contour
                         : vertex.type == STBTT_vline  ? line
                         : vertex.type == STBTT_vcurve ? curve
                                                       : cubic,
                         vertex.x, vertex.y, vertex.cx, vertex.cy, vertex.cx1, vertex.cy1});
    }
    return parts;
}

void Font::draw(int glyph, const GlyphPlacing& placing, std::span<std::uint8_t> coverage) const {
    std::vector<stbtt_vertex> outline = vertices_of(info_->stb, glyph);
    const bool is_slanted = !placing.height;
    for (stbtt_vertex& vertex : outline) {
        if (is_slanted) {
            turn(vertex.x, vertex.y);
            turn(vertex.cx, vertex.cy);
            turn(vertex.cx1, vertex.cy1);
        } else {
            vertex.y = placing.height(vertex.y);
            vertex.cy = placing.height(vertex.cy);
            vertex.cy1 = placing.height(vertex.cy1);
        }
    }
    const InkBox& box = placing.box;
    const int width = box.right - box.left;
    stbtt__bitmap bitmap{width, box.bottom - box.top, width, coverage.data()};
    constexpr float flatness = 0.35f;  // pixels; stb's default
    constexpr int y_downwards = 1;
    // Whole pixels go into the integer offset, so that the float keeps the digits of the fraction.
    const double whole = std::floor(placing.pen);
    stbtt_Rasterize(&bitmap, flatness, outline.data(), static_cast<int>(outline.size()),
                    placing.factor, placing.factor, static_cast<float>(placing.pen - whole),
                    is_slanted ? static_cast<float>(whole - placing.pen) : 0,
                    box.left - static_cast<int>(whole),
                    box.top + (is_slanted ? static_cast<int>(whole) : 0), y_downwards, nullptr);
}

}  // namespace pegen
