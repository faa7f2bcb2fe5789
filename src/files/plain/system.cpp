#include "files/system.h"

#include <unistd.h>

#include <cerrno>

namespace pegen {

Descriptor create_unnamed(const Descriptor&) { return Descriptor(); }

int name_unnamed(const Descriptor&, const Descriptor&, const char*) { return ENOSYS; }

bool is_append_only(const Descriptor&) { return false; }

int allocate(const Descriptor&, std::int64_t) { return 0; }

void start_writing_back(const Descriptor&, std::int64_t, std::int64_t) {}

void end_writing_back(const Descriptor&) {}

int sync_data(const Descriptor& file) { return ::fsync(file.number()); }

int rename_to_free(const Descriptor&, const char*, const char*) { return ENOSYS; }

int exchange_names(const Descriptor&, const char*, const char*) { return ENOSYS; }

bool has_open_files(const std::filesystem::path&) { return false; }

}  // namespace pegen
