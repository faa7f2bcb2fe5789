#include "files/read_npz.h"

#include <span>
#include <utility>

#include "core/error.h"
#include "files/npy.h"
#include "files/read_zip.h"

namespace pegen {
namespace {

/// An archive without files begins so.
constexpr std::string_view end_of_zip = "PK\5\6";

}  // namespace

bool is_zip(std::string_view start) {
    return start.starts_with("PK\3\4") || start.starts_with(end_of_zip);
}

Archive read_npz(const std::shared_ptr<const InputFile>& file) {
    constexpr std::string_view extension = ".npy";
    Archive archive{"npz", {}};
    std::string start(end_of_zip.size(), '\0');
    file->read(0, std::as_writable_bytes(std::span(start)));
    if (start == end_of_zip) return archive;
    for (ZipMember& member : read_zip(file)) {
        const bool is_array = member.name.ends_with(extension);
        const std::string name =
            member.name.substr(0, member.name.size() - (is_array ? extension.size() : 0));
        const std::string path = file->path() + ":" + name;
        archive.members.push_back({name, path, [=, open = std::move(member.open)] {
                                       if (!is_array) {
                                           throw FormatError(path, "is no NPY file by its name");
                                       }
                                       return read_npy(open(path));
                                   }});
    }
    return archive;
}

}  // namespace pegen
