#include "figure/fenced_bytes.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <memory>
#include <span>

#include "core/error.h"

namespace pegen {
namespace {

// Both sizes are multiples of any page size.
constexpr std::size_t margin = std::size_t{16} << 20;
constexpr std::uint64_t fence_bytes = (std::uint64_t{1} << 32) + 2 * margin;
constexpr auto fence_size = static_cast<std::size_t>(fence_bytes);
constexpr bool fits_addresses = sizeof(std::size_t) > 4;

}  // namespace

FencedBytes::FencedBytes(const InputFile& file, std::int64_t most_bytes) {
    const std::string& path = file.path();
    if constexpr (!fits_addresses) {
        throw FileError(path,
                        "cannot read: a program with addresses of 32 bits has its own font alone");
    }
    size_ = file.size();
    if (size_ > most_bytes) {
        throw FileError(path, fmt::format("cannot read: has {} bytes, more than {} MiB", size_,
                                          most_bytes >> 20));
    }
    fence_ =
        ::mmap(nullptr, fence_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fence_ == MAP_FAILED) throw FileError(path, "cannot read", errno);
    const auto unmap = [](void* fence) { ::munmap(fence, fence_size); };
    std::unique_ptr<void, decltype(unmap)> owner(fence_, unmap);
    std::byte* bytes = static_cast<std::byte*>(fence_) + margin;
    const std::size_t size = size_;
    if (size > 0) {
        // The file is copied, not mapped: if another process shortens a mapped file, reading it
        // raises SIGBUS.
        if (::mprotect(bytes, size, PROT_READ | PROT_WRITE) != 0) {
            throw FileError(path, "cannot read", errno);
        }
        file.read(0, std::span(bytes, size));
        ::mprotect(bytes, size, PROT_READ);
    }
    begin_ = reinterpret_cast<const unsigned char*>(bytes);
    owner.release();
}

FencedBytes::~FencedBytes() { ::munmap(fence_, fence_size); }

}  // namespace pegen
