#include "draws/torch/mt19937.h"

#include <algorithm>
#include <iterator>

#include "core/clones.h"
#include "core/progress.h"

namespace pegen::torch {
namespace {

using namespace mersenne;

PEGEN_CLONES void twist(std::uint32_t* state) {
    for (std::size_t j = 0; j < size - middle; ++j) {
        state[j] = state[j + middle] ^ twisted(state[j], state[j + 1]);
    }
    for (std::size_t j = size - middle; j < size - 1; ++j) {
        state[j] = state[j - (size - middle)] ^ twisted(state[j], state[j + 1]);
    }
    state[size - 1] = state[middle - 1] ^ twisted(state[size - 1], state[0]);
}

PEGEN_CLONES void temper_units(const std::uint32_t* state, std::size_t count, float* out) {
    for (std::size_t i = 0; i < count; ++i) {
        // The type is signed, because only signed integers have an instruction that converts them
        // to float.
        const auto bits = static_cast<std::int32_t>(tempered(state[i]) & 0xffffffU);
        out[i] = static_cast<float>(bits) * 0x1p-24F;
    }
}

}  // namespace

Mt19937::Mt19937(std::uint32_t seed) { seed_words(seed, state_); }

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
        report_work(size);
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

namespace {

constexpr std::size_t most_states = 512;

}  // namespace

Draws::Draws(std::int64_t seed) { states_.emplace(0, Mt19937(static_cast<std::uint32_t>(seed))); }

Mt19937 Draws::from(std::int64_t first, std::int64_t count) {
    const std::lock_guard lock(mutex_);
    const auto known = std::prev(states_.upper_bound(first));
    Mt19937 generator = known->second;
    generator.skip(first - known->first);
    // Rows are mostly read in order: the next thread begins where this one will end.
    Mt19937 next = generator;
    next.skip(count);
    states_.emplace(first + count, next);
    if (states_.size() > most_states) {
        // Drops every second state, but never the first.
        for (auto state = std::next(states_.begin()); state != states_.end();) {
            state = states_.erase(state);
            if (state != states_.end()) ++state;
        }
    }
    return generator;
}

double unit_double(Mt19937& generator) {
    const std::uint64_t high = generator.next();
    const std::uint64_t both = high << 32 | generator.next();
    return static_cast<double>(both & ((std::uint64_t{1} << 53) - 1)) * 0x1p-53;
}

}  // namespace pegen::torch
