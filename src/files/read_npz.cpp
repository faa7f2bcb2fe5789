#include "files/read_npz.h"

#include <utility>

#include "core/error.h"
#include "files/npy.h"
#include "files/read_zip.h"

namespace pegen {

bool is_zip(std::string_view start) {
    // The latter is an archive without files.
    return start.starts_with("PK\3\4") || start.starts_with("PK\5\6");
}

Archive read_npz(const std::shared_ptr<const InputFile>& file) {
    constexpr std::string_view extension = ".npy";
    Archive archive{"npz", {}};
    for (ZipMember& member : read_zip(file)) {
        const bool is_array = member.name.ends_with(extension);
        const std::string name =
            member.name.substr(0, member.name.size() - (is_array ? extension.size() : 0));
        const std::string path = file->path() + ":" + name;
        archive.members.push_back({name, path, [=, open = std::move(member.open)] {
                                       if (!is_array) {
                                           throw FormatError(path,
                                                             "its name is not that of an NPY file");
                                       }
                                       return read_npy(open(path));
                                   }});
    }
    return archive;
}

}  // namespace pegen
