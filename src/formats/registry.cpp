#include "formats/registry.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/names.h"
#include "formats/csv.h"
#include "formats/html.h"
#include "formats/json.h"
#include "formats/npy.h"
#include "formats/pdf.h"
#include "formats/png.h"
#include "formats/safetensors.h"
#include "formats/show.h"
#include "formats/source.h"
#include "formats/svg.h"
#include "formats/text.h"

namespace pegen {
namespace {

// clang-format off
constexpr std::array formats_in_order{
    &formats::npy,
    &formats::npz,
    &formats::safetensors,
    &formats::json,
    &formats::csv,
    &formats::text,
    &formats::png,
    &formats::svg,
    &formats::pdf,
    &formats::html,
    &formats::show,
};
// clang-format on

}  // namespace

std::span<const Format* const> all_formats() { return formats_in_order; }

std::string extension_of(std::string_view path) {
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    const std::size_t dot = name.find_last_of('.');
    if (dot == std::string_view::npos) return "";
    std::string letters(name.substr(dot + 1));
    std::transform(letters.begin(), letters.end(), letters.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return letters;
}

bool has_extension(std::string_view path, const Format& format) {
    return has_word(format.extensions, extension_of(path));
}

const Format* format_by_extension(std::string_view path) {
    for (const auto& formats : {all_formats(), all_languages()}) {
        for (const Format* format : formats) {
            if (has_extension(path, *format)) return format;
        }
    }
    return nullptr;
}

}  // namespace pegen
