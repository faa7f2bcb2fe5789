#include "figure/installed_fonts.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "files/system.h"

// Weak, so that they are no reason to link them into a program that is linked statically.
#pragma weak dlopen
#pragma weak dlsym

namespace pegen {
namespace {

// What is used of fontconfig.h, so that neither compiling nor running needs the library.
struct FcConfig;
struct FcPattern;
struct FcCharSet;
struct FcFontSet {
    int count;
    int room;
    FcPattern** fonts;
};
using FcText = unsigned char;
constexpr int match_pattern = 0, system_fonts = 0, result_match = 0;

struct Fontconfig {
    FcConfig* (*FcInitLoadConfigAndFonts)();
    FcFontSet* (*FcConfigGetFonts)(FcConfig*, int set);
    FcPattern* (*FcPatternCreate)();
    void (*FcPatternDestroy)(FcPattern*);
    int (*FcPatternAddString)(FcPattern*, const char* object, const FcText*);
    int (*FcConfigSubstitute)(FcConfig*, FcPattern*, int kind);
    void (*FcDefaultSubstitute)(FcPattern*);
    FcFontSet* (*FcFontSort)(FcConfig*, FcPattern*, int trim, FcCharSet**, int* result);
    void (*FcFontSetDestroy)(FcFontSet*);
    int (*FcPatternGetString)(const FcPattern*, const char* object, int n, FcText**);
    int (*FcPatternGetInteger)(const FcPattern*, const char* object, int n, int*);
    int (*FcPatternGetDouble)(const FcPattern*, const char* object, int n, double*);
    int (*FcPatternGetBool)(const FcPattern*, const char* object, int n, int*);
    int (*FcPatternGetCharSet)(const FcPattern*, const char* object, int n, FcCharSet**);
    int (*FcCharSetHasChar)(const FcCharSet*, unsigned character);

    FcConfig* config = nullptr;

    Fontconfig() {
        if (!loads_libraries() || dlopen == nullptr || dlsym == nullptr) {
            throw UsageError(
                "this program is linked statically and cannot ask fontconfig for a font; give the "
                "file of one with --font");
        }
        void* const library = dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            throw UsageError(
                "fontconfig (libfontconfig.so.1), which knows the installed fonts, is not there; "
                "give the file of a font with --font");
        }
        const auto load = [&](auto& function, const char* name) {
            function =
                reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            if (function == nullptr) {
                throw UsageError(
                    fmt::format("fontconfig (libfontconfig.so.1) has no {}; give the file of a "
                                "font with --font",
                                name));
            }
        };
        load(FcInitLoadConfigAndFonts, "FcInitLoadConfigAndFonts");
        load(FcConfigGetFonts, "FcConfigGetFonts");
        load(FcPatternCreate, "FcPatternCreate");
        load(FcPatternDestroy, "FcPatternDestroy");
        load(FcPatternAddString, "FcPatternAddString");
        load(FcConfigSubstitute, "FcConfigSubstitute");
        load(FcDefaultSubstitute, "FcDefaultSubstitute");
        load(FcFontSort, "FcFontSort");
        load(FcFontSetDestroy, "FcFontSetDestroy");
        load(FcPatternGetString, "FcPatternGetString");
        load(FcPatternGetInteger, "FcPatternGetInteger");
        load(FcPatternGetDouble, "FcPatternGetDouble");
        load(FcPatternGetBool, "FcPatternGetBool");
        load(FcPatternGetCharSet, "FcPatternGetCharSet");
        load(FcCharSetHasChar, "FcCharSetHasChar");
        config = FcInitLoadConfigAndFonts();
        if (config == nullptr) throw UsageError("fontconfig cannot read its configuration");
    }

    std::string text(const FcPattern* font, const char* object, int n = 0) const {
        FcText* value = nullptr;
        if (FcPatternGetString(font, object, n, &value) != result_match) return "";
        return reinterpret_cast<const char*>(value);
    }

    double number(const FcPattern* font, const char* object, double otherwise) const {
        double value = 0;
        return FcPatternGetDouble(font, object, 0, &value) == result_match ? value : otherwise;
    }

    bool is(const FcPattern* font, const char* object) const {
        int value = 0;
        return FcPatternGetBool(font, object, 0, &value) == result_match && value != 0;
    }
};

/// Returns the library, loaded. Throws: UsageError if it is not there.
const Fontconfig& fontconfig() {
    static const Fontconfig library;
    return library;
}

std::span<FcPattern* const> fonts_in(const FcFontSet* set) {
    if (set == nullptr) return {};
    return {set->fonts, static_cast<std::size_t>(set->count)};
}

/// A font, and what names it.
struct Listed {
    InstalledFont font;
    std::vector<std::string> families;  ///< of the same family, in several languages
    std::vector<std::string> own_names;
    std::tuple<double, double, double, bool> irregularity;
};

/// Returns the font if pe-gen can draw it, in the style that its file has without variation.
std::optional<Listed> listed(const Fontconfig& in, const FcPattern* font) {
    const std::string kind = in.text(font, "fontformat");
    int number = 0;
    in.FcPatternGetInteger(font, "index", 0, &number);
    constexpr int styles = 0x10000;  // numbers from here on are styles of a variable font
    const bool is_drawn = (kind == "TrueType" || kind == "CFF") && in.is(font, "outline") &&
                          !in.is(font, "color") && number < styles;
    if (!is_drawn) return {};
    Listed all{{in.text(font, "file"), number, ""}, {}, {}, {}};
    for (int n = 0;; ++n) {
        std::string family = in.text(font, "family", n);
        if (family.empty()) break;
        const bool is_english = in.text(font, "familylang", n) == "en";
        all.families.insert(is_english ? all.families.begin() : all.families.end(),
                            std::move(family));
    }
    for (const char* object : {"fullname", "postscriptname"}) {
        for (int n = 0;; ++n) {
            std::string name = in.text(font, object, n);
            if (name.empty()) break;
            all.own_names.push_back(std::move(name));
        }
    }
    constexpr double regular = 80, upright = 0, usual_width = 100;
    all.irregularity = {std::abs(in.number(font, "slant", upright) - upright),
                        std::abs(in.number(font, "width", usual_width) - usual_width),
                        std::abs(in.number(font, "weight", regular) - regular),
                        in.is(font, "variable")};
    return all;
}

std::vector<Listed> all_fonts(const Fontconfig& in) {
    std::vector<Listed> all;
    for (const FcPattern* font : fonts_in(in.FcConfigGetFonts(in.config, system_fonts))) {
        if (std::optional<Listed> found = listed(in, font)) all.push_back(std::move(*found));
    }
    return all;
}

/// Returns the letters by which names are compared.
std::string letters_of(std::string_view name) {
    std::string letters = spelling(name);
    std::erase(letters, ' ');
    return letters;
}

bool has_name(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::any_of(names,
                               [&](const std::string& one) { return letters_of(one) == name; });
}

/// Returns the font of this name; nothing if there is none.
std::optional<InstalledFont> named(const std::vector<Listed>& all, std::string_view name) {
    const std::string letters = letters_of(name);
    const Listed* best = nullptr;
    const auto rank = [&](const Listed& one) {
        return std::tuple(!has_name(one.families, letters), one.irregularity,
                          std::string_view(one.font.file), one.font.number);
    };
    for (const Listed& one : all) {
        if (!has_name(one.families, letters) && !has_name(one.own_names, letters)) continue;
        if (best == nullptr || rank(one) < rank(*best)) best = &one;
    }
    if (best == nullptr) return {};
    InstalledFont found = best->font;
    found.name = name;
    return found;
}

/// Returns the words of a message that ask for families of nearly this name.
std::string nearest_families(const std::vector<Listed>& all, std::string_view name) {
    std::set<std::string_view> sorted;
    for (const Listed& one : all) sorted.insert(one.families.begin(), one.families.end());
    const std::vector<std::string_view> families(sorted.begin(), sorted.end());
    std::vector<std::string_view> longer;
    const std::string letters = letters_of(name);
    for (const std::string_view family : families) {
        if (letters_of(family).starts_with(letters)) longer.push_back(family);
    }
    constexpr std::size_t most = 12;
    if (!longer.empty() && longer.size() <= most) {
        return fmt::format("; there are {}", joined(longer, ", "));
    }
    const std::string question = did_you_mean(name, families);
    return question.empty() ? "; `fc-list : family` lists those that there are" : question;
}

/// Returns the language whose readers the characters are for; "" if that is the user's.
std::string_view language_of(const std::u32string& characters) {
    const auto has = [&](char32_t first, char32_t last) {
        return std::ranges::any_of(characters, [&](char32_t c) { return c >= first && c <= last; });
    };
    if (has(0x3041, 0x30ff)) return "ja";                         // kana
    if (has(0xac00, 0xd7a3) || has(0x3131, 0x318e)) return "ko";  // hangul
    const bool is_chinese = has(0x3400, 0x9fff) || has(0x20000, 0x3ffff);
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* const value = std::getenv(variable);
        if (value == nullptr || *value == '\0') continue;
        const std::string_view language = std::string_view(value).substr(0, 2);
        if (language == "zh" || language == "ja" || language == "ko") return "";
        break;
    }
    return is_chinese ? "zh-cn" : "";
}

/// Returns a name by which named() finds the font.
std::string name_of(const std::vector<Listed>& all, const Listed& font) {
    for (const auto* names : {&font.families, &font.own_names}) {
        if (names->empty()) continue;
        const auto found = named(all, names->front());
        const bool is_same =
            found && found->file == font.font.file && found->number == font.font.number;
        if (is_same) return names->front();
    }
    return fmt::format("{}#{}", font.font.file, font.font.number);
}

/// Returns the font that is preferred among those with the characters; nothing if none has them.
std::optional<InstalledFont> preferred(const Fontconfig& in, const std::u32string& characters) {
    const auto text = [](std::string_view word) {
        return reinterpret_cast<const FcText*>(word.data());
    };
    const std::unique_ptr<FcPattern, void (*)(FcPattern*)> wanted(in.FcPatternCreate(),
                                                                  in.FcPatternDestroy);
    in.FcPatternAddString(wanted.get(), "family", text("sans-serif"));
    const std::string_view language = language_of(characters);
    if (!language.empty()) in.FcPatternAddString(wanted.get(), "lang", text(language));
    in.FcConfigSubstitute(in.config, wanted.get(), match_pattern);
    in.FcDefaultSubstitute(wanted.get());
    int result = 0;
    const std::unique_ptr<FcFontSet, void (*)(FcFontSet*)> sorted(
        in.FcFontSort(in.config, wanted.get(), 0, nullptr, &result), in.FcFontSetDestroy);
    for (const FcPattern* font : fonts_in(sorted.get())) {
        FcCharSet* has = nullptr;
        if (in.FcPatternGetCharSet(font, "charset", 0, &has) != result_match) continue;
        const bool has_all = std::ranges::all_of(
            characters, [&](char32_t c) { return in.FcCharSetHasChar(has, c) != 0; });
        std::optional<Listed> found = has_all ? listed(in, font) : std::nullopt;
        if (!found) continue;
        found->font.name = name_of(all_fonts(in), *found);
        return found->font;
    }
    return {};
}

// Versions of fontconfig before 2.10.91 must not be asked by two threads at once.
std::mutex asking;

}  // namespace

InstalledFont find_font(std::string_view name) {
    const std::lock_guard lock(asking);
    const std::vector<Listed> all = all_fonts(fontconfig());
    if (std::optional<InstalledFont> found = named(all, name)) return *found;
    throw UsageError(
        fmt::format("no installed font has this name, and no file{}", nearest_families(all, name)));
}

InstalledFont find_font_with(const std::u32string& characters) {
    const std::lock_guard lock(asking);
    static std::map<std::u32string, std::optional<InstalledFont>> known;
    auto found = known.find(characters);
    if (found == known.end()) {
        found = known.emplace(characters, preferred(fontconfig(), characters)).first;
    }
    if (!found->second)
        throw UsageError("no installed font has it; give the file of one with --font");
    return *found->second;
}

}  // namespace pegen
