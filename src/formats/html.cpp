#include "formats/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base64.h"
#include "core/error.h"
#include "core/json.h"
#include "core/utf8.h"
#include "figure/figure.h"
#include "files/json_text.h"
#include "formats/metadata.h"
#include "formats/table_head.h"
#include "formats/vector.h"
#include "page/page.h"

namespace pegen {
namespace {

void check_table(const Table& table) {
    if (table.shape.size() > most_values_of_page) {
        throw UsageError(fmt::format(
            "--html: a page holds at most 2^22 values, and the table has {}; make it smaller, or "
            "use --png for a figure, --npy for the values",
            table.shape.size()));
    }
    if (table.shape.size() == 0) {
        throw UsageError(
            fmt::format("--html: a table of shape {} has nothing to show", to_string(table.shape)));
    }
    constexpr std::array known{DType::float32,  DType::float64, DType::float16,
                               DType::bfloat16, DType::int32,   DType::int64};
    if (std::ranges::count(known, table.dtype) == 0) {
        throw UsageError(
            fmt::format("--html: a page shows no {}; use --npy", info(table.dtype).name));
    }
}

/// Checks a title. Throws: UsageError for a character that the text of a page cannot have.
void check_title(std::string_view title) {
    for (const Character& character : decode_utf8(title)) {
        const char32_t code = character.code;
        if (!is_control(code) && !xml_text(character.bytes).empty()) continue;
        throw UsageError(fmt::format("--title: contains U+{:04X}, which a page cannot show",
                                     static_cast<unsigned>(code)));
    }
}

/// Returns JSON in which no tag can begin, so that a page can contain it.
std::string json_for_page(const Json& json) {
    std::string text;
    for (const char c : json_line(json)) {
        text += c == '<' ? "\\u003c" : std::string(1, c);
    }
    return text;
}

Drawing page_of(const Table& table, const Parameters& parameters) {
    check_table(table);
    const Json head = table_head(table, parameters);
    const std::string provenance = xml_text(figure_provenance(table, parameters));
    check_title(head["title"].get<std::string>());
    const std::string title = xml_text(head["title"].get<std::string>());
    const std::string about = json_for_page(head);
    return {page::table_page({.provenance = provenance,
                              .title = title,
                              .head = about,
                              .elements = base64(element_bytes(table))}),
            {}};
}

}  // namespace

constinit const Format formats::html{
    .name = "html",
    .summary = "a page for a browser: every value under the pointer, to be zoomed and dragged",
    .extensions = "html htm",
    .is_binary = false,
    .parameters = figure_parameters,
    .idle_parameters =
        "plot xlabel ylabel colorbar-label no-colorbar select channels with font figsize dpi "
        "aspect "
        "interpolation transpose no-axes cell show-size show-colours show-as show-cell animate "
        "fps seconds",
    .options_title = "Figure options",
    .draw = page_of,
};

}  // namespace pegen
