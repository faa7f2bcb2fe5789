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

std::string path_of(std::string_view name) {
    return fmt::format("{}/tests/recognition/identify/answers/{}.txt", PEGEN_SOURCE_DIR, name);
}

std::vector<std::string> read_blocks(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return blocks_of({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

/// Writes the blocks if the environment asks for it. Returns false if they cannot be written.
bool write_if_asked(const std::string& path, const std::vector<std::string>& blocks) {
    if (!std::getenv("PEGEN_WRITE_ANSWERS")) return true;
    std::ofstream file(path, std::ios::binary);
    for (const std::string& block : blocks) file << block;
    return !file.flush().fail();
}

std::string_view question_of(std::string_view block) { return block.substr(0, block.find('\n')); }

std::string difference(const std::string& now, const std::string& then) {
    return now == then ? "" : fmt::format("{}instead of\n{}", now, then);
}

}  // namespace

std::string changed_answers(std::string_view name, const std::vector<Answer>& answers) {
#ifdef _LIBCPP_VERSION
    constexpr bool are_recorded = false;  // its distributions draw other arrays
#else
    constexpr bool are_recorded = true;
#endif
    if (!are_recorded) return "";
    const std::string path = path_of(name);
    std::vector<std::string> blocks;
    for (const Answer& answer : answers) blocks.push_back(block_of(answer));
    if (!write_if_asked(path, blocks)) return "cannot write " + path;
    std::string changed;
    for (const std::string& then : read_blocks(path)) {
        const auto now = std::ranges::find(blocks, question_of(then), question_of);
        changed += difference(now == blocks.end() ? "nothing\n" : *now, then);
    }
    return changed;
}

std::string changed_answer(std::string_view name, const Answer& answer) {
    const std::string path = path_of(name);
    const std::string block = block_of(answer);
    std::vector<std::string> known = read_blocks(path);
    const auto place = std::ranges::lower_bound(known, question_of(block), {}, question_of);
    const bool is_known = place != known.end() && question_of(*place) == question_of(block);
    const std::string changed = difference(block, is_known ? *place : "nothing\n");
    if (is_known) {
        *place = block;
    } else {
        known.insert(place, block);
    }
    if (!std::getenv("PEGEN_WRITE_ANSWERS")) return changed;
    return write_if_asked(path, known) ? "" : "cannot write " + path;
}

bool is_sampled(std::string_view name, unsigned parts) {
    unsigned hash = 2166136261;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
    return hash % parts == 0;
}

}  // namespace pegen::trials
