#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "program.h"

namespace {

namespace fs = std::filesystem;

const std::string folder = PEGEN_SOURCE_DIR "/tests/malformed";

/// The command that reads files with this extension.
struct Reader {
    std::string_view extension;
    std::string_view command;
};

constexpr std::array readers{
    Reader{".json", "batch --quiet --check"},
    Reader{".npy", "fourier --dry-run --points"},
    Reader{".npz", "fourier --dry-run --points"},
    Reader{".safetensors", "fourier --dry-run --points"},
};

/// A file, named after its fault, and how the program refuses it.
struct Malformed {
    std::string_view name;
    int status;
    std::string_view message;     ///< the message after the file name
    std::string_view array = "";  ///< the array with the fault, in a file of several
};

constexpr Malformed all_malformed[] = {
    {"axes-10000.npy", 3, "byte 190: header: more than 64 extents"},
    {"axes-65.npy", 3, "byte 254: header: more than 64 extents"},
    {"backslash-in-key.npy", 3, "byte 12: header: a string with a backslash"},
    {"bytes-dtype.npy", 3, "byte 20: dtype '|S4': text is not read; save numbers"},
    {"bytes-overflow.npy", 3, "byte 88: shape (1152921504606846976, 1): too large for any file"},
    {"bytes-wrap-to-0.npy", 3, "byte 88: shape (2305843009213693952, 1): too large for any file"},
    {"code-in-header.npy", 3, "byte 10: header: expected '{'"},
    {"code-in-shape.npy", 3, "byte 63: header: expected ','"},
    {"complex-dtype.npy", 3,
     "byte 20: dtype '<c32': complex numbers of 8 and 16 bytes are read; save "
     "array.astype('complex128')"},
    {"date-dtype.npy", 3,
     "byte 20: dtype '<M8[ns]': dates are not read; save array.astype('int64')"},
    {"dtype-by-name.npy", 3,
     "byte 20: dtype 'float32': not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to "
     "uint64, bool"},
    {"dtype-is-a-number.npy", 3, "byte 20: header: expected a string"},
    {"dtype-is-none.npy", 3, "byte 20: header: expected a string"},
    {"dtype-of-an-order-only.npy", 3,
     "byte 20: dtype '<': not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to "
     "uint64, bool"},
    {"dtype-of-native-byte-order.npy", 3,
     "byte 20: dtype '=f4': must begin with its byte order, as in '<f4'"},
    {"dtype-with-irrelevant-byte-order.npy", 3,
     "byte 20: dtype '|f4': must begin with its byte order, as in '<f4'"},
    {"dtype-without-byte-order.npy", 3,
     "byte 20: dtype 'f4': must begin with its byte order, as in '<f4'"},
    {"elements-of-a-terabyte.npy", 3,
     "byte 90: the file has 90 bytes where shape (1000000000000, 1) of float32 needs "
     "4000000000082"},
    {"elements-without-extents.npy", 3,
     "byte 70: the file has 78 bytes where shape (0, 1) of float32 needs 70"},
    {"empty-dtype.npy", 3,
     "byte 20: dtype '': not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to uint64, "
     "bool"},
    {"empty.npy", 3,
     "is empty; arrays are read from NPY, NPZ, safetensors, PyTorch and GGUF files, JSON and texts "
     "of "
     "numbers"},
    {"extent-2-to-63.npy", 3, "byte 61: header: an extent beyond 2^63 - 1"},
    {"extent-hexadecimal.npy", 3, "byte 62: header: expected ','"},
    {"extent-leading-zero.npy", 3, "byte 61: header: an extent with leading zeros"},
    {"extent-negative.npy", 3, "byte 61: header: expected an extent: a whole number from 0 on"},
    {"extent-nested.npy", 3, "byte 61: header: expected an extent: a whole number from 0 on"},
    {"extent-of-a-thousand-digits.npy", 3, "byte 61: header: an extent beyond 2^63 - 1"},
    {"extent-of-python-2.npy", 3,
     "byte 61: header: an extent with Python 2's L; save it with Python 3"},
    {"extent-real.npy", 3, "byte 62: header: expected ','"},
    {"extent-with-underscore.npy", 3, "byte 62: header: expected ','"},
    {"float-of-3-bytes-dtype.npy", 3,
     "byte 20: dtype '<f3': floats of 2, 4 and 8 bytes are read; save array.astype('float64')"},
    {"header-length-0.npy", 3, "byte 10: header: expected '{'"},
    {"header-length-4-gigabytes.npy", 3,
     "byte 8: a header of 4294967295 bytes: at most 65535 are read"},
    {"header-length-65536.npy", 3, "byte 8: a header of 65536 bytes: at most 65535 are read"},
    {"header-not-utf-8.npy", 3,
     "byte 22: dtype '<f4\\xff\\xfe': not one of float16/32/64, bfloat16 as V2, int8 to int64, "
     "uint8 to uint64, bool"},
    {"header-of-zeros.npy", 3, "byte 10: header: expected '{'"},
    {"header-with-escape-sequence.npy", 3,
     "byte 20: dtype '<f4\\x1b[31m': not one of float16/32/64, bfloat16 as V2, int8 to int64, "
     "uint8 to uint64, bool"},
    {"header-with-zero-byte-in-dtype.npy", 3,
     "byte 20: dtype '<f4\\x00': not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to "
     "uint64, bool"},
    {"integer-of-16-bytes-dtype.npy", 3,
     "byte 20: dtype '<i16': not one of float16/32/64, bfloat16 as V2, int8 to int64, uint8 to "
     "uint64, bool"},
    {"list-for-header.npy", 3, "byte 10: header: expected '{'"},
    {"long-double-dtype.npy", 3,
     "byte 20: dtype '<f16': floats of 2, 4 and 8 bytes are read; save array.astype('float64')"},
    {"long-dtype.npy", 3,
     "byte 20: dtype '<fffffffffffffffffffffffffffffff...': not one of float16/32/64, bfloat16 as "
     "V2, int8 to int64, uint8 to uint64, bool"},
    {"missing-brace.npy", 3, "byte 68: header: expected a string"},
    {"missing-comma.npy", 3, "byte 26: header: expected '}'"},
    {"missing-descr.npy", 3, "byte 53: header: 'descr' is missing"},
    {"missing-order.npy", 3, "byte 45: header: 'fortran_order' is missing"},
    {"missing-shape.npy", 3, "byte 52: header: 'shape' is missing"},
    {"no-elements-but-2-to-60-rows.npy", 3,
     "byte 60: shape (1152921504606846976, 0): no elements, but other extents of more than 2^24 "
     "together"},
    {"no-elements-but-rows-of-2-to-60.npy", 3,
     "byte 60: shape (0, 1152921504606846976): no elements, but other extents of more than 2^24 "
     "together"},
    {"object-dtype.npy", 3,
     "byte 20: dtype '|O': pickled Python objects are not supported; save "
     "array.astype('float64')"},
    {"one-byte-too-long.npy", 3,
     "byte 78: the file has 79 bytes where shape (2, 1) of float32 needs 78"},
    {"order-is-a-number.npy", 3, "byte 44: header: expected True or False"},
    {"order-is-lower-case.npy", 3, "byte 44: header: expected True or False"},
    {"pickle.npy", 3,
     "is a pickle, which is not read; in Python, if you trust it, as its code is run: import "
     "numpy, pandas, pickle; a = pickle.load(open(\"pickle.npy\", \"rb\")); "
     "numpy.savez(\"pickle.npz\", **pandas.json_normalize(a, sep=\"/\").to_dict(\"records\")[0] if "
     "isinstance(a, dict) else {\"a\": a})"},
    {"product-in-shape.npy", 3, "byte 62: header: expected ','"},
    {"raw-dtype.npy", 3,
     "byte 20: dtype '|V4': raw bytes are read as V2 only, for bfloat16; save array.view('uint8')"},
    {"second-array-behind-the-first.npy", 3,
     "byte 78: the file has 156 bytes where shape (2, 1) of float32 needs 78"},
    {"shape-is-a-list.npy", 3, "byte 60: header: expected '('"},
    {"shape-is-a-number.npy", 3, "byte 62: header: expected ','"},
    {"shape-product-overflows.npy", 3,
     "byte 60: the table: 4294967296 x 4294967296 is too large; sizes end at 2^63 - 1"},
    {"shape-product-wraps-to-2.npy", 3,
     "byte 60: the table: 2 x 9223372036854775807 is too large; sizes end at 2^63 - 1"},
    {"shape-without-end.npy", 3, "byte 67: header: expected an extent: a whole number from 0 on"},
    {"string-without-end.npy", 3, "byte 27: header: expected '}'"},
    {"structured-dtype.npy", 3,
     "byte 20: header: structured dtypes are not read; save each field by itself, as in "
     "array['x']"},
    {"subarray-dtype.npy", 3, "byte 20: header: expected a string"},
    {"text-dtype.npy", 3, "byte 20: dtype '<U2': text is not read; save numbers"},
    {"time-span-dtype.npy", 3,
     "byte 20: dtype '<m8[s]': dates are not read; save array.astype('int64')"},
    {"truncated-before-version.npy", 3, "byte 7: the file ends before its version"},
    {"truncated-in-elements.npy", 3,
     "byte 75: the file has 75 bytes where shape (2, 1) of float32 needs 78"},
    {"truncated-in-header-length.npy", 3, "byte 9: the file ends in the length of its header"},
    {"truncated-in-header.npy", 3, "byte 40: the file ends in its header of 60 bytes"},
    {"truncated-in-magic.npy", 3, "byte 4: the file ends before its version"},
    {"two-dictionaries.npy", 3, "byte 70: header: more after the closing '}'"},
    {"two-shapes.npy", 3,
     "byte 68: header: expected each of 'descr', 'fortran_order' and 'shape' once"},
    {"unknown-key.npy", 3,
     "byte 68: header: expected each of 'descr', 'fortran_order' and 'shape' once"},
    {"version-0.npy", 3, "byte 6: version 0.0: not one of 1.0, 2.0, 3.0"},
    {"version-1-minor-1.npy", 3, "byte 6: version 1.1: not one of 1.0, 2.0, 3.0"},
    {"version-4.npy", 3, "byte 6: version 4.0: not one of 1.0, 2.0, 3.0"},
    {"wrong-magic.npy", 3,
     "is of no kind that pe-gen knows; if it has bare numbers, in Python: import numpy; "
     "numpy.save(\"wrong-magic.new.npy\", numpy.fromfile(\"wrong-magic.npy\", "
     "dtype=\"float32\").reshape(-1, COLUMNS))"},
    {"array-longer-than-its-file.npz", 3,
     "byte 131: the file has 131 bytes where shape (1, 1) of float32 needs 132", "a"},
    {"deflated-and-broken.npz", 3, "its compressed bytes are broken", "a"},
    {"deflated-and-short-of-its-size.npz", 3, "ends before it has the size that the directory says",
     "a"},
    {"deflated-and-truncated.npz", 3, "ends before it has the size that the directory says", "a"},
    {"deflated-to-a-terabyte.npz", 3, "has fewer compressed bytes than its size needs", "a"},
    {"deflated-with-wrong-checksum.npz", 3, "has another checksum than the directory says", "a"},
    {"directory-beyond-its-end.npz", 3, "byte 240: ZIP archive: ends too early"},
    {"directory-missing.npz", 3, "byte 60: ZIP archive: no directory at its end"},
    {"directory-of-a-trillion-files.npz", 3,
     "byte 316: ZIP archive: 1000000000000 files: at most 1048576 are read"},
    {"directory-with-too-many-files.npz", 3, "byte 218: ZIP archive: broken directory"},
    {"directory-with-wrong-magic.npz", 3, "byte 167: ZIP archive: broken directory"},
    {"file-beyond-the-end.npz", 3, "byte 0: ZIP archive: a file in it does not end"},
    {"file-compressed-by-lzma.npz", 3,
     "is compressed by a method that is not read; use numpy.savez", "a"},
    {"file-encrypted.npz", 3, "is encrypted, which is not read", "a"},
    {"file-in-two-sizes.npz", 3, "is stored in two different sizes", "a"},
    {"file-of-8-exabytes.npz", 3, "byte 0: ZIP archive: a file in it does not end"},
    {"file-where-none-is.npz", 3, "byte 40: ZIP archive: not the record that it should be"},
    {"files-of-one-name.npz", 3, "a is in it twice"},
    {"files-of-one-place.npz", 3, "byte 0: ZIP archive: files in it overlap"},
    {"files-that-overlap.npz", 3, "byte 167: ZIP archive: files in it overlap"},
    {"name-not-utf-8.npz", 3, "byte 0: not an NPY file: does not begin with \\x93NUMPY",
     "\\xff\\xfe"},
    {"name-with-escape-sequence.npz", 3, "byte 0: not an NPY file: does not begin with \\x93NUMPY",
     "\\x1b[31m"},
    {"no-files.npz", 3, "has no arrays"},
    {"not-an-npy-file-by-its-name.npz", 3, "is a ZIP archive without NPY files; unpack it first"},
    {"not-an-npy-file.npz", 3, "byte 0: not an NPY file: does not begin with \\x93NUMPY", "a"},
    {"pickle.npz", 3,
     "byte 20: dtype '|O': pickled Python objects are not supported; save "
     "array.astype('float64')",
     "a"},
    {"several-arrays.npz", 3, "has several arrays, a, b; name one, as in several-arrays.npz:a"},
    {"bytes-without-tensors.safetensors", 3,
     "the file has 4 bytes of tensors where its header says 0"},
    {"dtype-is-a-number.safetensors", 3, "header: a: a number is out of place"},
    {"dtype-missing.safetensors", 3, "header: a: must have dtype, shape and data_offsets"},
    {"dtype-of-8-bits.safetensors", 3,
     "dtype F8_E4M3, shape [4]: not one of F32, F64, F16, BF16, I8, I16, I32, I64, U8, U16, U32, "
     "U64, BOOL",
     "a"},
    {"header-beyond-the-end.safetensors", 3, "byte 64: the file ends in its header of 1000 bytes"},
    {"header-nested-deep.safetensors", 3, "header: a: a list is out of place"},
    {"header-not-utf-8.safetensors", 3,
     "byte 11: header: syntax error while parsing object key - invalid string: ill-formed UTF-8 "
     "byte; last read: '\"\\xff'; expected string literal"},
    {"header-of-10-gigabytes.safetensors", 3,
     "byte 0: a header of 10000000000 bytes: at most 100000000 are read"},
    {"header-truncated.safetensors", 3,
     "byte 33: header: syntax error while parsing object key - invalid string: missing closing "
     "quote; last read: '\"sha'; expected string literal"},
    {"header-with-more-behind-it.safetensors", 3,
     "byte 11: header: syntax error while parsing value - unexpected '{'; expected end of input"},
    {"header-with-zero-byte.safetensors", 3,
     "byte 61: header: a zero byte, which no JSON text has"},
    {"metadata-is-a-list.safetensors", 3, "header: __metadata__: a list is out of place"},
    {"metadata-with-a-number.safetensors", 3, "header: __metadata__: a number is out of place"},
    {"name-with-escape-sequence.safetensors", 3,
     "byte 4: the file has 4 bytes where shape (2,) of float32 needs 8", "\\x1b[31m"},
    {"no-tensors.safetensors", 3, "has no arrays"},
    {"offset-2-to-63.safetensors", 3, "header: a: a number beyond 2^63 - 1"},
    {"offset-almost-2-to-63.safetensors", 3,
     "the file has 4 bytes of tensors where its header says 9223372036854775807"},
    {"offset-negative.safetensors", 3, "header: a: a number below 0"},
    {"offset-with-a-fraction.safetensors", 3,
     "header: a: a number with a fraction is out of place"},
    {"offsets-backwards.safetensors", 3, "header: a: data_offsets must be its begin and its end"},
    {"offsets-missing.safetensors", 3, "header: a: must have dtype, shape and data_offsets"},
    {"offsets-of-one-number.safetensors", 3,
     "header: a: data_offsets must be its begin and its end"},
    {"offsets-twice.safetensors", 3, "header: a: a list is out of place"},
    {"one-byte-too-long.safetensors", 3, "the file has 5 bytes of tensors where its header says 4"},
    {"one-byte-too-short.safetensors", 3,
     "the file has 3 bytes of tensors where its header says 4"},
    {"several-tensors.safetensors", 3,
     "has several arrays, a, b; name one, as in several-tensors.safetensors:a"},
    {"shape-of-65-extents.safetensors", 3, "header: a: more than 64 extents"},
    {"shape-of-another-size.safetensors", 3,
     "byte 4: the file has 4 bytes where shape (2, 2) of float32 needs 16", "a"},
    {"shape-product-overflows.safetensors", 3,
     "the table: 4611686018427387904 x 4611686018427387904 is too large; sizes end at 2^63 - 1",
     "a"},
    {"shape-with-a-text.safetensors", 3, "header: a: a text is out of place"},
    {"shape-without-elements-but-2-to-60-rows.safetensors", 3,
     "shape (1152921504606846976, 0): no elements, but other extents of more than 2^24 together",
     "a"},
    {"tensor-is-a-list.safetensors", 3, "header: a: a list is out of place"},
    {"tensor-is-null.safetensors", 3, "header: a: null is out of place"},
    {"tensors-of-one-name.safetensors", 3, "a is in it twice"},
    {"tensors-that-overlap.safetensors", 3,
     "header: data_offsets of b: begin at 2, where the tensor before ends at 4"},
    {"tensors-with-a-hole.safetensors", 3,
     "header: data_offsets of b: begin at 8, where the tensor before ends at 4"},
    {"unknown-key.safetensors", 3, "header: a: a text is out of place"},
    {"array-on-top.json", 3, "must be an object, {\"jobs\": [...]}"},
    {"bad-utf-8.json", 3,
     "line 1, column 63: syntax error while parsing value - invalid string: ill-formed UTF-8 byte; "
     "last read: '\"t\\xff'"},
    {"overlong-utf-8.json", 3,
     "line 1, column 63: syntax error while parsing value - invalid string: ill-formed UTF-8 byte; "
     "last read: '\"t\\xc0'"},
    {"utf-16.json", 3, "line 1: a zero byte, which no JSON text has"},
    {"comment-without-end.json", 3,
     "line 1, column 23: syntax error while parsing value - invalid comment; missing closing '*/'; "
     "last read: '\"jobs\": []} /* tables'; expected end of input"},
    {"deep-arrays.json", 3,
     "[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]"
     ": nested deeper than 32"},
    {"deep-objects.json", 3,
     "jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs."
     "jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs.jobs: nested deeper than 32"},
    {"deep-value-of-a-parameter.json", 3,
     "jobs[0].d[0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0][0]"
     ": nested deeper than 32"},
    {"defaults-is-an-array.json", 3, "defaults: must be an object, {\"dtype\": \"float64\"}"},
    {"duplicate-key-by-alias.json", 3, "jobs[0]: max-len: is there twice, under another name"},
    {"duplicate-key-by-escape.json", 3, "jobs[0]: the key \"d\" is there twice"},
    {"duplicate-key-by-underscore.json", 3,
     "jobs[0].freq_scale: is there twice, with '_' and with '-'"},
    {"duplicate-key-in-job.json", 3, "jobs[0]: the key \"d\" is there twice"},
    {"duplicate-key-on-top.json", 3, "top level: the key \"jobs\" is there twice"},
    {"empty-file.json", 3, "is empty, and no JSON text"},
    {"encoding-is-a-command.json", 3, "jobs[0]: 'list': is a command, not an encoding or a preset"},
    {"encoding-is-a-number.json", 3,
     "jobs[0]: '7': no such encoding, preset or command; see pe-gen list"},
    {"encoding-missing.json", 3,
     "jobs[0]: needs an \"encoding\": the name of an encoding or of a preset, such as \"sinusoid\" "
     "or \"bert\""},
    {"flag-is-a-number.json", 3, "jobs[0]: --reverse 1: must be true or false"},
    {"infinity.json", 3,
     "line 1, column 44: syntax error while parsing value - invalid literal; last read: '\"base\": "
     "I'"},
    {"integer-beyond-64-bits.json", 3,
     "jobs[0]: --d 18446744073709551616: too large for an integer"},
    {"integer-with-a-fraction.json", 3, "jobs[0]: --d 4.5: needs an integer"},
    {"integer-with-leading-zero.json", 3,
     "line 1, column 42: syntax error while parsing object - unexpected number literal; expected "
     "'}'"},
    {"job-is-null.json", 3, "jobs[0]: must be an object, {\"encoding\": ...}"},
    {"job-with-several-faults.json", 3,
     "jobs[0]: 'sinusoit': no such encoding, preset or command; did you mean 'sinusoid'?"},
    {"job-without-command.json", 3,
     "jobs[0]: is empty; it needs a command, as in sinusoid --d 8 -o a.npy"},
    {"job-without-output.json", 3,
     "jobs[0]: writes no file; give it -o name.npy, in JSON \"npy\": \"name.npy\""},
    {"jobs-is-an-object.json", 3, "jobs: must be an array, [...]"},
    {"key-with-escape-sequence.json", 3, "\\x1b[31m: unknown key"},
    {"lone-surrogate.json", 3,
     "line 1, column 69: syntax error while parsing value - invalid string: surrogate "
     "U+D800..U+DBFF must be followed by U+DC00..U+DFFF; last read: '\"t\\ud800.'"},
    {"mask-outside-the-folder.json", 3,
     "jobs[0]: /etc/passwd: is absolute; a path of a manifest stays in the manifest's folder"},
    {"nan-as-string.json", 3, "jobs[0]: --base nan: must be finite"},
    {"nan.json", 3,
     "line 1, column 44: syntax error while parsing value - invalid literal; last read: '\"base\": "
     "N'"},
    {"no-jobs-key.json", 3, "needs \"jobs\": [...]"},
    {"null-on-top.json", 3, "must be an object, {\"jobs\": [...]}"},
    {"number-below-doubles.json", 3, "jobs[0]: number underflow parsing '1e-400'"},
    {"number-beyond-doubles.json", 3, "line 1: number overflow parsing '1e400'"},
    {"only-spaces.json", 3,
     "line 2, column 3: syntax error while parsing value - unexpected end of input; expected '[', "
     "'{', or a literal"},
    {"parameter-is-an-object.json", 3,
     "jobs[0].d: must be a value, or a distribution: one of uniform, loguniform, normal, integers, "
     "logintegers, choice, as in {\"loguniform\": [100, 1e6]}"},
    {"parameter-is-null.json", 3,
     "jobs[0].d: must be a text, a number, true or false, or a list of these"},
    {"path-is-absolute.json", 3,
     "jobs[0]: /tmp/pe-gen-malformed.npy: is absolute; a path of a manifest stays in the "
     "manifest's "
     "folder"},
    {"path-is-empty.json", 3, "jobs[0]: --npy '': needs the name of a file"},
    {"path-is-standard-output.json", 3, "jobs[0]: npy: a job writes files"},
    {"path-is-the-manifest.json", 3, "jobs[0]: path-is-the-manifest.json is this manifest itself"},
    {"path-leaves-the-folder-in-the-middle.json", 3,
     "jobs[0]: a/../../t.npy: leads upwards; a path of a manifest stays in the manifest's folder"},
    {"path-leaves-the-folder.json", 3,
     "jobs[0]: ../t.npy: leads upwards; a path of a manifest stays in the manifest's folder"},
    {"raw-newline-in-string.json", 3,
     "line 2, column 0: syntax error while parsing value - invalid string: control character "
     "U+000A (LF) must be escaped to \\u000A or \\n; last read: '\"a<U+000A>'"},
    {"string-on-top.json", 3, "must be an object, {\"jobs\": [...]}"},
    {"sweep-and-value-of-one-parameter.json", 3,
     "jobs[0].sweep.d: is there twice, in the sweep and outside of it"},
    {"sweep-is-an-array.json", 3, "jobs[0].sweep: must be an object, {\"d\": [64, 128]}"},
    {"sweep-of-a-milliard-jobs.json", 3, "jobs[0]: sweeps over more than 1000000 jobs"},
    {"sweep-of-a-number.json", 3,
     "jobs[0].sweep.d: must be an array, [...], or a range, {\"from\": 0, \"to\": 9}"},
    {"sweep-of-one-value-twice.json", 3,
     "jobs[0] with d 4: t4.npy is also the target of jobs[0] with d 4"},
    {"sweep-over-nothing.json", 3, "jobs[0].sweep.d: needs at least one value"},
    {"sweep-without-template.json", 3,
     "jobs[0] with d 4: t.npy is also the target of jobs[0] with d 2"},
    {"table-of-impossible-size.json", 3,
     "jobs[0]: --d 9223372036854775806: must be between 1 and 1048576"},
    {"template-of-unknown-parameter.json", 3, "jobs[0]: {dd}.npy: no parameter is called dd"},
    {"template-that-contains-itself.json", 3, "jobs[0]: {title}.png: no parameter is called title"},
    {"trailing-comma.json", 3,
     "line 1, column 70: syntax error while parsing value - unexpected ']'; expected '[', '{', or "
     "a literal"},
    {"trailing-garbage.json", 3,
     "line 1, column 72: syntax error while parsing value - invalid literal; last read: "
     "'\"t.npy\"}]} x'; expected end of input"},
    {"truncated.json", 3,
     "line 1, column 41: syntax error while parsing value - unexpected end of input; expected '[', "
     "'{', or a literal"},
    {"two-jobs-one-target-spelled-twice.json", 3, "jobs[1]: ./t.npy is also the target of jobs[0]"},
    {"two-jobs-one-target.json", 3, "jobs[1]: t.npy is also the target of jobs[0]"},
    {"two-manifests.json", 3,
     "line 1, column 71: syntax error while parsing value - unexpected '{'; expected end of input"},
    {"unknown-encoding.json", 3,
     "jobs[0]: 'sinusoit': no such encoding, preset or command; did you mean 'sinusoid'?"},
    {"unknown-key-in-job.json", 3, "jobs[0]: dd: no option of sinusoid; did you mean 'd'?"},
    {"unknown-key-on-top.json", 3, "job: unknown key; did you mean 'jobs'?"},
    {"zero-byte-before-garbage.json", 3, "line 1: a zero byte, which no JSON text has"},
    {"zero-character-in-path.json", 3, "jobs[0]: a text has the character \\u0000 in it"},
};

/// The names of all malformed files.
std::set<std::string> names_in_folder() {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".cpp") names.insert(entry.path().filename());
    }
    return names;
}

std::string command_for(std::string_view name) {
    const auto reads_it = [&](const Reader& reader) { return name.ends_with(reader.extension); };
    const auto reader = std::ranges::find_if(readers, reads_it);
    REQUIRE(reader != readers.end());
    return std::string(reader->command) + " " + std::string(name);
}

}  // namespace

TEST_CASE("malformed: the table has every file of the folder and no other") {
    std::set<std::string> known;
    for (const Malformed& file : all_malformed) known.emplace(file.name);
    CHECK(known.size() == std::size(all_malformed));
    CHECK(known == names_in_folder());
}

TEST_CASE("malformed: each is refused in one line that names the fault and leaves no trace") {
    const std::set<std::string> before = names_in_folder();
    for (const Malformed& file : all_malformed) {
        CAPTURE(file.name);
        const ProgramRun run = run_program(command_for(file.name), folder);
        CHECK(run.status == file.status);
        const std::string place =
            fmt::format("{}{}{}", file.name, file.array.empty() ? "" : ":", file.array);
        CHECK(run.errors == fmt::format("pe-gen: {}: {}\n", place, file.message));
        CHECK(run.output.empty());
    }
    CHECK(names_in_folder() == before);
}
