#include "mpi/shared_file.h"

#include <mpi.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/error.h"

namespace pegen::mpi {
namespace {

/// Returns the errno that says what an MPI function failed for, as far as MPI knows.
int error_number(int result) {
    int kind = MPI_ERR_OTHER;
    ::MPI_Error_class(result, &kind);
    switch (kind) {
        case MPI_ERR_NO_SPACE:
            return ENOSPC;
        case MPI_ERR_QUOTA:
            return EDQUOT;
        case MPI_ERR_ACCESS:
            return EACCES;
        case MPI_ERR_NO_SUCH_FILE:
            return ENOENT;
        case MPI_ERR_READ_ONLY:
            return EROFS;
        default:
            return errno != 0 ? errno : EIO;
    }
}

}  // namespace

struct SharedFile::State {
    MPI_File file = MPI_FILE_NULL;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        if (file != MPI_FILE_NULL) ::MPI_File_close(&file);
    }
};

SharedFile::SharedFile(const std::string& path, std::string shown)
    : shown_(std::move(shown)), state_(std::make_unique<State>()) {
    errno = 0;
    const int result =
        ::MPI_File_open(MPI_COMM_SELF, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &state_->file);
    if (result != MPI_SUCCESS) throw FileError(shown_, "cannot open", error_number(result));
}

SharedFile::SharedFile(SharedFile&& other) noexcept = default;
SharedFile::~SharedFile() = default;

void SharedFile::write(std::int64_t offset, Bytes bytes) {
    constexpr std::size_t most = std::size_t{1} << 30;  // MPI counts as int
    while (!bytes.empty()) {
        const Bytes part = bytes.first(std::min(most, bytes.size()));
        MPI_Status status{};
        errno = 0;
        const int result = ::MPI_File_write_at(state_->file, offset, part.data(),
                                               static_cast<int>(part.size()), MPI_BYTE, &status);
        if (result != MPI_SUCCESS) throw FileError(shown_, "cannot write", error_number(result));
        int written = 0;
        ::MPI_Get_count(&status, MPI_BYTE, &written);
        if (written <= 0) throw FileError(shown_, "cannot write", errno != 0 ? errno : EIO);
        offset += written;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void SharedFile::finish(bool waits) {
    errno = 0;
    int result = waits ? ::MPI_File_sync(state_->file) : MPI_SUCCESS;
    if (result == MPI_SUCCESS) result = ::MPI_File_close(&state_->file);
    if (result != MPI_SUCCESS) throw FileError(shown_, "cannot write", error_number(result));
}

}  // namespace pegen::mpi
