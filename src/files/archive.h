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
    std::string path{};        ///< for messages
    std::shared_ptr<const InputFile> file{};  ///< the file itself; null for several files
};

/// Opens a file of several arrays, whose format its first bytes tell: NPZ, as numpy.savez and
/// numpy.savez_compressed write it, safetensors, a GGUF file (gguf_file.h), or a PyTorch checkpoint
/// (torch_file.h). Returns an archive without a format for any other file. The file is not trusted:
/// all places are checked before they are used, and the names of members must differ. Throws:
/// FormatError; FileError.
Archive open_archive(const std::shared_ptr<const InputFile>& file);

/// Whether a pipe, or standard input, is read.
enum class Pipes { read, refused };

/// Opens what a path names: a file, as above; the arrays of several files by their index,
/// model.safetensors.index.json or pytorch_model.bin.index.json; or a folder of a model: by the
/// index in it, or else the only file of arrays, or the one with a usual name. The format of
/// several files is "sharded". Each is opened when the first of its arrays is; the index may only
/// name files beside it, and a file that is missing refuses its arrays alone. Throws: FormatError;
/// FileError.
Archive open_archive(std::string_view path, Pipes pipes = Pipes::read);

}  // namespace pegen
