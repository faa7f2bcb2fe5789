#include "formats/text.h"

#include <string_view>
#include <vector>

#include "formats/aligned_words.h"

namespace pegen {
namespace {

// Print options of NumPy.
constexpr std::int64_t threshold = 1000;
constexpr std::int64_t edge_items = 3;
constexpr std::size_t line_width = 75;

/// An axis and the part of it that is shown: all of it, or only its edges.
struct ShownAxis {
    std::int64_t extent;
    bool is_elided;

    std::int64_t count() const { return is_elided ? 2 * edge_items : extent; }
    /// Returns the index along the axis of the i-th shown item.
    std::int64_t index(std::int64_t i) const {
        return is_elided && i >= edge_items ? extent - 2 * edge_items + i : i;
    }
};

std::vector<ShownAxis> shown_axes(const Shape& shape) {
    std::vector<ShownAxis> axes;
    for (const std::int64_t extent : shape.extents()) {
        axes.push_back({extent, shape.size() > threshold && extent > 2 * edge_items});
    }
    return axes;
}

/// Returns the rows that are shown, in order. `axes` are the axes that run over rows.
std::vector<std::int64_t> shown_rows(std::span<const ShownAxis> axes) {
    std::vector<std::int64_t> rows{0};
    for (const ShownAxis& axis : axes) {
        std::vector<std::int64_t> finer;
        for (const std::int64_t row : rows) {
            for (std::int64_t i = 0; i < axis.count(); ++i) {
                finer.push_back(row * axis.extent + axis.index(i));
            }
        }
        rows = std::move(finer);
    }
    return rows;
}

/// Reads the bytes of the shown elements, in order.
std::vector<std::byte> shown_elements(const Table& table, std::span<const ShownAxis> axes) {
    const ShownAxis columns = axes.size() > 1 ? axes.back() : ShownAxis{1, false};
    const std::size_t size = info(table.dtype).size;
    std::vector<std::byte> row(row_bytes(table));
    std::vector<std::byte> elements;
    for (const std::int64_t index :
         shown_rows(axes.size() > 1 ? axes.first(axes.size() - 1) : axes)) {
        table.rows({index, 1}, row);
        for (std::int64_t i = 0; i < columns.count(); ++i) {
            const auto element = row.begin() + columns.index(i) * static_cast<std::int64_t>(size);
            elements.insert(elements.end(), element, element + static_cast<std::int64_t>(size));
        }
    }
    return elements;
}

/// Returns the words of the innermost axis in brackets, in lines of less than `width` characters.
std::string bracketed_line(const ShownAxis& axis, std::span<const std::string> words,
                           const std::string& indent, std::size_t width) {
    std::string text;
    std::string line = indent;
    const auto extend = [&](std::string_view word) {
        if (line.size() + word.size() >= width && line.size() > indent.size()) {
            text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
            line = indent;
        }
        line += word;
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (axis.is_elided && i == edge_items) {
            extend("...");
            line += ' ';
        }
        extend(words[i]);
        if (i + 1 < words.size()) line += ' ';
    }
    text += line;
    return '[' + text.substr(indent.size()) + ']';
}

std::string bracketed(std::span<const ShownAxis> axes, std::span<const std::string> words,
                      const std::string& indent, std::size_t width) {
    const ShownAxis& axis = axes.front();
    if (axes.size() == 1) return bracketed_line(axis, words, indent, width);
    const std::string between(axes.size() - 1, '\n');
    const std::size_t part = words.size() / axis.count();
    std::string text = "[";
    for (std::int64_t i = 0; i < axis.count(); ++i) {
        if (i > 0) text += between + indent;
        if (axis.is_elided && i == edge_items) text += "..." + between + indent;
        text += bracketed(axes.subspan(1), words.subspan(i * part, part), indent + ' ', width - 1);
    }
    return text + ']';
}

std::string head(const Table& table, const Parameters&) {
    if (table.shape.size() == 0) return "[]\n";
    const std::vector<ShownAxis> axes = shown_axes(table.shape);
    const std::vector<std::byte> elements = shown_elements(table, axes);
    if (axes.empty()) return scalar_word(elements, table.dtype) + '\n';
    return bracketed(axes, aligned_words(elements, table.dtype), " ", line_width) + '\n';
}

std::string tail(const Table&, const Parameters&) { return ""; }

}  // namespace

constinit const Format formats::text{
    .name = "text",
    .summary = "the table as NumPy prints it, shortened beyond 1000 values",
    .extensions = "txt",
    .is_binary = false,
    .parameters = no_parameters,
    .options_title = "",
    .head = head,
    .append_rows = nullptr,
    .tail = tail,
};

}  // namespace pegen
