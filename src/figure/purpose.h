#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/parameters.h"

namespace pegen {

/// What a figure is for: a word of --for, and the options that the word stands for.
struct Purpose {
    std::string_view name;
    std::string_view settings;
    std::string_view summary;
};

std::span<const Purpose> all_purposes();

/// Returns the names of all purposes, separated by spaces.
std::string purpose_words();

/// Returns the figure's options with what --for stands for, except options that are given
/// themselves.
Parameters for_purpose(Parameters figure);

}  // namespace pegen
