#pragma once

#include <string>
#include <utility>
#include <vector>

#include "files/zip_bytes.h"

namespace pegen::testing {

/// Returns a ZIP archive of files of one byte each.
inline std::string zip_of_names(const std::vector<std::string>& names) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const std::string& name : names) files.emplace_back(name, "0");
    return zip_of(files);
}

/// Returns the start of a MATLAB file of version 4 with a matrix of one row and one column.
inline std::string matlab_4(char type, char complex, const std::string& name) {
    const auto number = [](std::size_t value) {
        return std::string{static_cast<char>(value), '\0', '\0', '\0'};
    };
    return number(type) + number(1) + number(1) + number(complex) + number(name.size()) + name;
}

/// A file of another format, from which no array is read.
struct ForeignFile {
    std::string what;           ///< its name in messages, "a Parquet file"
    std::string bytes;          ///< its first bytes, enough to recognize the format
    bool is_described = false;  ///< true if `info` says more about it
    bool is_read_by_path = false;
};

/// At least one file of each kind. The first bytes are those that PyTorch 1.13, h5py 3.7, SciPy
/// 1.10, onnx 1.12, msgpack 1.0, joblib 1.2, pandas 1.5, openpyxl 3.0, odfpy 1.4, Arrow, Pillow 9.4
/// and NumPy 1.24 write.
inline std::vector<ForeignFile> foreign_files() {
    using namespace std::string_literals;
    return {
        {"empty", ""},
        {"a TorchScript module",
         zip_of_names({"m/data/0", "m/data.pkl", "m/code/__torch__.py", "m/constants.pkl"})},
        {"an Excel workbook", zip_of_names({"[Content_Types].xml", "xl/workbook.xml"})},
        {"an OpenDocument spreadsheet", zip_of_names({"mimetype", "content.xml"}) +
                                            "application/vnd.oasis.opendocument.spreadsheet"},
        {"a Keras model", zip_of_names({"metadata.json", "config.json", "model.weights.h5"})},
        {"a ZIP archive without NPY files", zip_of_names({"readme.txt"})},
        {"a joblib pickle", "\x80\4\x95\xfd\0\0\0\0\0\0\0\x8c\x13joblib.numpy_pickle\x94"s},
        {"a joblib pickle", "ccopy_reg\n_reconstructor\np0\n(cjoblib.numpy_pickle\nNumpyArray"},
        {"a pickle", "\x80\4\x95\xab\0\0\0\0\0\0\0\x8c\x15numpy.core.multiarray"s},
        {"a pickle", "cnumpy.core.multiarray\n_reconstruct\np0\n(cnumpy\nndarray\n"},
        {"a pickle", "(dp0\nVpe\np1\ncnumpy.core.multiarray\n"},
        {"a pickle", "(lp0\n(lp1\nF0.0\naF1.0\n"},
        {"a pickle", "(cnumpy.core.multiarray\n_reconstruct\np0\n"},
        {"a pickle", "ccopy_reg\n_reconstructor\nq\0(cpandas"s},
        {"a pickle", "}q\0(X\2\0\0\0pe"s},
        {"a pickle", "]q\0(]q\1(G"s},
        {"a pickle", "\x80\2}q\0."s},
        {"a pickle", "\x80\5}."},
        {"of no kind that pe-gen knows", "\x80\1}."},
        {"of no kind that pe-gen knows", "\x80\6}."},
        {"an HDF5 file", "\x89HDF\r\n\x1a\n\0\0\0\0\0\x08\x08\0"s},
        {"an HDF5 file", std::string(512, '\0') + "\x89HDF\r\n\x1a\n"},
        {"an HDF5 file", std::string(2048, '\0') + "\x89HDF\r\n\x1a\n"},
        {"of no kind that pe-gen knows", std::string(1536, '\0') + "\x89HDF\r\n\x1a\n"},
        {"a MATLAB file of version 7.3, which is HDF5",
         "MATLAB 7.3 MAT-file, Platform: GLNXA64" + std::string(474, ' ') + "\x89HDF\r\n\x1a\n"},
        {"a MATLAB file", "MATLAB 5.0 MAT-file Platform: posix, Created on: Wed"},
        {"a MATLAB file", "\n\0\0\0(\0\0\0\x10\0\0\0\0\0\0\0\3\0\0\0pe\0\0\0\0\0"s},
        {"a MATLAB file", matlab_4(52, 1, "x\0"s)},
        {"a MATLAB file", matlab_4(0, 0, std::string(63, '~') + '\0')},
        {"of no kind that pe-gen knows", matlab_4(53, 0, "x\0"s)},
        {"of no kind that pe-gen knows", matlab_4(0, 2, "x\0"s)},
        {"of no kind that pe-gen knows", matlab_4(0, 0, "\0"s)},
        {"of no kind that pe-gen knows", matlab_4(0, 0, std::string(64, ' ') + '\0')},
        {"of no kind that pe-gen knows", matlab_4(0, 0, "xy")},
        {"of no kind that pe-gen knows", matlab_4(0, 0, "\x1fx\0"s)},
        {"of no kind that pe-gen knows", matlab_4(0, 0, "x\0"s).substr(0, 21)},
        {"a Parquet file", "PAR1\x15\4\x15\x60\0"s},
        {"an Arrow file, as Feather is", "ARROW1\0\0\xff\xff"s},
        {"a stream of Arrow's", "\xff\xff\xff\xff\x10\3\0\0\x10\0\0\0"s},
        {"a stream of Arrow's", "\xff\xff\xff\xff\1\0\0\0"s},
        {"a stream of Arrow's", "\xff\xff\xff\xff\xff\xff\0\0"s},
        {"of no kind that pe-gen knows", "\xff\xff\xff\xff\0\0\1\0"s},
        {"of no kind that pe-gen knows", "\xff\xff\xff\xff\0\0\0\0"s},
        {"a figure of pe-gen's",
         "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0:~\x9bU\0\0\0\7tEXtpe-gen\0"s,
         true},
        {"a PNG picture", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\4\0\0\0\3\x08\0\0\0\0"s, true},
        {"a JPEG picture", "\xff\xd8\xff\xe0\0\x10JFIF\0"s},
        {"a GIF picture", "GIF87a\4\0\3\0"s},
        {"a TIFF picture", "II*\0\x08\0\0\0"s},
        {"a TIFF picture", "MM\0*\0\0\0\x08"s},
        {"a WebP picture", "RIFF\x40\0\0\0WEBPVP8 "s},
        {"a BMP picture", "BM\x3e\4\0\0\0\0\0\0\x36\4\0\0"s},
        {"a figure of pe-gen's", "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Producer (pe-gen) >>",
         true},
        {"a PDF file", "%PDF-1.5\n%\xd0\xd4\xc5\xd8\n"},
        {"a file that gzip packed", "\x1f\x8b\x08\x08\0\0\0\0"s},
        {"a file that bzip2 packed", "BZh91AY&SY"},
        {"a file that xz packed",
         "\xfd"
         "7zXZ\0\0\4"s},
        {"a file that LZMA packed", "\x5d\0\0\x80\0\xff\xff"s},
        {"a file that zlib packed", "x\x5e\x9d\x96\xff\0"s},
        {"a file that zlib packed", "x\1\xff"},
        {"of no kind that pe-gen knows", "x\2\xff"},
        {"a file that LZ4 packed", "\4\"M\x18\x64\x40\xa7"},
        {"a file that Zstandard packed", "\x28\xb5\x2f\xfd\x24\x10"},
        {"a 7-Zip archive", "7z\xbc\xaf\x27\x1c\0\4"s},
        {"a tar archive", "a.npy" + std::string(252, '\0') +
                              "ustar\0"
                              "00"s},
        {"a pointer of Git LFS", "version https://git-lfs\noid sha256:0\nsize 12\n"},
        {"a figure of pe-gen's", "<?xml version=\"1.0\"?>\n<svg ><metadata id=\"pe-gen\">", true},
        {"a page of pe-gen's", "<!DOCTYPE html>\n<meta name=\"pe-gen\" content=\"\">", true},
        {"a picture in SVG", "<?xml version=\"1.0\"?>\n<svg viewBox=\"0 0 1 1\"/>", true},
        {"a page in HTML", "\n<!DOCTYPE html>\n<title>404</title>"},
        {"an index of files beside it", "{\"weight_map\": {\"x\": \"a.bin\"}}", false, true},
        {"the configuration of a model", "{\n  \"model_type\": \"llama\"\n}\n"},
        {"a JSON object in each line", "{\"a\": [0, 1]}\n{\"a\": [1, 0]}\n"},
        {"a JSON object", "{}"},
        {"a JSON object", "\xef\xbb\xbf{ \"pe\": [[0, 1]] }"},
        {"an array as NumPy prints it, rounded", "[[ 0.          1.        ]\n [ 0.84147096"},
        {"an array as NumPy prints it, rounded", "[nan inf]"},
        {"a text of numbers with decimal commas", "0,5;1,25\n3,0;4\n"},
        {"a text of numbers with decimal commas", "0,5\t1,25\n"},
        {"a text, but not of numbers", "# Title\nsome text\n"},
        {"a text, but not of numbers", "(0,5; 1,2)\n"},
        {"a text, but not of numbers", "a,b\n"},
        {"a text, but not of numbers", "x^2\n"},
        {"a text, but not of numbers", "class\nname\np\n"},
        {"an ONNX model", "\x08\x08\x12\7pytorch:|\n\x0f\n"s},
        {"an ONNX model", "\x08\x08\x12\0:|\n\x0f\n"s},
        {"an ONNX model", "\x08\x08:|\n\x0f\n\1x"},
        {"an ONNX model", "\x08\3\x12\0\x1a|"s},
        {"an ONNX model", "\x08\x1f\x12\1~\x42|"},
        {"of no kind that pe-gen knows", "\x08\2\x12\0:|"s},
        {"of no kind that pe-gen knows", "\x08\x20\x12\0:|"s},
        {"of no kind that pe-gen knows", "\x08\x08\x12\0\x19|"s},
        {"of no kind that pe-gen knows", "\x08\x08\x12\0\x43|"s},
        {"of no kind that pe-gen knows", "\x08\x08\x12\1\x7f:|"},
        {"an ONNX model", "\x08\x08\x12\x7f" + std::string(127, 'x') + ':'},
        {"of no kind that pe-gen knows", "\x08\x08\x12\x80" + std::string(128, 'x') + ':'},
        {"a MessagePack file, as Flax writes it", "\xde\0\1\xa1 \xc0"s},
        {"a MessagePack file, as Flax writes it", "\xdf\0\0\0\1\xd9\x20 \xc0"s},
        {"of no kind that pe-gen knows", "\x81\xa1\x1f\xc0"s},
        {"of no kind that pe-gen knows", "\x81\xc0\xa1 \1"s},
        {"a MessagePack file, as Flax writes it", "\x81\xa6params\x82\xa3pos\xc7>\1"},
        {"of no kind that pe-gen knows", "\0\0\x80?\0\0\0@"s},
        {"of no kind that pe-gen knows", "\x80\x7f\x01"},
        // The start of a SavedModel of TensorFlow's.
        {"of no kind that pe-gen knows",
         "\x08\1\x12\xe3"
         "E\n"},
        {"of no kind that pe-gen knows", std::string(40, '\0')},
        {"of no kind that pe-gen knows", std::string(8, '\xff') + std::string(8, '\0')},
    };
}

}  // namespace pegen::testing
