#include "files/archive.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/to_size.h"
#include "files/read_npz.h"
#include "files/read_safetensors.h"

namespace pegen {
namespace {

std::string start_of(const InputFile& file) {
    constexpr std::int64_t enough = 9;
    std::string start(to_size(file.holds(enough) ? enough : file.size()), '\0');
    file.read(0, std::as_writable_bytes(std::span(start)));
    return start;
}

void check_names(const Archive& archive, const std::string& path) {
    std::vector<std::string_view> names;
    for (const ArchiveMember& member : archive.members) names.push_back(member.name);
    std::ranges::sort(names);
    const auto twin = std::ranges::adjacent_find(names);
    if (twin != names.end()) throw FormatError(path, fmt::format("{} is in it twice", *twin));
}

}  // namespace

Archive open_archive(const std::shared_ptr<const InputFile>& file) {
    const std::string start = start_of(*file);
    Archive archive = is_zip(start)           ? read_npz(file)
                      : is_safetensors(start) ? read_safetensors(file)
                                              : Archive{};
    check_names(archive, file->path());
    return archive;
}

}  // namespace pegen
