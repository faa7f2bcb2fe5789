#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::cli {

/// A word that may be typed next in a command line.
struct Candidate {
    std::string word;
    std::string_view summary;
};

/// The possible completions of a word.
struct Candidates {
    std::vector<Candidate> words;
    bool are_files = false;        ///< any file is possible, too
    std::string before_file = "";  ///< text of the word before the file name: "--npy="
};

/// Returns the completions of the last word of `typed`, which has the words after `pe-gen`: names
/// of commands, encodings and presets; options that are not given yet; the values of an option;
/// the arrays of a file behind FILE:.
/// Precondition: `typed` is not empty; its last word may be "".
Candidates completed_words(std::span<const std::string_view> typed);

}  // namespace pegen::cli
