#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "cli/process.h"
#include "core/error.h"
#include "pegen.h"
#include "pegen/table.h"

namespace {

using pegen::GeneratedTable;
using pegen::UsageError;

/// The last message of this thread. An array has no destructor, which a thread without memory could
/// not register.
thread_local std::array<char, 4096> last_message{};

void keep(std::string_view message) {
    message = message.substr(0, last_message.size() - 1);
    *std::ranges::copy(message, last_message.begin()).out = '\0';
}

/// Stores the message of the exception that is being handled, and returns its status.
int kept_failure() noexcept {
    try {
        const pegen::cli::Failure failure = pegen::cli::current_failure();
        keep(failure.message);
        return static_cast<int>(failure.status);
    } catch (...) {
        keep("out of memory");
        return PEGEN_MEMORY;
    }
}

/// Calls `act` and returns the status of the exception it throws.
template <class Act>
int status_of(const Act& act) noexcept {
    try {
        act();
        return PEGEN_DONE;
    } catch (...) {
        return kept_failure();
    }
}

void check_given(const void* argument, const char* what) {
    if (!argument) throw UsageError(std::string(what) + ": is a null pointer");
}

pegen::Words words_of(const char* const* words, std::size_t count) {
    if (count > 0) check_given(words, "words");
    pegen::Words all;
    for (const char* word : std::span(words, count)) {
        check_given(word, "a word");
        all.emplace_back(word);
    }
    return all;
}

}  // namespace

struct pegen_table {
    GeneratedTable table;
    std::string dtype;
    std::string notes;

    explicit pegen_table(const pegen::Words& words) : table(words), dtype(table.dtype()) {
        for (const std::string& note : table.notes()) notes += note + "\n";
    }
};

const char* pegen_version() {
    static const std::string text(pegen::version());
    return text.c_str();
}

const char* pegen_message() { return last_message.data(); }

int pegen_open(const char* const* words, size_t count, pegen_table** table) {
    return status_of([&] {
        check_given(table, "table");
        *table = new pegen_table(words_of(words, count));
    });
}

void pegen_close(pegen_table* table) { delete table; }

const char* pegen_dtype(const pegen_table* table) { return table->dtype.c_str(); }

size_t pegen_rank(const pegen_table* table) { return table->table.shape().size(); }

const int64_t* pegen_shape(const pegen_table* table) { return table->table.shape().data(); }

const char* pegen_axis(const pegen_table* table, size_t axis) {
    const auto& names = table->table.axes();
    return axis < names.size() ? names[axis].c_str() : nullptr;
}

int64_t pegen_rows(const pegen_table* table) { return table->table.rows(); }

int64_t pegen_row_bytes(const pegen_table* table) { return table->table.bytes_per_row(); }

const char* pegen_notes(const pegen_table* table) { return table->notes.c_str(); }

int pegen_read_rows(const pegen_table* table, int64_t first, int64_t count, void* out,
                    size_t bytes) {
    return status_of([&] {
        check_given(table, "table");
        if (bytes > 0) check_given(out, "out");
        table->table.read_rows(first, count, {static_cast<std::byte*>(out), bytes});
    });
}

int pegen_file(const char* const* words, size_t count, const char* format, void** file,
               size_t* bytes) {
    return status_of([&] {
        check_given(format, "format");
        check_given(file, "file");
        check_given(bytes, "bytes");
        const std::string content = pegen::file(words_of(words, count), format);
        void* const copy = std::malloc(content.size());
        if (!copy) throw std::bad_alloc();
        std::memcpy(copy, content.data(), content.size());
        *file = copy;
        *bytes = content.size();
    });
}

void pegen_free(void* file) { std::free(file); }

int pegen_save(const char* const* words, size_t count, const char* path) {
    return status_of([&] {
        check_given(path, "path");
        pegen::save(words_of(words, count), path);
    });
}
