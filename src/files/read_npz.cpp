#include "files/read_npz.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "files/foreign_file.h"
#include "files/npy.h"
#include "files/read_zip.h"

namespace pegen {

bool is_zip(std::string_view start) {
    // The latter is an archive without files.
    return start.starts_with("PK\3\4") || start.starts_with("PK\5\6");
}

Archive read_npz(const std::shared_ptr<const InputFile>& file) {
    constexpr std::string_view extension = ".npy";
    std::vector<ZipMember> members = read_zip(file);
    std::vector<std::string> names;
    for (const ZipMember& member : members) names.push_back(member.name);
    const auto is_npy = [&](const std::string& name) { return name.ends_with(extension); };
    if (!names.empty() && std::ranges::none_of(names, is_npy)) {
        throw FormatError(file->path(), foreign_text(*file, names));
    }
    Archive archive{"npz", {}};
    for (ZipMember& member : members) {
        const bool is_array = is_npy(member.name);
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
