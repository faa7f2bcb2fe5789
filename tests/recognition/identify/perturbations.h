#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "encodings/drawn/draws.h"
#include "recognition/identify/trial.h"

namespace pegen::trials {

/// Something that happens to a table on its way into a file.
struct Perturbation {
    std::string_view name;
    /// The commands whose tables it is tried on.
    std::span<const std::string_view> commands;
    /// Changes the array and what is expected of the answer.
    void (*change)(Trial& trial, Random& random);
};

std::span<const Perturbation> all_perturbations();

/// Returns the trials of a perturbation, one for each of its commands.
std::vector<Trial> perturbed(const Perturbation& perturbation, Random& random);

}  // namespace pegen::trials
