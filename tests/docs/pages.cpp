#include "docs/pages.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace {

constexpr std::string_view indent = "    ", prompt = "    $ ";

std::vector<std::string> lines_of(const std::string& page) {
    std::ifstream file(std::string(PEGEN_SOURCE_DIR) + "/" + page);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
}

/// The lines of a text, without spaces at their ends.
std::vector<std::string_view> lines_in(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        lines.push_back(line.substr(0, line.find_last_not_of(' ') + 1));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

using Lines = std::vector<std::string_view>;

bool matches(const Lines& output, std::size_t i, const Lines& shown, std::size_t k) {
    if (k == shown.size()) return i == output.size();
    if (shown[k] != "...") {
        return i < output.size() && output[i] == shown[k] && matches(output, i + 1, shown, k + 1);
    }
    for (; i <= output.size(); ++i) {
        if (matches(output, i, shown, k + 1)) return true;
    }
    return false;
}

}  // namespace

std::vector<std::string> all_pages() {
    const std::filesystem::path source = PEGEN_SOURCE_DIR;
    std::vector<std::string> pages{"README.md"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / "docs")) {
        if (entry.path().extension() == ".md") {
            pages.push_back(std::filesystem::relative(entry.path(), source));
        }
    }
    std::ranges::sort(pages);
    return pages;
}

std::vector<ShownCommand> commands_in_blocks(const std::string& page) {
    const std::vector<std::string> lines = lines_of(page);
    std::vector<ShownCommand> commands;
    bool is_below_command = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].starts_with(prompt)) {
            commands.push_back({page, static_cast<int>(i) + 1, lines[i].substr(prompt.size()), ""});
            std::string& command = commands.back().command;
            while (command.ends_with('\\') && i + 1 < lines.size()) {
                command.pop_back();
                command += lines[++i].substr(indent.size());
            }
            is_below_command = true;
        } else if (is_below_command && lines[i].starts_with(indent)) {
            commands.back().output += lines[i].substr(indent.size()) + "\n";
        } else if (is_below_command && lines[i].empty() && i + 1 < lines.size() &&
                   lines[i + 1].starts_with(indent) && !commands.back().output.empty()) {
            commands.back().output += "\n";  // within the block
        } else {
            is_below_command = false;
        }
    }
    return commands;
}

std::vector<ShownCommand> commands_in_text(const std::string& page) {
    const std::vector<std::string> lines = lines_of(page);
    std::vector<ShownCommand> commands;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].starts_with(indent)) continue;
        const std::string& line = lines[i];
        for (std::size_t at = line.find("`pe-gen "); at != line.npos;) {
            const std::size_t end = line.find('`', at + 1);
            if (end == line.npos) break;
            commands.push_back(
                {page, static_cast<int>(i) + 1, line.substr(at + 1, end - at - 1), ""});
            at = line.find("`pe-gen ", end + 1);
        }
    }
    return commands;
}

std::vector<Snippet> snippets_of(const std::string& page) {
    constexpr std::string_view fence = "```";
    std::vector<Snippet> snippets;
    bool is_within = false;
    int number = 0;
    for (const std::string& line : lines_of(page)) {
        ++number;
        if (line.starts_with(fence)) {
            is_within = !is_within;
            if (is_within) snippets.push_back({number, line.substr(fence.size()), ""});
        } else if (is_within) {
            snippets.back().text += line + "\n";
        }
    }
    return snippets;
}

bool is_shown(std::string_view output, std::string_view shown) {
    return matches(lines_in(output), 0, lines_in(shown), 0);
}
