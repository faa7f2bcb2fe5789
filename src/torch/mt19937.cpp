#include "torch/mt19937.h"

#include <algorithm>

#include "core/clones.h"

namespace pegen::torch {
namespace {

constexpr std::size_t size = 624;
constexpr std::size_t middle = 397;

/// Returns what words j and j + 1 contribute to word j of the next state.
inline std::uint32_t twisted(std::uint32_t word, std::uint32_t next) {
    const std::uint32_t joined = (word & 0x80000000U) | (next & 0x7fffffffU);
    return (joined >> 1) ^ ((0U - (next & 1U)) & 0x9908b0dfU);
}

PEGEN_CLONES void twist(std::uint32_t* state) {
    for (std::size_t j = 0; j < size - middle; ++j) {
        state[j] = state[j + middle] ^ twisted(state[j], state[j + 1]);
    }
    for (std::size_t j = size - middle; j < size - 1; ++j) {
        state[j] = state[j - (size - middle)] ^ twisted(state[j], state[j + 1]);
    }
    state[size - 1] = state[middle - 1] ^ twisted(state[size - 1], state[0]);
}

inline std::uint32_t tempered(std::uint32_t word) {
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680U;
    word ^= (word << 15) & 0xefc60000U;
    return word ^ (word >> 18);
}

PEGEN_CLONES void temper_units(const std::uint32_t* state, std::size_t count, float* out) {
    for (std::size_t i = 0; i < count; ++i) {
        // Signed, because only signed integers have an instruction that converts them to float.
        const auto bits = static_cast<std::int32_t>(tempered(state[i]) & 0xffffffU);
        out[i] = static_cast<float>(bits) * 0x1p-24F;
    }
}

}  // namespace

Mt19937::Mt19937(std::uint32_t seed) {
    state_[0] = seed;
    for (std::uint32_t j = 1; j < size; ++j) {
        state_[j] = 1812433253U * (state_[j - 1] ^ (state_[j - 1] >> 30)) + j;
    }
}

std::uint32_t Mt19937::next() {
    if (used_ == size) {
        twist(state_.data());
        used_ = 0;
    }
    return tempered(state_[used_++]);
}

void Mt19937::skip(std::int64_t draws) {
    // A state that is skipped whole is not tempered.
    std::int64_t left = static_cast<std::int64_t>(used_) + draws;
    for (; left > static_cast<std::int64_t>(size); left -= static_cast<std::int64_t>(size)) {
        twist(state_.data());
    }
    used_ = static_cast<std::size_t>(left);
}

void Mt19937::draw_units(std::span<float> out) {
    while (!out.empty()) {
        if (used_ == size) {
            twist(state_.data());
            used_ = 0;
        }
        const std::size_t count = std::min(out.size(), size - used_);
        temper_units(state_.data() + used_, count, out.data());
        used_ += count;
        out = out.subspan(count);
    }
}

}  // namespace pegen::torch
