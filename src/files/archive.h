#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/input_file.h"
#include "files/stored_array.h"

namespace pegen {

/// An array in a file of several arrays.
struct ArchiveMember {
    std::string name;
    std::string path;  ///< for messages: "weights.npz:cos"
    /// Opens the array. Throws: FormatError if a table cannot hold it; FileError.
    std::function<StoredArray()> open;
};

/// A file of several arrays, which stays open.
struct Archive {
    std::string_view format;  ///< "npz"
    std::vector<ArchiveMember> members;
    std::string provenance{};  ///< the JSON that pe-gen writes into it; "" if there is none
};

/// Opens a file of several arrays, whose format its first bytes tell: NPZ, as numpy.savez and
/// numpy.savez_compressed write it, safetensors, a GGUF file (gguf_file.h), or a PyTorch checkpoint
/// (torch_file.h). Returns an archive without a format for any other file. The file is not trusted:
/// all places are checked before they are used, and the names of members must differ. Throws:
/// FormatError; FileError.
Archive open_archive(const std::shared_ptr<const InputFile>& file);

}  // namespace pegen
