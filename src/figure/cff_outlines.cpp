#include "figure/cff_outlines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/error.h"

namespace pegen {
namespace {

// Keys of dictionaries; those of two bytes have 12 before the second one.
constexpr int escape = 12, two_bytes = 0x100;
constexpr int key_programs = 17, key_private = 18, key_subroutines = 19,
              key_program_kind = two_bytes | 6, key_fonts = two_bytes | 36,
              key_selection = two_bytes | 37;

// Outlines of Chinese characters have hundreds of points and read thousands of bytes.
constexpr std::int64_t most_bytes = 1 << 17;
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
    std::int64_t left_ = most_bytes;
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

}  // namespace pegen
