#include "figure/font_file.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace pegen {
namespace {

// Both sizes are multiples of any page size.
constexpr std::size_t margin = std::size_t{16} << 20;
constexpr std::uint64_t fence_bytes = (std::uint64_t{1} << 32) + 2 * margin;
constexpr auto fence_size = static_cast<std::size_t>(fence_bytes);
constexpr bool fits_addresses = sizeof(std::size_t) > 4;

}  // namespace

FencedBytes::FencedBytes(const InputFile& file, std::int64_t most_bytes) {
    const std::string& path = file.path();
    if constexpr (!fits_addresses) {
        throw FileError(path,
                        "cannot read: a program with addresses of 32 bits has its own font alone");
    }
    size_ = file.size();
    if (size_ > most_bytes) {
        throw FileError(path, fmt::format("cannot read: has {} bytes, more than {} MiB", size_,
                                          most_bytes >> 20));
    }
    fence_ =
        ::mmap(nullptr, fence_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fence_ == MAP_FAILED) throw FileError(path, "cannot read", errno);
    const auto unmap = [](void* fence) { ::munmap(fence, fence_size); };
    std::unique_ptr<void, decltype(unmap)> owner(fence_, unmap);
    std::byte* bytes = static_cast<std::byte*>(fence_) + margin;
    const std::size_t size = size_;
    if (size > 0) {
        // The file is copied, not mapped: if another process shortens a mapped file, reading it
        // raises SIGBUS.
        if (::mprotect(bytes, size, PROT_READ | PROT_WRITE) != 0) {
            throw FileError(path, "cannot read", errno);
        }
        file.read(0, std::span(bytes, size));
        ::mprotect(bytes, size, PROT_READ);
    }
    begin_ = reinterpret_cast<const unsigned char*>(bytes);
    owner.release();
}

FencedBytes::~FencedBytes() { ::munmap(fence_, fence_size); }

namespace {

// Keys of dictionaries; those of two bytes have 12 before the second one.
constexpr int escape = 12, two_bytes = 0x100;
constexpr int key_programs = 17, key_private = 18, key_subroutines = 19,
              key_program_kind = two_bytes | 6, key_fonts = two_bytes | 36,
              key_selection = two_bytes | 37;

// Outlines of Chinese characters have hundreds of points and read thousands of bytes.
constexpr std::int64_t most_outline_bytes = 1 << 17;
// The sum of the operands' sizes; no coordinate is larger than three times as much.
constexpr double most_units = 1 << 24;
constexpr std::size_t most_operands = 48, most_calls = 10;

enum class Step { draw, move, hint, mask, call_own, call_global, leave, finish };

/// An operator of a charstring, and the number of operands without which it draws nothing.
struct Operator {
    int code;
    std::size_t least_operands;
    Step step = Step::draw;
};

constexpr std::array operators{
    Operator{1, 0, Step::hint},
    Operator{3, 0, Step::hint},
    Operator{18, 0, Step::hint},
    Operator{23, 0, Step::hint},
    Operator{19, 0, Step::mask},
    Operator{20, 0, Step::mask},
    Operator{4, 1, Step::move},
    Operator{5, 2},
    Operator{6, 1},
    Operator{7, 1},
    Operator{8, 6},
    Operator{21, 2, Step::move},
    Operator{22, 1, Step::move},
    Operator{24, 8},
    Operator{25, 8},
    Operator{26, 4},
    Operator{27, 4},
    Operator{30, 4},
    Operator{31, 4},
    Operator{two_bytes | 34, 7},
    Operator{two_bytes | 35, 13},
    Operator{two_bytes | 36, 9},
    Operator{two_bytes | 37, 11},
    Operator{10, 1, Step::call_own},
    Operator{29, 1, Step::call_global},
    Operator{11, 0, Step::leave},
    Operator{14, 0, Step::finish},
};

// The first bytes of operands: what lies between two of them is of the kind of the lower one.
constexpr int first_short = 32, first_above = 247, first_below = 251, first_long = 255, word = 28;

}  // namespace

/// A glyph's program: where it is, and what it has put aside.
class CffOutlines::Program {
  public:
    Program(const CffOutlines& font, int glyph)
        : font_(font), glyph_(glyph), at_(font.item(font.programs_, glyph)) {}

    /// Runs it to its end, without drawing.
    void run() {
        while (true) {
            const int first = static_cast<int>(next(1));
            if (first >= first_short || first == word) {
                push(first);
                continue;
            }
            const int code = first == escape ? two_bytes | static_cast<int>(next(1)) : first;
            const auto found = std::ranges::find(operators, code, &Operator::code);
            require(found != operators.end() && operands_.size() >= found->least_operands);
            if (found->step == Step::finish) return;
            take(found->step);
        }
    }

  private:
    void require(bool is_good) const {
        if (!is_good) font_.refuse(at_.begin, "a glyph of the font is damaged");
    }

    void skip(std::int64_t bytes) {
        left_ -= bytes;
        require(left_ >= 0 && at_.end - at_.begin >= bytes);
        at_.begin += bytes;
    }

    std::int64_t next(std::int64_t bytes) {
        skip(bytes);
        return font_.number(at_.begin - bytes, bytes);
    }

    void push(int first) {
        float value = 0;
        if (first == word) {
            value = static_cast<std::int16_t>(next(2));
        } else if (first == first_long) {
            value = static_cast<float>(static_cast<std::int32_t>(next(4))) / 0x10000;
        } else if (first >= first_below) {
            value = static_cast<float>(-(first - first_below) * 256 - next(1) - 108);
        } else if (first >= first_above) {
            value = static_cast<float>((first - first_above) * 256 + next(1) + 108);
        } else {
            value = static_cast<float>(first - 139);
        }
        units_ += std::abs(value);
        require(operands_.size() < most_operands && units_ <= most_units);
        operands_.push_back(value);
    }

    void take(Step step) {
        switch (step) {
            case Step::call_own:
            case Step::call_global:
                return call(step == Step::call_own ? own_subroutines() : font_.global_subroutines_);
            case Step::leave:
                require(!callers_.empty());
                at_ = callers_.back();
                callers_.pop_back();
                return;
            case Step::mask:
                // Operands before the first mask are hints without an operator.
                if (!has_begun_) hints_ += std::ssize(operands_) / 2;
                has_begun_ = true;
                skip((hints_ + 7) / 8);
                break;
            case Step::hint:
                hints_ += std::ssize(operands_) / 2;
                break;
            case Step::move:
                has_begun_ = true;
                break;
            case Step::draw:
            case Step::finish:
                break;
        }
        operands_.clear();
    }

    void call(const Index& subroutines) {
        constexpr std::int64_t few = 1240, some = 33900;
        const std::int64_t bias = subroutines.count < few    ? 107
                                  : subroutines.count < some ? 1131
                                                             : 32768;
        const std::int64_t number = static_cast<int>(operands_.back()) + bias;
        operands_.pop_back();
        require(callers_.size() < most_calls && number >= 0 && number < subroutines.count);
        callers_.push_back(at_);
        at_ = font_.item(subroutines, number);
    }

    const Index& own_subroutines() {
        if (font_.selection_ == 0) return font_.own_subroutines_;
        if (!of_its_font_) {
            const Part font = font_.item(font_.fonts_, font_.font_of(glyph_));
            of_its_font_ = font_.subroutines(font);
        }
        return *of_its_font_;
    }

    const CffOutlines& font_;
    int glyph_;
    Part at_;
    std::vector<Part> callers_;
    std::vector<float> operands_;
    std::optional<Index> of_its_font_;
    std::int64_t hints_ = 0;
    bool has_begun_ = false;
    std::int64_t left_ = most_outline_bytes;
    double units_ = 0;
};

CffOutlines::CffOutlines(std::string name, std::int64_t offset,
                         std::span<const unsigned char> table)
    : name_(std::move(name)), offset_(offset), table_(table) {
    const Index names = index_at(number(2, 1));
    const Index tops = index_at(names.end);
    const Index texts = index_at(tops.end);
    global_subroutines_ = index_at(texts.end);
    const Part top = item(tops, 0);
    const auto value = [&](int key, std::int64_t otherwise) {
        const std::vector<std::int64_t> found = operands(top, key);
        return found.empty() ? otherwise : found.front();
    };
    constexpr std::int64_t type_2 = 2;
    if (value(key_program_kind, type_2) != type_2) {
        refuse(top.begin, "has CFF outlines of an old kind, which is not supported");
    }
    programs_ = index_at(value(key_programs, 0));
    own_subroutines_ = subroutines(top);
    const std::int64_t fonts = value(key_fonts, 0);
    if (fonts == 0) return;
    fonts_ = index_at(fonts);
    selection_ = value(key_selection, 0);
    if (selection_ == 0) refuse(top.begin, "its CFF outlines are damaged");
}

void CffOutlines::check(int glyph) const { Program(*this, glyph).run(); }

void CffOutlines::refuse(std::int64_t place, std::string_view failure) const {
    throw FormatError(name_, offset_ + place, failure);
}

std::int64_t CffOutlines::number(std::int64_t place, std::int64_t bytes) const {
    if (place < 0 || place > std::ssize(table_) - bytes) {
        refuse(std::ssize(table_), "the CFF outlines of the font reach beyond their end");
    }
    std::int64_t result = 0;
    for (std::int64_t i = 0; i < bytes; ++i) result = result << 8 | table_[place + i];
    return result;
}

CffOutlines::Index CffOutlines::index_at(std::int64_t place) const {
    Index index{.count = number(place, 2)};
    index.end = place + 2;
    if (index.count == 0) return index;
    index.bytes_per_offset = number(place + 2, 1);
    if (index.bytes_per_offset < 1 || index.bytes_per_offset > 4) {
        refuse(place + 2, "bytes per offset in the CFF outlines: must be 1 to 4");
    }
    index.offsets = place + 3;
    index.data = index.offsets + (index.count + 1) * index.bytes_per_offset - 1;
    index.end = index.data + number(index.offsets + index.count * index.bytes_per_offset,
                                    index.bytes_per_offset);
    if (index.end <= index.data || index.end > std::ssize(table_)) {
        refuse(place, "the CFF outlines of the font reach beyond their end");
    }
    return index;
}

CffOutlines::Part CffOutlines::item(const Index& index, std::int64_t number) const {
    if (number >= index.count) refuse(index.offsets, "a part of the CFF outlines is missing");
    const std::int64_t bytes = index.bytes_per_offset, at = index.offsets + number * bytes;
    const Part part{index.data + this->number(at, bytes),
                    index.data + this->number(at + bytes, bytes)};
    if (part.begin <= index.data || part.end < part.begin || part.end > index.end) {
        refuse(at, "a part of the CFF outlines reaches beyond their end");
    }
    return part;
}

/// Returns the operands of the first entry with this key, whole numbers; none without such an
/// entry.
std::vector<std::int64_t> CffOutlines::operands(Part dictionary, int key) const {
    std::vector<std::int64_t> operands;
    std::int64_t at = dictionary.begin;
    const auto next = [&](std::int64_t bytes) {
        if (dictionary.end - at < bytes) refuse(at, "the CFF outlines of the font are damaged");
        at += bytes;
        return number(at - bytes, bytes);
    };
    constexpr int double_word = 29, decimal = 30, last_key = 21;
    while (at < dictionary.end) {
        const int first = static_cast<int>(next(1));
        if (first <= last_key) {
            const int found = first == escape ? two_bytes | static_cast<int>(next(1)) : first;
            if (found == key) return operands;
            operands.clear();
        } else if (first == word) {
            operands.push_back(next(2));
        } else if (first == double_word) {
            operands.push_back(next(4));
        } else if (first == decimal) {
            // Digits of four bits, of which 15 is the end. Sizes and places are whole numbers.
            for (std::int64_t digits = 0; (digits & 0xf) != 0xf && digits >> 4 != 0xf;) {
                digits = next(1);
            }
            operands.push_back(0);
        } else if (first >= first_short && first < first_above) {
            operands.push_back(first - 139);
        } else if (first >= first_above && first < first_below) {
            operands.push_back((first - first_above) * 256 + next(1) + 108);
        } else if (first >= first_below && first < first_long) {
            operands.push_back(-(first - first_below) * 256 - next(1) - 108);
        } else {
            refuse(at, "the CFF outlines of the font are damaged");
        }
    }
    return {};
}

/// Returns the subroutines of the font that the dictionary describes.
CffOutlines::Index CffOutlines::subroutines(Part dictionary) const {
    const std::vector<std::int64_t> own = operands(dictionary, key_private);
    if (own.size() < 2 || own[0] == 0 || own[1] == 0) return {};
    const Part part{own[1], own[1] + own[0]};
    if (own[0] < 0 || own[1] < 0 || part.end > std::ssize(table_)) {
        refuse(dictionary.begin, "a part of the CFF outlines reaches beyond their end");
    }
    const std::vector<std::int64_t> place = operands(part, key_subroutines);
    if (place.empty() || place.front() == 0) return {};
    return index_at(part.begin + place.front());
}

/// Returns the number of the font, of those that this one is made of, that a glyph belongs to.
std::int64_t CffOutlines::font_of(int glyph) const {
    constexpr std::int64_t a_byte_each = 0, ranges = 3;
    const std::int64_t kind = number(selection_, 1);
    if (kind == a_byte_each) return number(selection_ + 1 + glyph, 1);
    if (kind == ranges) {
        const std::int64_t count = number(selection_ + 1, 2);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t range = selection_ + 3 + 3 * i;
            if (glyph < number(range, 2)) break;
            if (glyph < number(range + 3, 2)) return number(range + 2, 1);
        }
    }
    refuse(selection_, "a part of the CFF outlines is missing");
}

namespace {

constexpr std::int64_t most_bytes = std::int64_t{64} << 20;
constexpr std::int64_t directory_head = 12;
constexpr std::int64_t directory_entry = 16;

constexpr std::int64_t tag_number(std::string_view tag) {
    std::int64_t number = 0;
    for (const char letter : tag) number = number << 8 | static_cast<unsigned char>(letter);
    return number;
}

constexpr bool is_font_tag(std::int64_t tag) {
    return tag == 0x00010000 || tag == tag_number("true") || tag == tag_number("OTTO");
}

/// Appends a unit of UTF-16 as UTF-8. What is no printable character of the first 2^16 is left out:
/// no font's name needs it.
void append_utf16(std::string& text, char16_t unit) {
    const bool is_surrogate = unit >= 0xd800 && unit < 0xe000;
    if (is_obeyed(unit) || is_surrogate) return;
    if (unit < 0x80) {
        text += static_cast<char>(unit);
        return;
    }
    text += static_cast<char>(unit < 0x800 ? 0xc0 | unit >> 6 : 0xe0 | unit >> 12);
    if (unit >= 0x800) text += static_cast<char>(0x80 | (unit >> 6 & 0x3f));
    text += static_cast<char>(0x80 | (unit & 0x3f));
}

}  // namespace

FontFile::FontFile(const InputFile& file, std::int64_t number)
    : path_(file.path()), bytes_(file, most_bytes) {
    find_start(number);
    check_directory();
    const Table head = need("head", 54);
    const std::int64_t units_per_em = u16(head.offset + 18);
    if (units_per_em < 16 || units_per_em > 16384) {
        throw FormatError(name(), head.offset + 18, "font units per em: must be 16 to 16384");
    }
    glyphs_ = static_cast<int>(u16(need("maxp", 6).offset + 4));
    need("cmap", 4);
    need("hmtx", 4 * u16(need("hhea", 36).offset + 34));
    if (find("glyf").offset == 0) {  // which stb_truetype looks for first
        if (find("CFF ").offset == 0) {
            throw FormatError(name(), "has no outlines in glyf or CFF, the supported kinds");
        }
        const Table table = need("CFF ", 4);
        cff_.emplace(name(), table.offset,
                     std::span(begin() + table.offset, static_cast<std::size_t>(table.length)));
        return;
    }
    outlines_ = need("glyf", 1);
    const std::int64_t kind = u16(head.offset + 50);
    if (kind > 1) throw FormatError(name(), head.offset + 50, "kind of offsets: must be 0 or 1");
    has_long_offsets_ = kind == 1;
    offsets_ = need("loca", (glyphs_ + 1) * (has_long_offsets_ ? 4 : 2));
}

// No bounds are checked here: FencedBytes has zeros beyond the file.
std::int64_t FontFile::u16(std::int64_t offset) const {
    const unsigned char* at = begin() + offset;
    return at[0] << 8 | at[1];
}

std::int64_t FontFile::u32(std::int64_t offset) const {
    return u16(offset) << 16 | u16(offset + 2);
}

void FontFile::find_start(std::int64_t number) {
    std::int64_t start = 0;
    const bool is_collection = size() >= 16 && u32(0) == tag_number("ttcf");
    const std::int64_t fonts = is_collection ? u32(8) : 1;
    if (fonts > 0 && number >= fonts && (is_collection || is_font_tag(u32(0)))) {
        throw UsageError(fmt::format("{}: has {}; {}#{} is the last one", name(),
                                     fonts == 1 ? "one font" : fmt::format("{} fonts", fonts),
                                     path_, fonts - 1));
    }
    if (is_collection) start = u32(12 + 4 * number);
    if (start + directory_head > size() || !is_font_tag(u32(start))) {
        throw FormatError(name(), "is not a TrueType or OpenType font");
    }
    start_ = static_cast<int>(start);
}

void FontFile::check_directory() const {
    const std::int64_t entries = u16(start_ + 4);
    if (start_ + directory_head + entries * directory_entry > size()) {
        throw FormatError(name(), size(), "the font ends in its directory of tables");
    }
    for (std::int64_t i = 0; i < entries; ++i) {
        const std::int64_t entry = start_ + directory_head + i * directory_entry;
        if (u32(entry + 8) + u32(entry + 12) > size()) {
            throw FormatError(name(), entry, "a table of the font reaches beyond its end");
        }
    }
}

std::string FontFile::own_name(NameKind kind) const {
    const Table table = find("name");
    if (table.length < 6) return "";
    constexpr std::int64_t record = 12, unicode = 0, macintosh = 1, windows = 3, english = 0x409;
    const std::int64_t end = table.offset + table.length,
                       texts = table.offset + u16(table.offset + 4);
    std::string best;
    int best_rank = 0;
    for (std::int64_t i = 0; i < u16(table.offset + 2); ++i) {
        const std::int64_t at = table.offset + 6 + record * i;
        if (at + record > end) break;
        const std::int64_t system = u16(at), text = texts + u16(at + 10), bytes = u16(at + 8);
        if (u16(at + 6) != static_cast<int>(kind) || text + bytes > end) continue;
        const int rank = system == windows     ? (u16(at + 4) == english ? 4 : 3)
                         : system == unicode   ? 2
                         : system == macintosh ? 1
                                               : 0;
        if (rank <= best_rank) continue;
        best_rank = rank;
        best.clear();
        // The letters of a Macintosh are read as far as they are ASCII.
        for (std::int64_t place = text; place < text + bytes; place += rank == 1 ? 1 : 2) {
            const std::int64_t unit = rank == 1 ? begin()[place] : u16(place);
            append_utf16(best, static_cast<char16_t>(unit));
        }
    }
    return best;
}

int FontFile::weight() const {
    constexpr int regular = 400;
    const Table table = find("OS/2");
    return table.length >= 6 ? static_cast<int>(u16(table.offset + 4)) : regular;
}

bool FontFile::is_italic() const {
    const Table table = find("OS/2");
    return table.length >= 64 && (u16(table.offset + 62) & 1) != 0;
}

FontFile::Table FontFile::find(std::string_view tag) const {
    const std::int64_t entries = u16(start_ + 4);
    for (std::int64_t i = 0; i < entries; ++i) {
        const std::int64_t entry = start_ + directory_head + i * directory_entry;
        if (u32(entry) == tag_number(tag)) return {u32(entry + 8), u32(entry + 12)};
    }
    return {};
}

FontFile::Table FontFile::need(std::string_view tag, std::int64_t least_bytes) const {
    const Table table = find(tag);
    if (table.length < std::max<std::int64_t>(1, least_bytes)) {
        throw FormatError(name(), fmt::format("is a damaged font: table {} is {}", tag,
                                              table.length == 0 ? "missing" : "too short"));
    }
    return table;
}

/// Returns the offset of the outline of a glyph; 0 if the glyph has no outline.
std::int64_t FontFile::outline_offset(int glyph) const {
    if (glyph >= glyphs_) return 0;
    const auto offset = [&](std::int64_t number) {
        return has_long_offsets_ ? u32(offsets_.offset + 4 * number)
                                 : 2 * u16(offsets_.offset + 2 * number);
    };
    const std::int64_t begin = offset(glyph);
    return begin == offset(glyph + 1) ? 0 : outlines_.offset + begin;
}

void FontFile::check_outline(int glyph) const {
    if (cff_) return cff_->check(glyph);
    // Glyphs of real fonts have hundreds of points, at most thousands.
    Effort effort{.components = 256, .points = 1 << 17};
    check_outline(glyph, 8, effort);
}

void FontFile::check_outline(int glyph, int depth, Effort& effort) const {
    const std::int64_t outline = outline_offset(glyph);
    if (outline == 0) return;
    const auto check = [&](bool is_good) {
        if (!is_good) throw FormatError(name(), outline, "a glyph of the font is damaged");
    };
    constexpr std::int64_t head = 10;
    check(outline + head <= size());
    const auto contours = static_cast<std::int16_t>(u16(outline));
    if (contours >= 0) {
        std::int64_t last = -1;
        for (std::int64_t i = 0; i < contours; ++i) {
            const std::int64_t end = u16(outline + head + 2 * i);
            check(end >= last);
            last = end;
        }
        effort.points -= static_cast<int>(last + 1);
        check(effort.points >= 0);
        return;
    }
    constexpr std::int64_t has_words = 1, has_shifts = 2, has_scale = 8, has_more = 32,
                           has_two_scales = 64, has_matrix = 128;
    std::int64_t at = outline + head;
    for (std::int64_t flags = has_more; (flags & has_more) != 0;) {
        check(depth > 0 && effort.components-- > 0 && at + 4 <= size());
        flags = u16(at);
        check_outline(static_cast<int>(u16(at + 2)), depth - 1, effort);
        // Shifts are read like in stb_truetype, which ignores that they may be given as numbers of
        // points.
        const std::int64_t shifts = (flags & has_shifts) == 0  ? 0
                                    : (flags & has_words) == 0 ? 2
                                                               : 4;
        const std::int64_t scales = (flags & has_scale) != 0        ? 1
                                    : (flags & has_two_scales) != 0 ? 2
                                    : (flags & has_matrix) != 0     ? 4
                                                                    : 0;
        at += 4 + shifts + 2 * scales;
    }
}

}  // namespace pegen
