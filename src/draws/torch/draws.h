#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "draws/torch/mt19937.h"

namespace pegen::torch {

/// The 32-bit draws of PyTorch's CPU generator after torch.manual_seed(seed), counted from 0, in
/// any order. The generator can only go forward, so some of its states are kept, at most a few
/// hundred. Thread-safe.
class Draws {
  public:
    /// Uses only the low 32 bits of the seed, as PyTorch does.
    explicit Draws(std::int64_t seed);

    /// Returns a generator whose next draw is draw `first`. After this, from(first + count, ...) is
    /// quick.
    Mt19937 from(std::int64_t first, std::int64_t count);

  private:
    std::mutex mutex_;
    std::map<std::int64_t, Mt19937> states_;  ///< states, by the number of the next draw
};

/// Makes a double in [0, 1), a multiple of 2^-53, from the next two draws.
double unit_double(Mt19937& generator);

}  // namespace pegen::torch
