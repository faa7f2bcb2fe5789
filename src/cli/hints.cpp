#include "cli/hints.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/names.h"

namespace pegen::cli {
namespace {

struct Hint {
    std::string_view names;  ///< separated by spaces
    std::string_view text;
};

constexpr std::array names{
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

std::string_view hint_for_name(std::string_view name) { return find(names, name); }

std::string_view hint_for_format(std::string_view name) { return find(formats, name); }

}  // namespace pegen::cli
