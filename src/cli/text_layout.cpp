#include "cli/text_layout.h"

#include <vector>

#include "core/names.h"

namespace pegen::cli {
namespace {

std::vector<std::string> wrapped(std::string_view line, std::size_t width) {
    std::vector<std::string> lines{""};
    for (const std::string_view word : words(line)) {
        if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
            lines.emplace_back();
        }
        if (!lines.back().empty()) lines.back() += ' ';
        lines.back() += word;
    }
    return lines;
}

}  // namespace

std::string two_columns(std::string_view left, std::string_view right, std::size_t column) {
    std::string result(left);
    bool is_first = left.size() + 2 <= column;
    if (!is_first) result += '\n';
    for (const std::string& line : wrapped(right, text_width - column)) {
        result += std::string(is_first ? column - left.size() : column, ' ') + line + '\n';
        is_first = false;
    }
    return result;
}

std::string paragraph(std::string_view text, std::size_t indent) {
    std::string result;
    for (const std::string_view line : words(text, '\n')) {
        // A line that fits keeps its spaces, by which formulas are aligned.
        if (line.size() + indent <= text_width) {
            result += std::string(indent, ' ').append(line) + '\n';
            continue;
        }
        for (const std::string& part : wrapped(line, text_width - indent)) {
            result += std::string(indent, ' ') + part + '\n';
        }
    }
    return result;
}

}  // namespace pegen::cli
