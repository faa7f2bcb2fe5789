#include <doctest/doctest.h>

#include <algorithm>

#include "core/error.h"
#include "files/npy.h"
#include "formats/fake_table.h"

using namespace pegen;
using namespace pegen::testing;
using namespace std::string_literals;

namespace {

/// Returns a file of version 1.0 with this dictionary, unpadded, and these elements.
std::string npy_file(const std::string& dictionary, const std::string& elements) {
    const auto length = dictionary.size();
    return "\x93NUMPY\x01\0"s + static_cast<char>(length & 0xff) + static_cast<char>(length >> 8) +
           dictionary + elements;
}

std::string dictionary(const std::string& descr, const std::string& order,
                       const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

Table read(const std::string& bytes) {
    const TemporaryFolder folder;
    put(folder.path("t.npy"), bytes);
    return read_npy(folder.path("t.npy"));  // stays readable: the file is open
}

/// Returns the message without the path before it, or "read" if there is none.
std::string refusal(const std::string& bytes) {
    try {
        read(bytes);
    } catch (const FormatError& error) {
        const std::string message = error.what();
        return message.substr(message.find("t.npy: ") + 7);
    }
    return "read";
}

const std::string good = npy_file(dictionary("'<i2'", "False", "(2,)"), "\1\0\2\0"s);

}  // namespace

TEST_CASE("read_npy: keys may come in any order and quotes and with odd spaces") {
    const std::string file = npy_file(
        " { \"shape\" :( 2 , 1 ) ,\n'fortran_order':False,\"descr\":'<i2'}  \n", "\1\0\2\0"s);
    CHECK(read(file).shape == Shape{2, 1});
    CHECK(bytes_of(read(file)) == "\1\0\2\0"s);
}

TEST_CASE("read_npy: versions 2 and 3 have a length of four bytes") {
    const std::string text = dictionary("'|u1'", "False", "()");
    for (const char version : {'\2', '\3'}) {
        const std::string file = "\x93NUMPY"s + version + '\0' + static_cast<char>(text.size()) +
                                 "\0\0\0"s + text + "\7";
        CHECK(bytes_of(read(file)) == "\7");
    }
}

TEST_CASE("read_npy: the bytes of big-endian elements are reversed") {
    CHECK(bytes_of(read(npy_file(dictionary("'>i2'", "False", "(2,)"), "\1\2\3\4"))) == "\2\1\4\3");
    CHECK(bytes_of(read(npy_file(dictionary("'>f8'", "False", "()"), "12345678"))) == "87654321");
    CHECK(bytes_of(read(npy_file(dictionary("'>V2'", "False", "(1,)"), "ab"))) == "ba");
    CHECK(bytes_of(read(npy_file(dictionary("'>i1'", "False", "(2,)"), "ab"))) == "ab");
}

TEST_CASE("read_npy: any byte but zero is true") {
    const Table table = read(npy_file(dictionary("'|b1'", "False", "(4,)"), "\0\1\2\xff"s));
    CHECK(bytes_of(table) == "\0\1\1\1"s);
}

TEST_CASE("read_npy: raw two-byte elements are bfloat16") {
    CHECK(read(npy_file(dictionary("'|V2'", "False", "(1,)"), "ab")).dtype == DType::bfloat16);
}

TEST_CASE("read_npy: complex numbers are pairs along a last axis, in C order only") {
    const std::string elements = "\0\0\x80\x3f\0\0\0\x40"s;  // 1 + 2i
    const Table table = read(npy_file(dictionary("'<c8'", "False", "(1,)"), elements));
    CHECK(table.shape == Shape{1, 2});
    CHECK(table.dtype == DType::float32);
    CHECK(read_rows(table, {0, 1}) == std::vector<double>{1, 2});
    const std::string text = "\x3f\x80\0\0\x40\0\0\0"s;
    CHECK(read_rows(read(npy_file(dictionary("'>c8'", "True", "(1,)"), text)), {0, 1}) ==
          std::vector<double>{1, 2});
    CHECK(refusal(npy_file(dictionary("'<c16'", "True", "(1, 1)"), elements + elements)) ==
          "byte 20: complex numbers in Fortran order are not read; save "
          "numpy.ascontiguousarray(array)");
}

TEST_CASE("read_npy: Fortran order is turned into rows") {
    // The columns of [[a, b, c], [d, e, f]] one after the other.
    const Table matrix = read(npy_file(dictionary("'|i1'", "True", "(2, 3)"), "adbecf"));
    CHECK(bytes_of(matrix) == "abcdef");
    std::string row(3, ' ');
    matrix.rows({1, 1}, std::as_writable_bytes(std::span(row)));
    CHECK(row == "def");
    CHECK(bytes_of(read(npy_file(dictionary("'|i1'", "True", "(3,)"), "abc"))) == "abc");
}

TEST_CASE("read_npy: Fortran order of four axes gives each range of rows its elements") {
    const std::vector<std::int64_t> e{3, 70, 5, 2};
    const Shape shape(e);
    std::vector<std::uint16_t> fortran(shape.size());
    std::vector<std::uint16_t> c(shape.size());
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < e[0]; ++i)
        for (std::int64_t j = 0; j < e[1]; ++j)
            for (std::int64_t k = 0; k < e[2]; ++k)
                for (std::int64_t l = 0; l < e[3]; ++l, ++n) {
                    const auto place = i + e[0] * (j + e[1] * (k + e[2] * l));
                    c[n] = fortran[place] = static_cast<std::uint16_t>(n);
                }
    const std::string elements(reinterpret_cast<const char*>(fortran.data()), fortran.size() * 2);
    const Table table = read(npy_file(dictionary("'<u2'", "True", "(3, 70, 5, 2)"), elements));
    for (const RowRange range : {RowRange{0, 1050}, RowRange{347, 7}, RowRange{1049, 1}}) {
        std::vector<std::uint16_t> rows(range.count * 2);
        table.rows(range, std::as_writable_bytes(std::span(rows)));
        CHECK(std::equal(rows.begin(), rows.end(), c.begin() + range.first * 2));
    }
}

TEST_CASE("read_npy: every truncation of a file is refused") {
    for (std::size_t length = 0; length < good.size(); ++length) {
        CAPTURE(length);
        CHECK(refusal(good.substr(0, length)) != "read");
    }
    CHECK(refusal(good) == "read");
}

TEST_CASE("read_npy: a file longer than its header says is refused with both lengths") {
    CHECK(refusal(good + "x") ==
          "byte 72: the file has 73 bytes where shape (2,) of int16 needs 72");
}

TEST_CASE("read_npy: broken headers are refused with the byte and the reason") {
    const auto of = [](const std::string& text) { return refusal(npy_file(text, "")); };
    const auto with = [&](const std::string& descr, const std::string& order,
                          const std::string& shape) { return of(dictionary(descr, order, shape)); };

    CHECK(refusal("\x93NUMPY\x04\0\0\0"s) == "byte 6: version 4.0: not one of 1.0, 2.0, 3.0");
    CHECK(refusal("\x93NUMPY\x02\0\xff\xff\xff\xff"s) ==
          "byte 8: a header of 4294967295 bytes: at most 65535 are read");
    CHECK(of("") == "byte 10: header: expected '{'");
    CHECK(of("{}") == "byte 12: header: 'descr' is missing");
    CHECK(of("{'descr': '<f4', 'descr': '<f4'}") ==
          "byte 27: header: expected each of 'descr', 'fortran_order' and 'shape' once");
    CHECK(of("{'color': 'red'}") ==
          "byte 11: header: expected each of 'descr', 'fortran_order' and 'shape' once");
    CHECK(of("{'descr: <f4}") == "byte 12: header: a string without an end");
    CHECK(of("{'des\\x63r': '<f4'}") == "byte 12: header: a string with a backslash");
    CHECK(of(dictionary("'<f4'", "False", "(0,)") + "}") ==
          "byte 68: header: more after the closing '}'");
    CHECK(with("'<f4'", "0", "(1,)") == "byte 44: header: expected True or False");
    CHECK(with("'<f4'", "Falsehood", "(1,)") == "byte 49: header: expected '}'");
    CHECK(with("'<f4'", "False", "(1)") == "byte 62: header: expected ','");
    CHECK(with("'<f4'", "False", "[1]") == "byte 60: header: expected '('");
    CHECK(with("'<f4'", "False", "(,)") ==
          "byte 61: header: expected an extent: a whole number from 0 on");
    CHECK(with("'<f4'", "False", "(-1,)") ==
          "byte 61: header: expected an extent: a whole number from 0 on");
    CHECK(with("'<f4'", "False", "(3L,)") ==
          "byte 61: header: an extent with Python 2's L; save it with Python 3");
    CHECK(with("'<f4'", "False", "(007,)") == "byte 61: header: an extent with leading zeros");
    CHECK(with("'<f4'", "False", "(9223372036854775808,)") ==
          "byte 61: header: an extent beyond 2^63 - 1");
    CHECK(with("'<f4'", "False", "(1, 2").starts_with("byte 67: header: expected an extent"));
}

TEST_CASE("read_npy: unsupported elements are named with what to save instead") {
    const auto of = [](const std::string& descr) {
        const std::string message = refusal(npy_file(dictionary(descr, "False", "(1,)"), ""));
        CHECK(message.starts_with("byte 20: "));
        return message.substr(9);
    };
    CHECK(of("'|O'") ==
          "dtype '|O': pickled Python objects are not supported; save "
          "array.astype('float64')");
    CHECK(of("[('x', '<f4')]") ==
          "header: structured dtypes are not read; save each field by itself, as in array['x']");
    CHECK(of("'<c32'") ==
          "dtype '<c32': complex numbers of 8 and 16 bytes are read; save "
          "array.astype('complex128')");
    for (const std::string descr : {"<U5", "|S3"}) {
        CHECK(of("'" + descr + "'") == "dtype '" + descr + "': text is not read; save numbers");
    }
    for (const std::string descr : {"<M8", "<M8[ns]", "<m8[25s]"}) {
        CHECK(of("'" + descr + "'") ==
              "dtype '" + descr + "': dates are not read; save array.astype('int64')");
    }
    CHECK(of("'|V4'") ==
          "dtype '|V4': raw bytes are read as V2 only, for bfloat16; save array.view('uint8')");
    CHECK(of("'<f16'") ==
          "dtype '<f16': floats of 2, 4 and 8 bytes are read; save array.astype('float64')");
    for (const std::string descr : {"f4", "|f4", "=f4"}) {
        CHECK(of("'" + descr + "'") ==
              "dtype '" + descr + "': must begin with its byte order, as in '<f4'");
    }
    for (const std::string descr : {"", "<", "<i16", "float32", "<f4 "}) {
        CHECK(of("'" + descr + "'") ==
              "dtype '" + descr +
                  "': not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to uint64, "
                  "bool");
    }
}

TEST_CASE("read_npy: a dtype is shown in one line and without control characters") {
    const auto of = [](const std::string& descr) {
        return refusal(npy_file(dictionary("'" + descr + "'", "False", "(1,)"), ""));
    };
    CHECK(of("\x1b[2J\0\n\xff"s).starts_with("byte 20: dtype '\\x1b[2J\\x00\\x0a\\xff': not"));
    CHECK(
        of(std::string(5000, 'x')).starts_with("byte 20: dtype '" + std::string(32, 'x') + "...'"));
}

TEST_CASE("read_npy: what does not begin as an NPY file is refused") {
    for (const std::string_view bytes : {"", "PK\3\4 and more", "\x80\4", "text", "\x93NUMPX"}) {
        CHECK(refusal(std::string(bytes)) ==
              "byte 0: not an NPY file: does not begin with \\x93NUMPY");
    }
    CHECK(refusal("\x93NUM") == "byte 4: the file ends before its version");
}

TEST_CASE("read_npy: the other extents of an array without elements are limited") {
    const auto with = [](const std::string& order, const std::string& shape) {
        return npy_file(dictionary("'<f8'", order, shape), "");
    };
    for (const std::string shape : {"(0, 1152921504606846976)", "(1152921504606846976, 0)",
                                    "(4097, 0, 4096)", "(0, 9223372036854775807, 3)"}) {
        CHECK(refusal(with("False", shape))
                  .ends_with(": no elements, but other extents of more than 2^24 together"));
    }
    for (const std::string order : {"False", "True"}) {
        const Table table = read(with(order, "(4096, 4096, 0)"));
        CHECK(table.shape == Shape{4096, 4096, 0});
        CHECK(bytes_of(table).empty());
        CHECK(read(with(order, "(0, 16777216)")).shape.columns() == 16777216);
    }
}

TEST_CASE("read_npy: sizes that overflow or do not fit the file are refused before any memory") {
    const auto with = [](const std::string& shape) {
        return refusal(npy_file(dictionary("'<f8'", "False", shape), ""));
    };
    CHECK(with("(4294967296, 4294967296)").find("is too large") != std::string::npos);
    CHECK(with("(4611686018427387904,)").find("too large for any file") != std::string::npos);
    CHECK(with("(1000000000000,)").find("needs 8000000000080") != std::string::npos);
    std::string deep = "(";
    for (int axis = 0; axis < 65; ++axis) deep += "1,";
    CHECK(with(deep + ")").find("more than 64 extents") != std::string::npos);
}

TEST_CASE("read_npy: a path that is not a regular file is a file error") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(
        read_npy(folder.path("none.npy")),
        (folder.path("none.npy") + ": cannot open: No such file or directory").c_str(), FileError);
    CHECK_THROWS_WITH_AS(read_npy(folder.path("")),
                         (folder.path("") + ": cannot read: Is a directory").c_str(), FileError);
    CHECK_THROWS_WITH_AS(read_npy("/dev/null"),
                         "/dev/null: cannot read: not a regular file; save it to one first",
                         FileError);
}

TEST_CASE("read_npy: a file that shrinks after it was opened is a file error") {
    const TemporaryFolder folder;
    put(folder.path("t.npy"), good);
    const Table table = read_npy(folder.path("t.npy"));
    std::filesystem::resize_file(folder.path("t.npy"), 20);
    CHECK_THROWS_AS(bytes_of(table), FileError);
}
