#include "files/gguf_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "files/input_file.h"
#include "files/json_text.h"
#include "files/stored_array.h"

namespace pegen {
namespace {

constexpr std::string_view magic = "GGUF";

/// A type of elements, as ggml numbers them.
struct Element {
    std::uint64_t number;
    std::string_view name;
    std::int64_t count;            ///< elements of a block, which are stored together
    std::int64_t bytes;            ///< of a block
    std::optional<DType> dtype{};  ///< nothing for quantized elements
};

/// The types of ggml, ggml/src/ggml-common.h.
constexpr std::array elements{
    Element{0, "F32", 1, 4, DType::float32},
    Element{1, "F16", 1, 2, DType::float16},
    Element{2, "Q4_0", 32, 18},
    Element{3, "Q4_1", 32, 20},
    Element{6, "Q5_0", 32, 22},
    Element{7, "Q5_1", 32, 24},
    Element{8, "Q8_0", 32, 34},
    Element{9, "Q8_1", 32, 36},
    Element{10, "Q2_K", 256, 84},
    Element{11, "Q3_K", 256, 110},
    Element{12, "Q4_K", 256, 144},
    Element{13, "Q5_K", 256, 176},
    Element{14, "Q6_K", 256, 210},
    Element{15, "Q8_K", 256, 292},
    Element{16, "IQ2_XXS", 256, 66},
    Element{17, "IQ2_XS", 256, 74},
    Element{18, "IQ3_XXS", 256, 98},
    Element{19, "IQ1_S", 256, 50},
    Element{20, "IQ4_NL", 32, 18},
    Element{21, "IQ3_S", 256, 110},
    Element{22, "IQ2_S", 256, 82},
    Element{23, "IQ4_XS", 256, 136},
    Element{24, "I8", 1, 1, DType::int8},
    Element{25, "I16", 1, 2, DType::int16},
    Element{26, "I32", 1, 4, DType::int32},
    Element{27, "I64", 1, 8, DType::int64},
    Element{28, "F64", 1, 8, DType::float64},
    Element{29, "IQ1_M", 256, 56},
    Element{30, "BF16", 1, 2, DType::bfloat16},
    Element{34, "TQ1_0", 256, 54},
    Element{35, "TQ2_0", 256, 66},
    Element{39, "MXFP4", 32, 17},
    Element{40, "NVFP4", 64, 36},
    Element{41, "Q1_0", 128, 18},
};

/// The types of values, as GGUF numbers them.
enum Type : std::uint64_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };

/// The bytes of each type; 0 for texts and lists.
constexpr std::array<std::uint64_t, 13> sizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/// The part of a file before the elements, read from its begin to its end.
class Header {
  public:
    explicit Header(const InputFile& file) : file_(file) {}

    std::int64_t place() const { return place_; }
    void set_big_endian() { is_big_endian_ = true; }
    bool is_big_endian() const { return is_big_endian_; }

    [[noreturn]] void refuse(std::int64_t place, std::string_view failure) const {
        throw FormatError(file_.path(), place, failure);
    }

    /// Reads an unsigned integer of this many bytes. `what` says what it is, for messages.
    std::uint64_t number(std::uint64_t size, std::string_view what) {
        const std::string bytes = taken(size, what);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < size; ++i) {
            const std::size_t next = is_big_endian_ ? i : size - 1 - i;
            value = value << 8 | static_cast<unsigned char>(bytes[next]);
        }
        return value;
    }

    /// Reads a number of things, which must be at most `most`.
    std::uint64_t count(std::uint64_t size, std::uint64_t most, std::string_view what) {
        const std::int64_t place = place_;
        const std::uint64_t value = number(size, what);
        if (value > most) refuse(place, fmt::format("{}: {}, at most {}", what, value, most));
        return value;
    }

    /// Reads a text with its length before it.
    std::string short_text(std::string_view what) {
        constexpr std::uint64_t most = 65535;
        return taken(count(8, most, fmt::format("length of {}", what)), what);
    }

    /// Reads the type of a value.
    std::uint64_t type(std::string_view what) {
        return count(4, f64, fmt::format("type of {}", what));
    }

    /// Reads a value, which is null if it is not kept.
    Json value(std::uint64_t type_of_value, std::string_view what, int depth = 0) {
        constexpr std::uint64_t most_bytes = 4096;
        constexpr int deepest = 4;
        if (const std::uint64_t size = sizes[type_of_value]) {
            return scalar(type_of_value, number(size, what));
        }
        if (type_of_value == text) {
            const std::uint64_t length = number(8, what);
            if (length <= most_bytes) return Json(taken(length, what));
            skip(length, what);
            return {};
        }
        if (depth == deepest) refuse(place_, fmt::format("{}: more than 4 levels of lists", what));
        const std::uint64_t of = type(what), length = number(8, what), size = sizes[of];
        if (size > 0 && (length > most_numbers || kept_ + length > most_numbers)) {
            skip(length > longest ? length : length * size, what);
            return {};
        }
        Json items = Json::array();
        if (size > 0) kept_ += length;
        for (std::uint64_t i = 0; i < length; ++i) {
            Json item = value(of, what, depth + 1);
            if (size > 0) items.push_back(std::move(item));
        }
        return size > 0 ? items : Json();
    }

  private:
    static constexpr std::uint64_t longest = std::uint64_t{1} << 28;  ///< bytes
    static constexpr std::uint64_t most_numbers = 65536;              ///< in all lists together

    Json scalar(std::uint64_t type, std::uint64_t bits) const {
        switch (type) {
            case i8:
                return Json(static_cast<std::int8_t>(bits));
            case i16:
                return Json(static_cast<std::int16_t>(bits));
            case i32:
                return Json(static_cast<std::int32_t>(bits));
            case i64:
                return Json(static_cast<std::int64_t>(bits));
            case f32:
                return Json(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
            case f64:
                return Json(std::bit_cast<double>(bits));
            case boolean:
                return Json(bits != 0);
            default:
                return Json(bits);
        }
    }

    /// Checks that this many bytes follow.
    void check(std::uint64_t bytes, std::string_view what) const {
        const auto place = static_cast<std::uint64_t>(place_);
        if (bytes > longest || place + bytes > longest) {
            refuse(place_, fmt::format("{}: {} bytes, beyond the first 2^28 bytes of the file, in "
                                       "which all keys and the list of tensors must be",
                                       what, bytes));
        }
        const auto end = static_cast<std::int64_t>(place + bytes);
        if (end <= buffered_ || file_.holds(end)) return;
        refuse(file_.size(),
               fmt::format("{}: ends here, and needs {} more bytes", what, end - file_.size()));
    }

    void skip(std::uint64_t bytes, std::string_view what) {
        check(bytes, what);
        place_ += static_cast<std::int64_t>(bytes);
    }

    std::string taken(std::uint64_t size, std::string_view what) {
        check(size, what);
        const auto count = static_cast<std::int64_t>(size);
        if (place_ + count > buffered_) fill(count);
        const std::int64_t begin = place_ - (buffered_ - std::ssize(buffer_));
        place_ += count;
        return buffer_.substr(static_cast<std::size_t>(begin), size);
    }

    /// Reads at least `count` bytes from here on, since many values are small.
    void fill(std::int64_t count) {
        constexpr std::int64_t usual = 1 << 16;
        count = std::max(count, file_.holds(place_ + usual) ? usual : file_.size() - place_);
        buffer_.resize(static_cast<std::size_t>(count));
        file_.read(place_, std::as_writable_bytes(std::span(buffer_)));
        buffered_ = place_ + count;
    }

    const InputFile& file_;
    bool is_big_endian_ = false;
    std::int64_t place_ = 0;
    std::string buffer_{};
    std::int64_t buffered_ = 0;  ///< where the bytes of the buffer end
    std::uint64_t kept_ = 0;     ///< numbers in lists
};

/// A tensor as the file lists it.
struct Tensor {
    std::string name;
    std::vector<std::int64_t> shape{};  ///< outermost first
    std::string type{};
    std::optional<DType> dtype{};
    std::int64_t begin = 0;  ///< from the begin of all elements; later of the file
    std::int64_t bytes = 0;  ///< 0 for types that are not known
};

Tensor next_tensor(Header& header) {
    constexpr std::uint64_t most_axes = 4;
    constexpr std::uint64_t largest = ~std::uint64_t{0} >> 1;
    Tensor tensor{header.short_text("the name of a tensor")};
    const std::string what = "tensor " + tensor.name;
    const std::uint64_t rank = header.count(4, most_axes, what + ": number of axes");
    for (std::uint64_t axis = 0; axis < rank; ++axis) {
        const std::uint64_t extent = header.count(8, largest, what + ": extent");
        tensor.shape.insert(tensor.shape.begin(), static_cast<std::int64_t>(extent));
    }
    const std::int64_t place = header.place();
    const std::uint64_t number = header.number(4, what + ": type");
    tensor.begin = static_cast<std::int64_t>(header.count(8, largest, what + ": offset"));
    const auto element = std::ranges::find(elements, number, &Element::number);
    if (element == elements.end()) {
        tensor.type = fmt::format("type {}", number);
        return tensor;
    }
    tensor.type = element->name;
    tensor.dtype = element->dtype;
    const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
    if (row % element->count != 0) {
        header.refuse(place,
                      fmt::format("{}: shape ({}) of {}: the last extent must be a multiple "
                                  "of {}",
                                  what, joined(tensor.shape, ", "), tensor.type, element->count));
    }
    std::int64_t blocks = 1;
    bool fits = true;
    for (const std::int64_t extent : tensor.shape) {
        fits = fits && !__builtin_mul_overflow(blocks, extent, &blocks);
    }
    blocks /= element->count;
    if (!fits || __builtin_mul_overflow(blocks, element->bytes, &tensor.bytes)) {
        header.refuse(place, fmt::format("{}: shape ({}): too large for any file", what,
                                         joined(tensor.shape, ", ")));
    }
    return tensor;
}

/// Reads the version, which also tells the byte order. Throws: FormatError.
void read_version(Header& header) {
    const std::uint64_t version = header.number(4, "version");
    if (version == 2 || version == 3) return;
    if (version == 0x02000000 || version == 0x03000000) return header.set_big_endian();
    header.refuse(4, fmt::format("version {}: must be 2 or 3; convert the model again with "
                                 "llama.cpp's convert_hf_to_gguf.py",
                                 version));
}

Json read_metadata(Header& header, std::uint64_t count) {
    Json metadata = Json::object();
    std::vector<std::string> keys;
    for (std::uint64_t i = 0; i < count; ++i) {
        keys.push_back(header.short_text("a key"));
        const std::uint64_t type = header.type(keys.back());
        metadata.add(keys.back(), header.value(type, keys.back()));
    }
    std::ranges::sort(keys);
    const auto twin = std::ranges::adjacent_find(keys);
    if (twin != keys.end()) header.refuse(header.place(), fmt::format("has {} twice", *twin));
    return metadata;
}

/// Returns to what multiples of bytes the elements of each tensor are aligned. Throws: FormatError.
std::int64_t alignment_in(const Json& metadata, const InputFile& file) {
    constexpr std::int64_t usual = 32;
    const Json alignment = metadata.value("general.alignment", Json(usual));
    const bool is_count =
        alignment.is_number_unsigned() && alignment.get<std::uint64_t>() >> 32 == 0;
    if (is_count && std::has_single_bit(alignment.get<std::uint64_t>())) {
        return alignment.get<std::int64_t>();
    }
    throw FormatError(file.path(), fmt::format("general.alignment {}: must be a power of two below "
                                               "2^32",
                                               json_line(alignment)));
}

/// Checks that all tensors are aligned, in the file, and apart from each other; makes their places
/// those in the file. `begin` is where all elements begin. Throws: FormatError.
void place_tensors(const InputFile& file, std::vector<Tensor>& tensors, std::int64_t begin,
                   std::int64_t alignment) {
    const auto refuse = [&](const Tensor& tensor, std::string_view failure) {
        throw FormatError(file.path(), fmt::format("tensor {}: {}", tensor.name, failure));
    };
    std::vector<const Tensor*> order;
    for (Tensor& tensor : tensors) {
        std::int64_t end = 0;
        if (tensor.begin % alignment != 0) {
            refuse(tensor, fmt::format("offset {}: must be a multiple of general.alignment, {}",
                                       tensor.begin, alignment));
        }
        if (__builtin_add_overflow(tensor.begin, begin, &tensor.begin) ||
            __builtin_add_overflow(tensor.begin, tensor.bytes, &end)) {
            refuse(tensor, "offset: too large for any file");
        }
        order.push_back(&tensor);
    }
    std::ranges::sort(order, {}, [](const Tensor* t) { return std::pair(t->begin, t->bytes); });
    const Tensor* last = nullptr;
    for (const Tensor* tensor : order) {
        if (last && tensor->begin < last->begin + last->bytes) {
            refuse(*tensor, fmt::format("begins at byte {}, and {} ends at {}", tensor->begin,
                                        last->name, last->begin + last->bytes));
        }
        last = tensor;
    }
    if (!last || file.holds(last->begin + last->bytes)) return;
    const auto missing = *std::ranges::find_if(
        order, [&](const Tensor* t) { return !file.holds(t->begin + t->bytes); });
    refuse(*missing, fmt::format("ends at byte {}, and the file at {}; is it downloaded whole?",
                                 missing->begin + missing->bytes, file.size()));
}

StoredArray open_tensor(const std::shared_ptr<const InputFile>& file, const Tensor& tensor,
                        bool is_big_endian, const std::string& path) {
    if (!tensor.dtype) {
        const auto python = [](std::string_view text) { return utf8_json_line(Json(text)); };
        throw FormatError(
            path, fmt::format("{} ({}): not read; in Python: import gguf, numpy; "
                              "numpy.save({}, *[gguf.dequantize(t.data, t.tensor_type) for t in "
                              "gguf.GGUFReader({}).tensors if t.name == {}])",
                              tensor.type, joined(tensor.shape, ", "), python(tensor.name + ".npy"),
                              python(file->path()), python(tensor.name)));
    }
    const Shape shape = stored_shape(tensor.shape, path);
    return stored_array(
        InputFile::part(file, path, tensor.begin, tensor.bytes),
        {*tensor.dtype, is_big_endian && info(*tensor.dtype).size > 1, false, shape, 0});
}

}  // namespace

bool begins_as_gguf(const InputFile& file) { return start_of(file, std::ssize(magic)) == magic; }

GgufFile read_gguf(const std::shared_ptr<const InputFile>& file) {
    constexpr std::uint64_t most = 65536;
    Header header(*file);
    header.number(magic.size(), "GGUF");
    read_version(header);
    const std::uint64_t tensor_count = header.count(8, most, "number of tensors");
    const std::uint64_t key_count = header.count(8, most, "number of keys");
    Json metadata = read_metadata(header, key_count);
    std::vector<Tensor> tensors;
    for (std::uint64_t i = 0; i < tensor_count; ++i) tensors.push_back(next_tensor(header));
    const std::int64_t alignment = alignment_in(metadata, *file);
    const std::int64_t begin = (header.place() + alignment - 1) / alignment * alignment;
    place_tensors(*file, tensors, begin, alignment);

    GgufFile result{std::move(metadata), {}};
    for (Tensor& tensor : tensors) {
        const std::string path = file->path() + ":" + tensor.name;
        result.tensors.push_back({tensor.name, path, [=, is_big_endian = header.is_big_endian()] {
                                      return open_tensor(file, tensor, is_big_endian, path);
                                  }});
    }
    return result;
}

}  // namespace pegen
