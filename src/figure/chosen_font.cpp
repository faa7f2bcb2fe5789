#include "figure/chosen_font.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/utf8.h"
#include "figure/figure.h"
#include "figure/font.h"
#include "figure/installed_fonts.h"
#include "figure/layout.h"
#include "figure/plots/view.h"

namespace pegen {
namespace {

/// A file, and the number of a font in it.
struct Numbered {
    std::string_view file;
    std::int64_t number;
};

bool exists(std::string_view path) {
    std::error_code error;  // a file that cannot be examined is refused when it is opened
    return std::filesystem::exists(path, error);
}

/// Returns the parts of "fonts.ttc#2".
Numbered parts_of(std::string_view given) {
    const std::size_t sign = given.rfind('#');
    if (sign == given.npos || exists(given)) return {given, 0};
    const std::string_view digits = given.substr(sign + 1);
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc() || end != digits.end()) return {given, 0};
    return {given.substr(0, sign), number};
}

/// A text of a figure, and the part of the figure that it is.
struct Text {
    TextRole role;
    std::string text;
};

/// Returns all texts that the figure may have. The built-in font has all numbers.
std::vector<Text> texts_of(const Parameters& figure, const Table& table) {
    std::vector<Text> texts{
        {TextRole::title, text_or(figure, "title", table.title)},
        {TextRole::x_label, text_or(figure, "xlabel", "")},
        {TextRole::y_label, text_or(figure, "ylabel", "")},
        {TextRole::colorbar_label, text_or(figure, "colorbar-label", table.value_label)},
        {TextRole::legend, text_or(figure, "with", "")}};
    for (const Axis& axis : table.axes) {
        texts.push_back({TextRole::x_label, axis.label});
        texts.push_back({TextRole::panel_title, axis.name});
        for (const std::string& name : axis.index_names) {
            texts.push_back({TextRole::panel_title, name});
        }
    }
    return texts;
}

/// Throws: UsageError that names the first of the characters in the text, and the reason.
[[noreturn]] void refuse_text(const Text& in, const std::u32string& lacking,
                              std::string_view reason) {
    const std::vector<Character> characters = decode_utf8(in.text);
    const auto first = std::ranges::find_if(
        characters, [&](const Character& one) { return lacking.find(one.code) != lacking.npos; });
    throw UsageError(fmt::format("{}: {}, lacks '{}', U+{:04X}, and {}", part_of(in.role).name,
                                 Font::built_in().name(), first->bytes,
                                 static_cast<unsigned>(first->code), reason));
}

}  // namespace

bool names_font_file(std::string_view given) {
    constexpr std::array endings{".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2", ".pfb"};
    const std::string_view file = parts_of(given).file;
    const std::string letters = lower_case(file);
    return file.find('/') != file.npos || exists(file) ||
           std::ranges::any_of(endings,
                               [&](std::string_view ending) { return letters.ends_with(ending); });
}

std::shared_ptr<const Font> load_font(std::string_view given) {
    if (given == "builtin") return nullptr;
    const auto loaded = [](const InputFile& file, std::int64_t number) {
        return std::make_shared<const Font>(std::make_unique<const FontFile>(file, number));
    };
    if (names_font_file(given)) {
        const auto [file, number] = parts_of(given);
        return loaded(InputFile(file), number);
    }
    std::optional<InstalledFont> found;
    try {
        found = find_font(given);
    } catch (const UsageError& error) {
        refuse("font", given, error.what());
    }
    return loaded(*InputFile::of_system(found->file), found->number);
}

Parameters with_found_font(Parameters figure, const Table& table) {
    if (figure.has("font") || !has_effect("font", table, figure)) return figure;
    std::optional<Text> first;
    std::set<char32_t> all;
    for (Text& text : texts_of(figure, table)) {
        const std::u32string some = lacking(text.text, TextStyle{10, 100});
        if (!some.empty() && !first) first = std::move(text);
        all.insert(some.begin(), some.end());
    }
    if (!first) return figure;
    const std::u32string characters(all.begin(), all.end());
    try {
        figure.resolve("font", find_font_with(characters).name);
    } catch (const UsageError& error) {
        refuse_text(*first, characters, error.what());
    }
    return figure;
}

}  // namespace pegen
