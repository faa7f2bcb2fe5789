#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pegen::cli {

/// A word that may stand in a command line.
struct Candidate {
    std::string word;
    std::string_view summary;
};

/// What may stand in the place of a word.
struct Candidates {
    std::vector<Candidate> words;
    bool are_files = false;        ///< or any file
    std::string before_file = "";  ///< what the word has before the name of the file: "--npy="
};

/// Returns what the last of `typed`, which follow `pe-gen`, may be completed to: names of commands,
/// encodings and presets; options that are not there yet; the values of an option. Precondition:
/// there is a word; it may be empty.
Candidates completed_words(std::span<const std::string_view> typed);

}  // namespace pegen::cli
