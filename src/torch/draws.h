#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "torch/mt19937.h"

namespace pegen::torch {

/// The 32-bit draws of PyTorch's CPU generator after torch.manual_seed(seed), counted from 0, from
/// any place: the generator can only go forward, so states it went through are kept, at most
/// a few hundred. Safe to ask from many threads at once.
class Draws {
  public:
    /// Only the low 32 bits of a seed count, as in PyTorch.
    explicit Draws(std::int64_t seed);

    /// A generator about to make draw `first`. Asking next for `first + count` is quick.
    Mt19937 from(std::int64_t first, std::int64_t count);

  private:
    std::mutex mutex_;
    std::map<std::int64_t, Mt19937> states_;  ///< by the draw they are about to make
};

/// The next two draws as a double in [0, 1): a multiple of 2^-53.
double unit_double(Mt19937& generator);

}  // namespace pegen::torch
