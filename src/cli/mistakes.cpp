#include "cli/mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <system_error>

#include "cli/apply/operation.h"
#include "cli/commands.h"
#include "cli/help/search.h"
#include "cli/options.h"
#include "cli/request.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "files/open_file.h"
#include "formats/registry.h"

namespace pegen::cli {
namespace {

struct Hint {
    std::string_view names;  ///< separated by spaces
    std::string_view text;
};

constexpr std::array hinted_names{
    Hint{"which what detect recognize recognise guess reverse-engineer fingerprint",
         "pe-gen identify FILE says which encoding a table is"},
    Hint{"yarn ntk dynamic-ntk longrope su-rope linear-scaling",
         "it is a way to scale rope; see --scaling in pe-gen rope --help"},
    Hint{"relative-position relative-position-bias relative-bias relative-attention rpe",
         "relative positions are relative, shaw, transformer-xl, t5, deberta, swin and swin-v2"},
    Hint{"nope none no-position no-pe", "a model without position encoding has no table"},
    Hint{"sine sincos sin-cos sinusoid-1d absolute positional transformer",
         "the encoding of the Transformer is sinusoid"},
    Hint{"sincos-2d 2d-sincos 2d 3d sinusoid-2d sine-2d image video axial",
         "sinusoids along two or three axes are the encoding grid"},
    Hint{"embedding embeddings trainable nn.embedding lookup", "a learned table is learned"},
    Hint{"random-fourier-features rff gaussian", "Fourier features are the encoding fourier"},
    Hint{"pytorch torch",
         "tables with PyTorch's random numbers are learned; for files that PyTorch "
         "reads, use --safetensors or --npy"},
    Hint{"tensorflow tf jax numpy huggingface transformers",
         "pe-gen list presets shows the code bases whose tables it makes"},
    Hint{"open view show draw figure image png",
         "pe-gen plot FILE draws a table, and --show draws it in the terminal"},
    Hint{"convert export save",
         "pe-gen does not convert files; -o FILE writes a table that it makes"},
    Hint{"version", "pe-gen --version prints the version"},
    Hint{"presets encodings models formats colormaps plots languages mechanisms",
         "they are arguments of list, as in pe-gen list presets"},
};

constexpr std::array formats{
    Hint{"eps ps", "EPS is not written; use PDF, which converts without loss"},
    Hint{"jpg jpeg webp gif bmp tif tiff", "the pictures that are written are PNG, SVG and PDF"},
    Hint{"htm", "use --html"},
    Hint{"tex tikz pgf", "TeX is not written; use PDF for the figure, or CSV for pgfplots"},
    Hint{"pt pth bin ckpt pickle pkl",
         "pickles are not written; use safetensors, which PyTorch reads without running code, or "
         "NPY"},
    Hint{"h5 hdf5 mat parquet feather arrow zarr tfrecord",
         "it is not written; use NPY for one table, NPZ or safetensors for several"},
    Hint{"gguf onnx", "it is not written; use safetensors"},
    Hint{"tsv xls xlsx ods", "it is not written; use CSV"},
    Hint{"yaml yml toml xml", "it is not written; use JSON"},
    Hint{"gz bz2 xz zst zip",
         "files are not compressed but for --npz FILE --compress; pipe others, as in --npy - | "
         "gzip"},
    Hint{"md rst adoc", "it is not written; use CSV, which converters read, or PNG and SVG"},
    Hint{"raw dat f32 f64", "bare numbers are not written; NPY is a short header before them"},
    Hint{"cu cuh java js ts go jl r m", "source is written for C, C++, Rust, Python and Swift"},
};

std::string_view find(std::span<const Hint> hints, std::string_view name) {
    for (const Hint& hint : hints) {
        const auto is_meant = [&](std::string_view word) {
            return spelling(word) == spelling(name);
        };
        if (std::ranges::any_of(words(hint.names), is_meant)) return hint.text;
    }
    return "";
}

}  // namespace

std::string_view hint_for_name(std::string_view name) { return find(hinted_names, name); }

std::string_view hint_for_format(std::string_view name) { return find(formats, name); }

namespace {

using Specs = std::vector<const ParameterSpec*>;

std::vector<std::string> all_option_names(const Specs& specs) {
    std::vector<std::string> names;
    for (const ParameterSpec* spec : specs) {
        for (std::string& name : option_names(*spec)) names.push_back(std::move(name));
    }
    return names;
}

/// Returns the end of a message, "; did you mean ...?". For "--x", where -x is an option, suggests
/// the option's long name.
std::string did_you_mean_option(std::string_view option, const Specs& specs) {
    for (const ParameterSpec* spec : specs) {
        const std::string_view letter = letter_of(*spec);
        if (!letter.empty() && option == fmt::format("--{}", letter)) {
            return fmt::format("; did you mean '--{}'?", spec->name);
        }
    }
    const std::vector<std::string> names = all_option_names(specs);
    return did_you_mean(option, {names.begin(), names.end()});
}

const Encoding* encoding_called(std::string_view name) {
    if (const Preset* preset = find_preset(name)) return preset->encoding;
    return find_encoding(name);
}

/// Returns the names as a list in words: "--d", "--d and --len", "--d, --len and --base".
std::string enumerated(const std::vector<std::string>& names) {
    if (names.size() < 2) return names.empty() ? "" : names.front();
    return fmt::format("{} and {}", joined(std::span(names).first(names.size() - 1), ", "),
                       names.back());
}

/// Words that users try as options for the size of a table.
constexpr std::string_view size_words = "size shape resolution extent";
/// Likewise, if it is a grid.
constexpr std::string_view grid_words =
    "frames num-frames image image-size grid grid-size rows columns patches";

/// Options that mean something of another name, or that there is not.
struct OptionHint {
    std::string_view owners;  ///< encodings and commands; "" for all encodings
    std::string_view options, remedy;
};

constexpr std::array option_hints{
    OptionHint{"rope-grid", "text-len", "did you mean '--prefix-tokens'?"},
    OptionHint{"rope xpos", "max-position", "did you mean '--len'?"},
    OptionHint{"shaw", "positions-file", "pe-gen relpos --residue-index has positions of a file"},
    OptionHint{"", "config", "pe-gen describe --config FILE prints the command of a model"},
    OptionHint{"explore", "host bind address listen ip interface",
               "the page is served to this machine alone; for another one, give --port 8000 here, "
               "type ssh -L 8000:127.0.0.1:8000 THIS-MACHINE there, and open the address there"},
};

/// Returns the parameters for the size of a table that `encoding` has and none of `others` has.
std::vector<std::string> own_extents(const Encoding& encoding,
                                     const std::vector<const Encoding*>& others) {
    std::vector<std::string> names;
    for (const ParameterSpec& spec : encoding.parameters) {
        const auto has_it = [&](const Encoding* other) {
            const ParameterSpec* same = find_option(other->parameters, spec.name);
            return same && same->is_extent();
        };
        if (spec.is_extent() && std::ranges::none_of(others, has_it)) {
            names.push_back(fmt::format("--{}", spec.name));
        }
    }
    return names;
}

/// Returns the names of encodings, shortened if there are many: "alibi, learned and 5 others".
std::string names_of(const std::vector<const Encoding*>& encodings) {
    constexpr std::size_t most_named = 4;
    std::vector<std::string> names;
    for (const Encoding* encoding : encodings) names.emplace_back(encoding->name);
    if (names.size() > most_named) {
        const std::size_t left_out = names.size() - most_named + 1;
        names.resize(most_named - 1);
        names.push_back(fmt::format("{} others", left_out));
    }
    return enumerated(names);
}

/// Returns a message about an option that other encodings have. If it sets the size of a table, the
/// message names the parameters that this encoding has for the size; else it names the encodings
/// that have the option. "" if no encoding has it.
std::string option_of_others(std::string_view option, const Encoding& encoding,
                             std::string_view owner) {
    const std::string name = hyphenated(option.substr(option.find_first_not_of('-')));
    std::vector<const Encoding*> others;
    const bool is_grid = find_option(encoding.parameters, "height") != nullptr;
    const bool is_of_grid = is_grid && has_word(grid_words, name);
    bool is_extent = is_of_grid || has_word(size_words, name);
    for (const Encoding* other : all_encodings()) {
        if (const ParameterSpec* spec = find_option(other->parameters, name)) {
            others.push_back(other);
            is_extent = is_extent || spec->is_extent();
        }
    }
    if (is_of_grid) others.clear();
    const std::vector<std::string> extents =
        is_extent ? own_extents(encoding, others) : std::vector<std::string>();
    if (extents.empty() && others.empty()) return "";
    const std::string remedy = extents.empty() ? fmt::format("; {} {} it", names_of(others),
                                                             others.size() == 1 ? "has" : "have")
                                               : fmt::format(", which has {}", enumerated(extents));
    return fmt::format("{}: unknown option of {}{}", option, owner, remedy);
}

/// Returns options that set the size of the table to the numbers in `arguments`, " --d 128"; "" if
/// the arguments are not such numbers.
std::string as_extents(const std::vector<std::string>& arguments, const Encoding& encoding) {
    std::vector<const ParameterSpec*> extents;
    for (const ParameterSpec& spec : encoding.parameters) {
        if (spec.is_extent() && spec.type == ParameterType::integer) extents.push_back(&spec);
    }
    // Users give the width of a sequence before its length, but the sides of an image before its
    // channels.
    const auto is_len = [](const ParameterSpec* spec) { return spec->name == "len"; };
    const bool is_sequence = std::ranges::any_of(extents, is_len);
    std::stable_partition(extents.begin(), extents.end(), [&](const ParameterSpec* spec) {
        return (spec->name == "d") == is_sequence;
    });
    if (arguments.size() > extents.size()) return "";
    std::string text;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        if (arguments[i].empty() || !std::ranges::all_of(arguments[i], is_digit)) return "";
        text += fmt::format(" --{} {}", extents[i]->name, arguments[i]);
    }
    return text;
}

/// Returns the option that has the word as one of its choices, " --layout halves"; "" if there is
/// none.
std::string as_choice(const std::string& word, const Subject& subject) {
    for (const ParameterSpec* spec : options_of(subject)) {
        if (spec->type == ParameterType::word && has_word(spec->choices, word))
            return fmt::format(" --{} {}", spec->name, word);
    }
    return "";
}

/// Returns a message for a file in the place of an encoding or command.
std::string of_file(std::string_view path) {
    std::error_code error;  // what cannot be examined counts as a file
    const bool is_folder = std::filesystem::is_directory(path, error);
    if (is_folder || path.ends_with(".gguf")) {
        return fmt::format(
            "'{0}': is a {1}; pe-gen identify {0} looks at its arrays, and pe-gen rope --config "
            "{0} makes the table of its configuration",
            path, is_folder ? "folder" : "model");
    }
    if (path.ends_with(".json")) {
        return fmt::format(
            "'{0}': is a file; if it is the configuration of a model, pe-gen describe --config {0} "
            "says what it asks for, and pe-gen rope --config {0} makes its table",
            path);
    }
    return fmt::format(
        "'{0}': is a file; pe-gen identify {0} says what it is, and pe-gen plot {0} draws its "
        "array",
        path);
}

}  // namespace

std::string unknown_name(std::string_view name) {
    if (const std::string_view hint = hint_for_name(name); !hint.empty()) {
        return fmt::format("'{}': no such encoding, preset or command; {}", name, hint);
    }
    if (const Model* const model = find_model(name)) {
        return fmt::format("'{}': no such encoding, preset or command; pe-gen {} makes its table{}",
                           name, model->command,
                           model->note.empty() ? "" : fmt::format(" ({})", model->note));
    }
    if (const std::string_view reason = why_out_of_scope(name); !reason.empty()) {
        return fmt::format("'{}': {}", name, reason);
    }
    std::error_code error;  // a file that cannot be examined counts as missing
    if (opens_any_file() && std::filesystem::exists(name, error)) {
        return of_file(name);
    }
    for (const Operation* const operation : all_operations()) {
        if (operation->name != name) continue;
        return fmt::format("'{0}': no such encoding, preset or command; pe-gen apply {0} does it",
                           name);
    }
    std::vector<std::string_view> known;
    for (const Command& command : all_commands()) known.push_back(command.name);
    for (const Encoding* encoding : all_encodings()) known.push_back(encoding->name);
    for (const Preset& preset : all_presets()) {
        known.push_back(preset.name);
        for (const std::string_view alias : words(preset.aliases)) known.push_back(alias);
    }
    const bool is_number = name.find_first_not_of("0123456789.") == name.npos;
    const std::vector<Found> found = is_number ? std::vector<Found>{} : found_names(name);
    // Words as short as "sin" are in many texts.
    const bool is_found = !found.empty() && found.front().is_whole && name.size() > 3;
    std::string suggestion = is_found ? "" : did_you_mean(name, known);
    if (suggestion.empty()) {
        suggestion = found.empty() ? "; see pe-gen list"
                                   : fmt::format("; pe-gen list --search '{}' finds pe-gen {}",
                                                 name, found.front().command);
    }
    return fmt::format("'{}': no such encoding, preset or command{}", name, suggestion);
}

std::string unknown_option(std::string_view option, const Specs& specs, std::string_view owner) {
    option = option.substr(0, option.find('='));
    if (option.find_first_not_of('-') == option.npos) {
        return fmt::format("'{}': unexpected argument", option);
    }
    const std::string name = fmt::format("--{}", option.substr(option.find_first_not_of('-')));
    if (option.starts_with("---") && std::ranges::count(all_option_names(specs), name) > 0) {
        return fmt::format("{}: unknown option; did you mean '{}'?", option, name);
    }
    const Encoding* const encoding = encoding_called(owner);
    const std::string_view known_owner = encoding ? encoding->name : owner;
    for (const OptionHint& hint : option_hints) {
        const bool is_of_owner =
            hint.owners.empty() ? encoding != nullptr : has_word(hint.owners, known_owner);
        const bool is_meant =
            option.starts_with("--") && has_word(hint.options, hyphenated(option.substr(2)));
        if (is_of_owner && is_meant) {
            return fmt::format("{}: unknown option of {}; {}", option, owner, hint.remedy);
        }
    }
    if (encoding && option.starts_with("--")) {
        const std::string text = option_of_others(option, *encoding, owner);
        if (!text.empty()) return text;
    }
    const std::string_view hint = hint_for_format(option);
    if (!hint.empty()) return fmt::format("{}: unknown option; {}", option, hint);
    const std::string suggestion = did_you_mean_option(option, specs);
    if (!suggestion.empty()) return fmt::format("{}: unknown option{}", option, suggestion);
    return fmt::format("{}: unknown option; see pe-gen {}{}--help", option, owner,
                       owner.empty() ? "" : " ");
}

std::string option_without_name(std::string_view option) {
    const std::string_view name = option.substr(0, option.find('='));
    for (const Command& command : all_commands()) {
        if (spelling(command.name) == spelling(name)) {
            return fmt::format("{}: unknown option; {} is a command: pe-gen {}", name, command.name,
                               command.name);
        }
    }
    if (name == "-v") return "-v: unknown option; -V or --version prints the version";
    std::vector<const Encoding*> encodings{find_encoding("sinusoid"), &configurable_encoding()};
    encodings.insert(encodings.end(), all_encodings().begin(), all_encodings().end());
    for (const Encoding* encoding : encodings) {
        const std::vector<std::string> known = all_option_names(options_of({encoding, nullptr}));
        if (std::ranges::count(known, hyphenated(name)) == 0) continue;
        return fmt::format("{}: the encoding comes first, as in pe-gen {} {}", name, encoding->name,
                           name);
    }
    const std::string suggestion = did_you_mean(name, {"--help", "--version"});
    return fmt::format("{}: unknown option{}", name,
                       suggestion.empty() ? "; see pe-gen --help" : suggestion);
}

std::string unexpected_arguments(const std::vector<std::string>& arguments,
                                 const Subject& subject) {
    std::string meant = as_extents(arguments, *subject.encoding);
    if (meant.empty()) meant = as_choice(arguments.front(), subject);
    if (meant.empty() && format_by_extension(arguments.front())) {
        meant = fmt::format(" -o {}", arguments.front());
    }
    if (!meant.empty()) meant = fmt::format("; did you mean{}?", meant);
    for (const std::string_view dash : {"\u2013", "\u2014", "\u2212"}) {
        if (arguments.front().starts_with(dash)) {
            meant = fmt::format("; '{}' is a dash of printed text: type the hyphen, --", dash);
        }
    }
    return fmt::format("unexpected argument '{}'{}", arguments.front(),
                       meant.empty() ? "; options begin with --" : meant);
}

}  // namespace pegen::cli
