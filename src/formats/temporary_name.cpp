#include "formats/temporary_name.h"

#include <unistd.h>

#include <utility>

namespace pegen {
namespace {

void remove(const char* path) { ::unlink(path); }

}  // namespace

TemporaryName::TemporaryName(std::string path)
    : path_(std::move(path)), removal_(remove, path_.c_str()) {}

TemporaryName::~TemporaryName() {
    if (is_ours_) remove(path_.c_str());
}

}  // namespace pegen
