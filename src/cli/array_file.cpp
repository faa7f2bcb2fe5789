#include "cli/array_file.h"

#include "files/input_file.h"
#include "files/read_npy.h"

namespace pegen::cli {

ArrayFile open_array(const std::string& path) {
    const auto file = InputFile::regular_or_pipe(path);
    return {file->path(), read_npy(file).table};
}

}  // namespace pegen::cli
