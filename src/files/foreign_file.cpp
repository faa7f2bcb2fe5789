#include "files/foreign_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "files/input_file.h"
#include "files/text_table.h"

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
    text = without_mark(text);
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool is_json_object(const Content& content) {
    const std::string_view text = without_space(content.start);
    return is_text(content.start) && text.starts_with('{') &&
           without_space(text.substr(1)).find_first_of("\"}") == 0;
}

/// True for numbers such as 0,5 between semicolons, tabs or blanks.
bool has_decimal_commas(const Content& content) {
    if (!is_text(content.start)) return false;
    const std::string_view text = without_space(content.start);
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    const std::size_t comma = line.find(',');
    const auto is_digit = [&](std::size_t place) {
        return place < line.size() && line[place] >= '0' && line[place] <= '9';
    };
    return line.find_first_not_of("0123456789,;+-eE \t") == line.npos &&
           line.find_first_of("; \t") != line.npos && comma != line.npos && comma > 0 &&
           is_digit(comma - 1) && is_digit(comma + 1);
}

unsigned byte_at(const Content& content, std::size_t place) {
    return place < content.start.size() ? static_cast<unsigned char>(content.start[place]) : 0U;
}

/// Returns the 32-bit number at a place, its least significant byte first.
std::uint32_t number_at(const Content& content, std::size_t place) {
    std::uint32_t number = 0;
    for (std::size_t i = 4; i-- > 0;) number = number << 8 | byte_at(content, place + i);
    return number;
}

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Returns `size` bytes from `place` on, or those that there are.
std::string_view part_of(const Content& content, std::size_t place, std::size_t size) {
    return content.start.substr(std::min(place, content.start.size()), size);
}

/// True for an ONNX model. Protocol Buffers have no magic number: a model begins with its version,
/// which is 3 at least, the name of the program that made it, which may be missing, and its graph
/// or something of a higher number.
bool is_onnx(const Content& content) {
    const unsigned version = byte_at(content, 1), field = byte_at(content, 2);
    if (byte_at(content, 0) != 0x08 || version < 3 || version >= 0x20) return false;
    const std::size_t size = byte_at(content, 3);
    const unsigned next = byte_at(content, 4 + size);
    return field == 0x3a || (field == 0x12 && size < 0x80 && next >= 0x1a && next <= 0x42 &&
                             is_printable(part_of(content, 4, size)));
}

/// True for a pickle. Those before protocol 2 begin with their first object: a list, a dictionary,
/// or the module and the name of a function, also within a tuple.
bool is_pickle(const Content& content) {
    if (byte_at(content, 0) == 0x80) return byte_at(content, 1) >= 2 && byte_at(content, 1) <= 5;
    std::string_view text = content.start;
    for (const std::string_view begin : {"(lp", "(dp", "]q", "}q"}) {
        if (text.starts_with(begin)) return true;
    }
    if (text.starts_with('(')) text.remove_prefix(1);
    if (!text.starts_with('c')) return false;
    for (int line = 0; line < 2; ++line) {
        const std::size_t end = text.find('\n');
        if (end == text.npos || end < 2 || !is_printable(text.substr(0, end))) return false;
        text.remove_prefix(end + 1);
    }
    return text.starts_with("p0\n") || text.starts_with(std::string_view("q\0", 2));
}

/// True for an HDF5 file, in which the user's own bytes may come first: 512, 1024, 2048 ...
bool is_hdf5(const Content& content) {
    constexpr std::string_view magic = "\x89HDF\r\n\x1a\n";
    for (std::size_t place = 0; place < content.start.size(); place = place ? 2 * place : 512) {
        if (part_of(content, place, magic.size()) == magic) return true;
    }
    return false;
}

/// True for a MATLAB file of version 4: the type of the first matrix, its extents, whether it is
/// complex, the length of its name with the zero at the end, and the name.
bool is_matlab_4(const Content& content) {
    constexpr std::size_t head = 20;
    const std::size_t size = number_at(content, 16);
    if (number_at(content, 0) > 52 || number_at(content, 12) > 1 || size < 2 || size > 64) {
        return false;
    }
    const std::string_view name = part_of(content, head, size);
    return name.size() == size && name.back() == '\0' && is_printable(name.substr(0, size - 1));
}

/// True for bytes that zlib packed: method, window and level, whose sum is a multiple of 31.
bool is_zlib(const Content& content) {
    return byte_at(content, 0) == 0x78 &&
           (byte_at(content, 0) << 8 | byte_at(content, 1)) % 31 == 0 && !is_text(content.start);
}

/// True for a MessagePack map whose first key is a text.
bool is_message_pack(const Content& content) {
    const auto at = [&](std::size_t place) { return byte_at(content, place); };
    const std::size_t key = at(0) == 0xde ? 3 : at(0) == 0xdf ? 5 : at(0) >> 4 == 0x8 ? 1 : 0;
    const bool has_length = at(key) == 0xd9;
    return key > 0 && (at(key) >> 5 == 0x5 || has_length) && at(key + (has_length ? 2 : 1)) >= 0x20;
}

/// A kind of file, and the remedy for its owner: a pattern of fmt with the arguments `file`, `npy`,
/// `npz`, `csv` and `unpacked`, which are Python texts of the names of the file, of the file to
/// make and of the unpacked file, `word`, which says what is no number in a text, and `text`.
struct Kind {
    std::string_view what;  ///< "a Parquet file"
    std::string_view remedy;
    std::string_view magic;                        ///< the first bytes of the file
    bool (*is)(const Content& content) = nullptr;  ///< a further test; null for none
};

constexpr std::string_view from_pickle =
    "in Python, if you trust it, as its code is run: import numpy, pandas, pickle; a = pickle.load("
    "open({file}, \"rb\")); numpy.savez({npz}, **pandas.json_normalize(a, sep=\"/\").to_dict("
    "\"records\")[0] if isinstance(a, dict) else {{\"a\": a}})";
constexpr std::string_view from_picture =
    "in Python: import numpy, PIL.Image; numpy.save({npy}, numpy.asarray(PIL.Image.open({file})))";
constexpr std::string_view from_hdf5 =
    "in Python: import h5py, numpy; d = {{}}; h5py.File({file}).visititems(lambda k, v: "
    "d.update({{k: v[()]}} if hasattr(v, \"shape\") else {{}})); numpy.savez({npz}, **d)";
constexpr std::string_view from_matlab =
    "in Python: import numpy, scipy.io; numpy.savez({npz}, **{{k: v for k, v in "
    "scipy.io.loadmat({file}).items() if k[0] != \"_\"}})";
constexpr std::string_view from_sheet =
    "in Python: import pandas; pandas.read_excel({file}, header=None, dtype=object).to_csv({csv}, "
    "header=False, index=False)";
constexpr std::string_view from_xz =
    "in Python: import lzma; open({unpacked}, \"wb\").write(lzma.open({file}).read())";
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
    Kind{"an Excel workbook", from_sheet, "PK",
         [](const Content& c) { return has_member(c, "xl/workbook.xml"); }},
    Kind{"an OpenDocument spreadsheet", from_sheet, "PK",
         [](const Content& c) { return contains(c, "opendocument.spreadsheet"); }},
    Kind{"a Keras model",
         "in Python: import h5py, numpy, zipfile; d = {{}}; "
         "h5py.File(zipfile.ZipFile({file}).open(\"model.weights.h5\")).visititems(lambda k, v: "
         "d.update({{k: v[()]}} if hasattr(v, \"shape\") else {{}})); numpy.savez({npz}, **d)",
         "PK", [](const Content& c) { return has_member(c, "model.weights.h5"); }},
    Kind{"a ZIP archive without NPY files", of_packed, "PK"},
    Kind{"a joblib pickle",
         "in Python, if you trust it, as its code is run: import joblib, numpy, pandas; a = "
         "joblib.load({file}); numpy.savez({npz}, **pandas.json_normalize(a, sep=\"/\").to_dict("
         "\"records\")[0] if isinstance(a, dict) else {{\"a\": a}})",
         "", [](const Content& c) { return is_pickle(c) && contains(c, "joblib.numpy_pickle"); }},
    Kind{"a pickle", from_pickle, "", is_pickle},
    Kind{"a MATLAB file of version 7.3, which is HDF5",
         "in Python: import h5py, numpy; d = {{}}; h5py.File({file}).visititems(lambda k, v: "
         "d.update({{k: v[()].T}} if hasattr(v, \"shape\") else {{}})); numpy.savez({npz}, **d)",
         "MATLAB 7.3 MAT-file"},
    Kind{"an HDF5 file", from_hdf5, "", is_hdf5},
    Kind{"a MATLAB file", from_matlab, "MATLAB 5.0 MAT-file"},
    Kind{"a MATLAB file", from_matlab, "", is_matlab_4},
    Kind{"a Parquet file",
         "in Python: import numpy, pandas; numpy.save({npy}, "
         "pandas.read_parquet({file}).to_numpy())",
         "PAR1"},
    Kind{"an Arrow file, as Feather is",
         "in Python: import numpy, pandas; numpy.save({npy}, "
         "pandas.read_feather({file}).to_numpy())",
         "ARROW1"},
    Kind{"a stream of Arrow's",
         "in Python: import numpy, pyarrow; numpy.save({npy}, pyarrow.ipc.open_stream("
         "open({file}, \"rb\")).read_pandas().to_numpy())",
         "\xff\xff\xff\xff", [](const Content& c) { return number_at(c, 4) - 1 < 0xffff; }},
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
         [](const Content& c) { return part_of(c, 8, 4) == "WEBP"; }},
    Kind{"a BMP picture", from_picture, "BM",
         [](const Content& c) { return part_of(c, 6, 4) == std::string_view("\0\0\0\0", 4); }},
    Kind{"a figure of pe-gen's", of_figure, "%PDF-",
         [](const Content& c) { return contains(c, "/Producer (pe-gen)"); }},
    Kind{"a PDF file", "it has no array", "%PDF-"},
    Kind{"a file that gzip packed",
         "in Python: import gzip; open({unpacked}, \"wb\").write(gzip.open({file}).read())",
         "\x1f\x8b"},
    Kind{"a file that bzip2 packed",
         "in Python: import bz2; open({unpacked}, \"wb\").write(bz2.open({file}).read())", "BZh"},
    Kind{"a file that xz packed",
         from_xz,
         {"\xfd"
          "7zXZ\0",
          6}},
    Kind{"a file that LZMA packed", from_xz, {"\x5d\0\0", 3}},
    Kind{"a file that zlib packed",
         "in Python: import zlib; open({unpacked}, \"wb\").write(zlib.decompress(open({file}, "
         "\"rb\").read()))",
         "", is_zlib},
    Kind{"a file that LZ4 packed", of_packed, "\x04\x22\x4d\x18"},
    Kind{"a file that Zstandard packed", of_packed, "\x28\xb5\x2f\xfd"},
    Kind{"a 7-Zip archive", of_packed, "7z\xbc\xaf\x27\x1c"},
    Kind{"a tar archive", of_packed, "",
         [](const Content& c) { return part_of(c, 257, 5) == "ustar"; }},
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
    Kind{"an index of files beside it", "name it by its path", "",
         [](const Content& c) { return is_json_object(c) && contains(c, "\"weight_map\""); }},
    Kind{"the configuration of a model", "pe-gen describe --config FILE says what it asks for", "",
         [](const Content& c) {
             return is_json_object(c) &&
                    (contains(c, "\"model_type\"") || contains(c, "\"architectures\""));
         }},
    Kind{"a JSON object in each line",
         "in Python, for the array of one of their keys: import json, numpy; numpy.save({npy}, "
         "[json.loads(line)[\"KEY\"] for line in open({file})])",
         "", [](const Content& c) { return is_json_object(c) && contains(c, "}\n{"); }},
    Kind{"a JSON object",
         "in Python, for the array of one of its keys: import json, numpy; numpy.save({npy}, "
         "numpy.array(json.load(open({file}))[\"KEY\"]))",
         "", is_json_object},
    Kind{"an array as NumPy prints it, rounded", "write the array itself with numpy.save", "",
         [](const Content& c) {
             return is_text(c.start) && begins_as_list(without_space(c.start), "0123456789-+.ni");
         }},
    Kind{"a text of numbers with decimal commas",
         "in Python: import numpy; numpy.save({npy}, numpy.loadtxt([line.replace(\",\", "
         "\".\").replace(\";\", \" \") for line in open({file})]))",
         "", has_decimal_commas},
    Kind{"a text, but not of numbers", "{word}; {text}", "",
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
        fmt::arg("csv", python_text(with_extension(path, ".csv"))),
        fmt::arg("word", first_word(start)), fmt::arg("text", of_text),
        fmt::arg("unpacked", python_text(unpacked == path ? unpacked + ".npy" : unpacked)));
    const bool has_arrays = kind.remedy.starts_with("in Python");
    return fmt::format("is {}{}; {}", kind.what, has_arrays ? ", which is not read" : "", remedy);
}

}  // namespace pegen
