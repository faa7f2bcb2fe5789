#include "files/system.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

#include "files/temporary_name.h"

namespace pegen {

#ifdef O_SEARCH
const int as_place = O_SEARCH | O_DIRECTORY;
#else
const int as_place = O_RDONLY | O_DIRECTORY;
#endif

Descriptor create_unnamed(const Descriptor&) { return Descriptor(); }

int name_unnamed(const Descriptor&, const Descriptor&, const char*) { return ENOSYS; }

bool is_append_only(const Descriptor&) { return false; }

bool is_in_memory(const Descriptor&) { return false; }

int allocate(const Descriptor&, std::int64_t) { return 0; }

void start_writing_back(const Descriptor&, std::int64_t, std::int64_t) {}

int sync_data(const Descriptor& file) { return ::fsync(file.number()); }

int rename_to_free(const Descriptor&, const char*, const char*) { return ENOSYS; }

int exchange_names(const Descriptor&, const char*, const char*) { return ENOSYS; }

FileInMemory create_in_memory() {
    struct Place {
        Descriptor folder;
        std::unique_ptr<TemporaryName> name;
    };
    const char* const chosen = std::getenv("TMPDIR");
    const std::string path = chosen && *chosen ? chosen : "/tmp";
    const auto place = std::make_shared<Place>();
    place->folder = Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const int folder = place->folder.number();
    NamedFile made = create_beside(folder, "memory", [&](const char* name) {
        return ::openat(folder, name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    });
    if (made.result < 0) return {Descriptor(), "", nullptr};
    place->name = std::move(made.name);
    return {Descriptor(made.result), path + "/" + place->name->text(), place};
}

void keep_memory() {}

void share_kept_memory() {}

bool loads_libraries() { return true; }

bool has_open_files(const std::filesystem::path& folder) {
    // By its name: what file system it is in, POSIX does not say.
    return folder.filename() == "fd" && folder.string().starts_with("/proc/");
}

}  // namespace pegen
