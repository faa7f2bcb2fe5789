#include "files/npy.h"

#include <utility>

#include "files/npy_header.h"

namespace pegen {

StoredArray read_npy(std::shared_ptr<const InputFile> file) {
    const ArrayLayout layout = read_npy_header(*file);
    return stored_array(std::move(file), layout);
}

Table read_npy(std::string_view path) {
    return read_npy(std::make_shared<const InputFile>(path)).table;
}

}  // namespace pegen
