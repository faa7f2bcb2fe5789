#include "files/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/to_size.h"

namespace pegen {

void Sha256::add(std::span<const std::byte> bytes) {
    sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    size_ += std::ssize(bytes);
}

std::string Sha256::hex() const {
    sha256_ctx state = state_;  // sha256_digest() starts anew
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&state, digest.size(), digest.data());
    std::string text;
    for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
    return text;
}

Sha256 sha256_of(const InputFile& file) {
    constexpr std::int64_t at_once = 1 << 16;
    Sha256 digest;
    std::vector<std::byte> bytes;
    for (std::int64_t offset = 0; offset < file.size(); offset += at_once) {
        bytes.resize(to_size(std::min(at_once, file.size() - offset)));
        file.read(offset, bytes);
        digest.add(bytes);
    }
    return digest;
}

}  // namespace pegen
