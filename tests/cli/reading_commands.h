#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.h"

namespace pegen::testing {

/// A command that reads an array: F is the file, O a file that is written, `extents` are those of
/// an array that it accepts, none if it accepts no array of floats alone; small where the answer
/// takes a search.
struct ReadingCommand {
    std::string_view words;
    std::vector<std::uint64_t> extents;
};

/// The commands that read arrays, each with every option that names one.
inline const std::vector<ReadingCommand>& reading_commands() {
    static const std::vector<ReadingCommand> all{
        {"identify F", {1, 4}},
        {"identify --before F --after F", {8, 4}},
        {"identify --permuted F --of F", {8, 4}},
        {"diff F -- sinusoid", {1, 4}},
        {"diff F F", {8, 4}},
        {"compare F sinusoid", {1, 4}},
        {"concat --npy O -- F", {8, 4}},
        {"plot F --npy O", {8, 4}},
        {"check F", {8, 4}},
        {"check concat --x F", {8, 4}},
        {"apply add --x F --npy O -- sinusoid", {2, 8, 4}},
        {"apply bias --scores F --npy O -- alibi --heads 2", {2, 8, 8}},
        {"apply rope --x F --npy O", {2, 8, 4}},
        {"apply rope-permute --x F --from half --to interleaved --heads 1 --npy O", {8, 4}},
        {"apply resize --x F --to 12 --axes sequence --kernel linear --quiet --npy O", {8, 4}},
        {"attention shaw --x F --quiet --npy O", {8, 64}},
        {"attention shaw --table-k F --quiet --npy O", {9, 8}},
        {"attention t5 --bias-table F --quiet --npy O", {32, 8}},
        {"concat --npy O -- plot F -- sinusoid --d 4 --len 8", {8, 4}},
        {"fourier --points F --npy O", {8, 2}},
        {"fourier --points F --variances F --npy O", {8, 2}},
        {"random-fourier --weights F --npy O", {2, 8}},
        {"sinusoid --positions-file F --d 4 --npy O", {6}},
        {"explain sinusoid --positions-file F --d 4 --at 3,1", {6}},
        {"detr --mask F --npy O", {}},
        {"fire --w1 F --b1 F --w2 F --b2 F --npy O", {}},
        {"swin --bias-table F --table bias --npy O", {169, 4}},
        {"info F", {8, 4}},
    };
    return all;
}

/// Returns the words of the command with these files.
inline std::vector<std::string> with_files(const ReadingCommand& command, const std::string& read,
                                           const std::string& written) {
    std::vector<std::string> words;
    for (const std::string_view word : pegen::words(command.words)) {
        words.emplace_back(word == "F" ? read : word == "O" ? written : word);
    }
    return words;
}

}  // namespace pegen::testing
