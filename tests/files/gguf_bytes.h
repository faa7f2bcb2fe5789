#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::testing {

/// The least significant bytes of a number first.
inline std::string little_endian(std::uint64_t number, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(number >> 8 * i);
    return bytes;
}

inline std::string bytes_of_floats(const std::vector<float>& numbers) {
    std::string bytes(numbers.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

/// A GGUF file that is put together piece by piece, right or wrong.
struct GgufBytes {
    std::string keys{}, tensors{}, elements{};
    std::uint64_t key_count = 0, tensor_count = 0, version = 3;

    static std::string text_bytes(std::string_view text) {
        return little_endian(text.size(), 8) + std::string(text);
    }
    GgufBytes& key(std::string_view name, std::uint64_t type, const std::string& value) {
        keys += text_bytes(name) + little_endian(type, 4) + value;
        ++key_count;
        return *this;
    }
    GgufBytes& count(std::string_view name, std::uint64_t value) {
        return key(name, 4, little_endian(value, 4));
    }
    GgufBytes& real(std::string_view name, float value) {
        return key(name, 6, bytes_of_floats({value}));
    }
    GgufBytes& text(std::string_view name, std::string_view value) {
        return key(name, 8, text_bytes(value));
    }
    GgufBytes& counts(std::string_view name, const std::vector<std::uint64_t>& values) {
        std::string bytes = little_endian(4, 4) + little_endian(values.size(), 8);
        for (const std::uint64_t value : values) bytes += little_endian(value, 4);
        return key(name, 9, bytes);
    }
    /// Lists a tensor. The extents are in the order of the file, innermost first.
    GgufBytes& listed(std::string_view name, const std::vector<std::uint64_t>& extents,
                      std::uint64_t type, std::uint64_t offset) {
        tensors += text_bytes(name) + little_endian(extents.size(), 4);
        for (const std::uint64_t extent : extents) tensors += little_endian(extent, 8);
        tensors += little_endian(type, 4) + little_endian(offset, 8);
        ++tensor_count;
        return *this;
    }
    GgufBytes& floats(std::string_view name, const std::vector<std::uint64_t>& extents,
                      const std::vector<float>& values) {
        listed(name, extents, 0, elements.size());
        elements += bytes_of_floats(values);
        elements.resize((elements.size() + 31) / 32 * 32);
        return *this;
    }
    std::string bytes() const {
        std::string head = "GGUF" + little_endian(version, 4) + little_endian(tensor_count, 8) +
                           little_endian(key_count, 8) + keys + tensors;
        head.resize((head.size() + 31) / 32 * 32);
        return head + elements;
    }
};

}  // namespace pegen::testing
