// Any lines as the words of the C interface, one per line: refused with a status of pegen.h and a
// message of one line, or accepted as a table whose rows are the same one by one, together, and in
// its NPY file.

#include <cstring>
#include <string>
#include <vector>

#include "cli/subject.h"
#include "core/error.h"
#include "core/names.h"
#include "fuzz_target.h"
#include "library/words.h"
#include "pegen.h"

namespace {

using namespace pegen;
using pegen::fuzz::require;

constexpr std::int64_t most_bytes = 1 << 16;

/// True if the words ask for a table that is not small, whose values would take long.
bool is_large(const Words& words) {
    try {
        const cli::Request request = request_of(words, {"--quiet"});
        const cli::RequestedTable& wanted = request.tables.front();
        return total_bytes(plan_table(*request.subject.encoding, *wanted.spec, request.parameters,
                                      wanted.dtype)
                               .table) > most_bytes;
    } catch (const Error&) {
        return false;
    }
}

void check_failure(int status) {
    require(status == PEGEN_USAGE || status == PEGEN_MALFORMED || status == PEGEN_FILE);
    const std::string message = pegen_message();
    require(!message.empty() && message.find('\n') == message.npos);
}

void check_table(const pegen_table* table, const std::vector<const char*>& words) {
    const std::int64_t rows = pegen_rows(table);
    const std::int64_t row_bytes = pegen_row_bytes(table);
    const auto size = static_cast<std::size_t>(rows * row_bytes);
    std::vector<char> whole(size);
    require(pegen_read_rows(table, 0, rows, whole.data(), size) == PEGEN_DONE);
    std::vector<char> single(static_cast<std::size_t>(row_bytes));
    for (std::int64_t row = 0; row < rows; ++row) {
        require(pegen_read_rows(table, row, 1, single.data(), single.size()) == PEGEN_DONE);
        require(std::memcmp(single.data(), whole.data() + row * row_bytes, single.size()) == 0);
    }
    require(pegen_read_rows(table, rows, 1, single.data(), single.size()) == PEGEN_USAGE);

    void* file = nullptr;
    std::size_t bytes = 0;
    require(pegen_file(words.data(), words.size(), "npy", &file, &bytes) == PEGEN_DONE);
    require(bytes > size &&
            std::memcmp(static_cast<const char*>(file) + bytes - size, whole.data(), size) == 0);
    pegen_free(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    Words words;
    for (const std::string_view line : fields(fuzz::as_text(bytes, size), '\n')) {
        words.emplace_back(line.substr(0, line.find('\0')));
    }
    if (is_large(words)) return 0;
    std::vector<const char*> pointers;
    for (const std::string& word : words) pointers.push_back(word.c_str());
    pegen_table* table = nullptr;
    const int status = pegen_open(pointers.data(), pointers.size(), &table);
    if (status == PEGEN_DONE) {
        if (pegen_rows(table) * pegen_row_bytes(table) > 0) check_table(table, pointers);
        pegen_close(table);
    } else {
        check_failure(status);
    }
    return 0;
}
