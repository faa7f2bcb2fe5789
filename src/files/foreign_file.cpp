#include "files/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "files/json_table.h"
#include "files/text_table.h"
#include "files/whole_file.h"

namespace pegen {
namespace {

/// The known part of the content of a file.
struct Content {
    std::string_view start;                ///< the first bytes, as many as are looked at
    std::span<const std::string> members;  ///< the names in a ZIP archive
};

bool has_member(const Content& content, std::string_view end) {
    return std::ranges::any_of(content.members,
                               [&](const std::string& name) { return name.ends_with(end); });
}

bool contains(const Content& content, std::string_view text) {
    return content.start.find(text) != content.start.npos;
}

/// Returns the text from its first character that is not white space, without a byte order mark.
std::string_view without_space(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool is_json_object(const Content& content) {
    const std::string_view text = without_space(content.start);
    return is_text(content.start) && text.starts_with('{') &&
           without_space(text.substr(1)).find_first_of("\"}") == 0;
}

/// True for an ONNX model. Protocol Buffers have no magic number: a model begins with its version,
/// and the name of the program that made it or its graph.
bool is_onnx(const Content& content) {
    const std::string_view start = content.start;
    return start.size() > 4 && start[0] == '\x08' && start[1] > 0 && start[1] < 0x20 &&
           (start[2] == '\x3a' || (start[2] == '\x12' && start[4] >= 'A' && start[4] <= 'z'));
}

/// True for a MessagePack map whose first key is a text.
bool is_message_pack(const Content& content) {
    const auto at = [&](std::size_t i) {
        return i < content.start.size() ? static_cast<unsigned char>(content.start[i]) : 0U;
    };
    const std::size_t key = at(0) == 0xde ? 3 : at(0) == 0xdf ? 5 : at(0) >> 4 == 0x8 ? 1 : 0;
    return key > 0 && (at(key) >> 5 == 0x5 || at(key) == 0xd9) && at(key + 2) >= 0x20;
}

/// A kind of file, and the remedy for its owner: a pattern of fmt with the arguments `file`, `npy`,
/// `npz` and `unpacked`, which are Python texts of the names of the file, of the NPY or NPZ file to
/// make and of the unpacked file.
struct Kind {
    std::string_view what;  ///< "a Parquet file"
    std::string_view remedy;
    std::string_view magic;                        ///< the first bytes of the file
    bool (*is)(const Content& content) = nullptr;  ///< a further test; null for none
};

constexpr std::string_view from_pickle =
    "in Python, if you trust it, as its code is run: import numpy, pickle; numpy.save({npy}, "
    "pickle.load(open({file}, \"rb\")))";
constexpr std::string_view from_picture =
    "in Python: import numpy, PIL.Image; numpy.save({npy}, numpy.asarray(PIL.Image.open({file})))";
constexpr std::string_view from_hdf5 =
    "in Python: import h5py, numpy; d = {{}}; h5py.File({file}).visititems(lambda k, v: "
    "d.update({{k: v[()]}} if hasattr(v, \"shape\") else {{}})); numpy.savez({npz}, **d)";
constexpr std::string_view of_figure = "pe-gen info prints the command that made it";
constexpr std::string_view of_packed = "unpack it first";
constexpr std::string_view of_text =
    "arrays are read from NPY, NPZ, safetensors, PyTorch and GGUF files, JSON and texts of numbers";

/// The kinds of files. If a file is of several kinds, the first one counts.
constexpr std::array kinds{
    Kind{"empty", of_text, "", [](const Content& c) { return c.start.empty(); }},
    Kind{"a TorchScript module",
         "in Python: import numpy, torch; numpy.savez({npz}, **{{k: v.float().numpy() for k, v in "
         "torch.jit.load({file}, map_location=\"cpu\").state_dict().items()}})",
         "PK", [](const Content& c) { return has_member(c, "/constants.pkl"); }},
    Kind{"an Excel workbook",
         "in Python: import numpy, pandas; numpy.save({npy}, pandas.read_excel({file}).to_numpy())",
         "PK", [](const Content& c) { return has_member(c, "xl/workbook.xml"); }},
    Kind{"a Keras model",
         "in Python: import h5py, numpy, zipfile; d = {{}}; "
         "h5py.File(zipfile.ZipFile({file}).open(\"model.weights.h5\")).visititems(lambda k, v: "
         "d.update({{k: v[()]}} if hasattr(v, \"shape\") else {{}})); numpy.savez({npz}, **d)",
         "PK", [](const Content& c) { return has_member(c, "model.weights.h5"); }},
    Kind{"a ZIP archive without NPY files", of_packed, "PK"},
    Kind{"a joblib pickle",
         "in Python, if you trust it, as its code is run: import joblib, numpy; numpy.save({npy}, "
         "joblib.load({file}))",
         "\x80", [](const Content& c) { return contains(c, "joblib.numpy_pickle"); }},
    Kind{"a pickle", from_pickle, "\x80",
         [](const Content& c) { return c.start.size() > 1 && c.start[1] >= 2 && c.start[1] <= 5; }},
    Kind{"a pickle", from_pickle, "cnumpy"},
    Kind{"a pickle", from_pickle, "(dp"},
    Kind{"an HDF5 file", from_hdf5, "\x89HDF\r\n\x1a\n"},
    Kind{"a MATLAB file of version 7.3, which is HDF5", from_hdf5, "MATLAB 7.3 MAT-file"},
    Kind{"a MATLAB file",
         "in Python: import numpy, scipy.io; numpy.savez({npz}, **{{k: v for k, v in "
         "scipy.io.loadmat({file}).items() if k[0] != \"_\"}})",
         "MATLAB 5.0 MAT-file"},
    Kind{"a Parquet file",
         "in Python: import numpy, pandas; numpy.save({npy}, "
         "pandas.read_parquet({file}).to_numpy())",
         "PAR1"},
    Kind{"an Arrow file, as Feather is",
         "in Python: import numpy, pandas; numpy.save({npy}, "
         "pandas.read_feather({file}).to_numpy())",
         "ARROW1"},
    Kind{"a figure of pe-gen's", of_figure, "\x89PNG",
         [](const Content& c) {
             return contains(c, {"tEXtpe-gen", 10});
         }},
    Kind{"a PNG picture", from_picture, "\x89PNG\r\n"},
    Kind{"a JPEG picture", from_picture, "\xff\xd8\xff"},
    Kind{"a GIF picture", from_picture, "GIF8"},
    Kind{"a TIFF picture", from_picture, {"II*\0", 4}},
    Kind{"a TIFF picture", from_picture, {"MM\0*", 4}},
    Kind{"a WebP picture", from_picture, "RIFF",
         [](const Content& c) {
             return c.start.substr(std::min<std::size_t>(8, c.start.size())).starts_with("WEBP");
         }},
    Kind{"a BMP picture", from_picture, "BM",
         [](const Content& c) {
             return c.start.size() > 10 && c.start.substr(6, 4) == std::string_view("\0\0\0\0", 4);
         }},
    Kind{"a PDF file", "it has no array", "%PDF-"},
    Kind{"a file that gzip packed",
         "in Python: import gzip; open({unpacked}, \"wb\").write(gzip.open({file}).read())",
         "\x1f\x8b"},
    Kind{"a file that bzip2 packed",
         "in Python: import bz2; open({unpacked}, \"wb\").write(bz2.open({file}).read())", "BZh"},
    Kind{"a file that xz packed",
         "in Python: import lzma; open({unpacked}, \"wb\").write(lzma.open({file}).read())",
         {"\xfd"
          "7zXZ\0",
          6}},
    Kind{"a file that Zstandard packed", of_packed, "\x28\xb5\x2f\xfd"},
    Kind{"a 7-Zip archive", of_packed, "7z\xbc\xaf\x27\x1c"},
    Kind{
        "a tar archive", of_packed, "",
        [](const Content& c) { return c.start.size() > 262 && c.start.substr(257, 5) == "ustar"; }},
    Kind{"a pointer of Git LFS", "git lfs pull fetches the file itself", "version https://git-lfs"},
    Kind{"a figure of pe-gen's", of_figure, "<",
         [](const Content& c) { return contains(c, "<metadata id=\"pe-gen\">"); }},
    Kind{"a page of pe-gen's", of_figure, "<",
         [](const Content& c) { return contains(c, "<meta name=\"pe-gen\""); }},
    Kind{"a picture in SVG", "it has no array", "<",
         [](const Content& c) { return contains(c, "<svg"); }},
    Kind{"a page in HTML", "a download may have saved it in the place of a file", "",
         [](const Content& c) {
             return without_space(c.start).starts_with('<') &&
                    (contains(c, "<html") || contains(c, "<!DOCTYPE html"));
         }},
    Kind{"the configuration of a model", "pe-gen describe --config says what it asks for", "",
         [](const Content& c) {
             return is_json_object(c) &&
                    (contains(c, "\"model_type\"") || contains(c, "\"architectures\""));
         }},
    Kind{"a JSON object",
         "in Python, for the array of one of its keys: import json, numpy; numpy.save({npy}, "
         "numpy.array(json.load(open({file}))[\"KEY\"]))",
         "", is_json_object},
    Kind{"an array as NumPy prints it, rounded", "write the array itself with numpy.save", "",
         [](const Content& c) {
             return is_text(c.start) && begins_as_list(without_space(c.start), "0123456789-+.ni");
         }},
    Kind{"a text, but not of numbers", of_text, "",
         [](const Content& c) { return is_text(c.start); }},
    Kind{"an ONNX model",
         "in Python: import numpy, onnx.numpy_helper; numpy.savez({npz}, **{{t.name: "
         "onnx.numpy_helper.to_array(t) for t in onnx.load({file}).graph.initializer}})",
         "", is_onnx},
    Kind{"a MessagePack file, as Flax writes it",
         "in Python: import flax, numpy; numpy.savez({npz}, **flax.traverse_util.flatten_dict("
         "flax.serialization.msgpack_restore(open({file}, \"rb\").read()), sep=\"/\"))",
         "", is_message_pack},
    Kind{"of no kind that pe-gen knows",
         "if it has bare numbers, in Python: import numpy; numpy.save({npy}, "
         "numpy.fromfile({file}, dtype=\"float32\").reshape(-1, COLUMNS))",
         ""},
};

/// Returns the text as a literal of Python.
std::string python_text(std::string_view text) {
    std::string literal = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') literal += '\\';
        literal += letter;
    }
    return literal + '"';
}

std::string without_extension(std::string_view path) {
    const std::size_t name = path.find_last_of('/') + 1;
    const std::size_t dot = path.find_last_of('.');
    return std::string(path.substr(0, dot != path.npos && dot > name ? dot : path.size()));
}

/// Returns the path of the file to make: `path` with another extension, or with ".new" before the
/// same one.
std::string with_extension(std::string_view path, std::string_view extension) {
    return without_extension(path) + (path.ends_with(extension) ? ".new" : "") +
           std::string(extension);
}

}  // namespace

std::string foreign_text(const InputFile& file, std::span<const std::string> members) {
    constexpr std::int64_t enough = 1 << 16;
    const std::string start = start_of(file, enough);
    const Content content{start, members};
    const Kind& kind = *std::ranges::find_if(kinds, [&](const Kind& candidate) {
        return content.start.starts_with(candidate.magic) &&
               (!candidate.is || candidate.is(content));
    });
    const std::string path = file.path() == "standard input" ? "FILE" : file.path();
    const std::string unpacked = without_extension(path);
    const std::string remedy = fmt::format(
        fmt::runtime(kind.remedy), fmt::arg("file", python_text(path)),
        fmt::arg("npy", python_text(with_extension(path, ".npy"))),
        fmt::arg("npz", python_text(with_extension(path, ".npz"))),
        fmt::arg("unpacked", python_text(unpacked == path ? unpacked + ".npy" : unpacked)));
    const bool has_arrays = kind.remedy.starts_with("in Python");
    return fmt::format("is {}{}; {}", kind.what, has_arrays ? ", which is not read" : "", remedy);
}

}  // namespace pegen
