#include "files/memory_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>

#include "core/error.h"
#include "files/temporary_name.h"

namespace pegen {
namespace {

/// A file in the folder for temporary files, which its name keeps in existence.
struct TemporaryFile {
    std::string folder;
    Descriptor place;  ///< the folder, where the name is removed
    Descriptor file;
    std::unique_ptr<TemporaryName> name;
};

TemporaryFile temporary_file(std::string_view bytes) {
    const char* const chosen = std::getenv("TMPDIR");
    TemporaryFile made;
    made.folder = chosen && *chosen ? chosen : "/tmp";
    made.place = Descriptor(::open(made.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    NamedFile named = create_beside(made.place.number(), "memory", [&](const char* name) {
        return ::openat(made.place.number(), name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    });
    if (named.result < 0) throw FileError("a temporary file", "cannot create", errno);
    made.file = Descriptor(named.result);
    made.name = std::move(named.name);
    while (!bytes.empty()) {
        const ssize_t written = ::write(named.result, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            throw FileError("a temporary file", "cannot write", errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return made;
}

}  // namespace

Descriptor file_in_memory(std::string_view bytes) { return temporary_file(bytes).file; }

MemoryFile::MemoryFile(std::string_view bytes) {
    const auto made = std::make_shared<const TemporaryFile>(temporary_file(bytes));
    path_ = fmt::format("{}/{}", made->folder, made->name->text());
    owner_ = made;
}

}  // namespace pegen
