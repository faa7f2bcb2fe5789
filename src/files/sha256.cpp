#include "files/sha256.h"

#include <fmt/format.h>

namespace pegen {

void Sha256::add(std::span<const std::byte> bytes) {
    sha256_update(&state_, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    size_ += std::ssize(bytes);
}

std::string Sha256::bytes() const {
    sha256_ctx state = state_;  // sha256_digest() starts anew
    std::string digest(SHA256_DIGEST_SIZE, '\0');
    sha256_digest(&state, digest.size(), reinterpret_cast<std::uint8_t*>(digest.data()));
    return digest;
}

std::string Sha256::hex() const {
    std::string text;
    for (const char byte : bytes()) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return text;
}

Sha256 sha256_of(const InputFile& file) {
    Sha256 digest;
    file.read_pieces(0, file.size(), [&](std::span<const std::byte> piece) {
        digest.add(piece);
        return true;
    });
    return digest;
}

}  // namespace pegen
