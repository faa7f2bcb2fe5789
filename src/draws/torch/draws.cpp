#include "draws/torch/draws.h"

#include <iterator>

namespace pegen::torch {
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
