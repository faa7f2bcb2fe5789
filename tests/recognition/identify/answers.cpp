#include "recognition/identify/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace pegen::trials {
namespace {

/// Returns an answer as it is in a file: the question, the indented lines of the answer, a blank.
std::string block_of(const Answer& answer) {
    std::string block = answer.question + "\n";
    bool is_at_start = true;
    for (const char c : answer.text) {
        if (is_at_start && c != '\n') block += "    ";
        is_at_start = c == '\n';
        block += c;
    }
    return block + (is_at_start ? "\n" : "\n\n");
}

std::vector<std::string> blocks_of(const std::string& text) {
    std::vector<std::string> blocks;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find("\n\n", from), text.size() - 2) + 2;
        blocks.push_back(text.substr(from, end - from));
        from = end;
    }
    return blocks;
}

}  // namespace

std::string changed_answers(std::string_view name, const std::vector<Answer>& answers) {
    const std::string path =
        fmt::format("{}/tests/recognition/identify/answers/{}.txt", PEGEN_SOURCE_DIR, name);
    std::vector<std::string> blocks;
    for (const Answer& answer : answers) blocks.push_back(block_of(answer));
    if (std::getenv("PEGEN_WRITE_ANSWERS")) {
        std::ofstream file(path, std::ios::binary);
        for (const std::string& block : blocks) file << block;
        if (!file.flush()) return "cannot write " + path;
    }
    std::ifstream file(path, std::ios::binary);
    const std::vector<std::string> known =
        blocks_of({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    std::string changed;
    for (std::size_t i = 0; i < std::max(blocks.size(), known.size()); ++i) {
        const std::string now = i < blocks.size() ? blocks[i] : "nothing\n";
        const std::string then = i < known.size() ? known[i] : "nothing\n";
        if (now != then) changed += fmt::format("{}instead of\n{}", now, then);
    }
    return changed;
}

}  // namespace pegen::trials
