#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>

namespace pegen {

/// The type of a table's elements, named as in NumPy and PyTorch.
enum class DType : std::uint8_t {
    float32,
    float64,
    float16,
    bfloat16,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    boolean,
};

/// An IEEE 754 binary16 number, kept as its bits.
enum class float16 : std::uint16_t {};

/// The upper half of an IEEE 754 binary32 number, kept as its bits.
enum class bfloat16 : std::uint16_t {};

constexpr std::uint16_t bits(float16 element) { return static_cast<std::uint16_t>(element); }
constexpr std::uint16_t bits(bfloat16 element) { return static_cast<std::uint16_t>(element); }

struct DTypeInfo {
    DType dtype;
    std::string_view name;         ///< "float32"
    std::string_view alias;        ///< "f32"
    std::string_view npy;          ///< the descr of an NPY header for little-endian elements
    std::string_view safetensors;  ///< "F32": its name in a safetensors file
    std::size_t size;              ///< bytes per element
    double largest;                ///< the largest finite value, as a double
};

/// Every dtype, in the order of the enumeration.
inline constexpr std::array dtypes{
    DTypeInfo{DType::float32, "float32", "f32", "<f4", "F32", 4, 0x1.fffffep127},
    DTypeInfo{DType::float64, "float64", "f64", "<f8", "F64", 8, 0x1.fffffffffffffp1023},
    DTypeInfo{DType::float16, "float16", "f16", "<f2", "F16", 2, 65504.0},
    // NumPy has no bfloat16; arrays of ml_dtypes.bfloat16 are saved as two raw bytes.
    DTypeInfo{DType::bfloat16, "bfloat16", "bf16", "<V2", "BF16", 2, 0x1.fep127},
    DTypeInfo{DType::int8, "int8", "i8", "|i1", "I8", 1, 0x7fp0},
    DTypeInfo{DType::int16, "int16", "i16", "<i2", "I16", 2, 0x7fffp0},
    DTypeInfo{DType::int32, "int32", "i32", "<i4", "I32", 4, 0x7fffffffp0},
    DTypeInfo{DType::int64, "int64", "i64", "<i8", "I64", 8, 0x1p63},
    DTypeInfo{DType::uint8, "uint8", "u8", "|u1", "U8", 1, 0xffp0},
    DTypeInfo{DType::uint16, "uint16", "u16", "<u2", "U16", 2, 0xffffp0},
    DTypeInfo{DType::uint32, "uint32", "u32", "<u4", "U32", 4, 0xffffffffp0},
    DTypeInfo{DType::uint64, "uint64", "u64", "<u8", "U64", 8, 0x1p64},
    DTypeInfo{DType::boolean, "bool", "bool", "|b1", "BOOL", 1, 1.0},
};

/// Returns the row of `dtypes` for this dtype.
constexpr const DTypeInfo& info(DType dtype) { return dtypes[static_cast<std::size_t>(dtype)]; }

constexpr bool is_floating(DType dtype) { return dtype <= DType::bfloat16; }

/// Calls f(std::type_identity<T>{}) with the C++ type T of the elements.
template <class F>
decltype(auto) with_element_type(DType dtype, F&& f) {
    switch (dtype) {
        case DType::float32:
            return f(std::type_identity<float>{});
        case DType::float64:
            return f(std::type_identity<double>{});
        case DType::float16:
            return f(std::type_identity<float16>{});
        case DType::bfloat16:
            return f(std::type_identity<bfloat16>{});
        case DType::int8:
            return f(std::type_identity<std::int8_t>{});
        case DType::int16:
            return f(std::type_identity<std::int16_t>{});
        case DType::int32:
            return f(std::type_identity<std::int32_t>{});
        case DType::int64:
            return f(std::type_identity<std::int64_t>{});
        case DType::uint8:
            return f(std::type_identity<std::uint8_t>{});
        case DType::uint16:
            return f(std::type_identity<std::uint16_t>{});
        case DType::uint32:
            return f(std::type_identity<std::uint32_t>{});
        case DType::uint64:
            return f(std::type_identity<std::uint64_t>{});
        case DType::boolean:
            break;
    }
    return f(std::type_identity<bool>{});
}

/// Returns the bits of `value` rounded to nearest, ties to even, in a type whose exponent has 8 or
/// 5 bits. Works on the bits of the double: drops the last `dropped` of its 52 fraction bits and
/// changes the bias of its exponent from 1023 to `bias`. Has no branches and only unsigned shifts
/// and signed comparisons, so that compilers can vectorise it.
template <int dropped, int bias>
[[gnu::always_inline]] inline std::uint16_t half_bits(double value) {
    constexpr auto shifted = [](int number, int places) {
        return static_cast<std::int64_t>(number) << places;
    };
    constexpr std::int64_t infinity = shifted(2 * bias + 1, 52 - dropped);
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const std::uint64_t unsigned_magnitude = bits & ~(std::uint64_t{1} << 63);
    const auto magnitude = static_cast<std::int64_t>(unsigned_magnitude);
    // Adding just under half of the last bit that stays, plus that bit itself, carries into the
    // bits that stay exactly if the value must be rounded up.
    const std::uint64_t carried = unsigned_magnitude + ((std::uint64_t{1} << (dropped - 1)) - 1) +
                                  (unsigned_magnitude >> dropped & 1);
    const std::int64_t normal =
        static_cast<std::int64_t>(carried >> dropped) - shifted(1023 - bias, 52 - dropped);
    // Subnormals are multiples of the smallest subnormal. The last bit of this sum is worth one
    // smallest subnormal, so the addition rounds to such a multiple.
    constexpr std::int64_t shifter = shifted(1024 - bias + dropped, 52);
    const double sum = std::bit_cast<double>(magnitude) + std::bit_cast<double>(shifter);
    const std::int64_t subnormal = std::bit_cast<std::int64_t>(sum) - shifter;
    constexpr std::int64_t quiet_nan = infinity + shifted(1, 51 - dropped);
    std::int64_t rounded = normal < infinity ? normal : infinity;
    rounded = magnitude < shifted(1024 - bias, 52) ? subnormal : rounded;
    rounded = magnitude > shifted(0x7ff, 52) ? quiet_nan : rounded;
    return static_cast<std::uint16_t>(static_cast<std::uint64_t>(rounded) | (bits >> 48 & 0x8000));
}

/// Returns `value` rounded once to T, to nearest, ties to even; infinity if the result exceeds the
/// largest finite value. For integers and bool, `value` must be a whole number in their range.
template <class T>
T round_to(double value) {
    return static_cast<T>(value);
}
template <>
[[gnu::always_inline]] inline float16 round_to<float16>(double value) {
    return float16{half_bits<42, 15>(value)};
}
template <>
[[gnu::always_inline]] inline bfloat16 round_to<bfloat16>(double value) {
    return bfloat16{half_bits<45, 127>(value)};
}

/// Returns the element as a double, exactly, except that integers beyond 2^53 are rounded to
/// nearest.
template <class T>
double widen(T element) {
    return static_cast<double>(element);
}
/// Returns a float16 as a double, exactly. Has no branches, so that compilers can vectorise it: the
/// fraction and the exponent are put where a float has them; a factor then corrects the exponent,
/// which is 112 too small there.
inline double widen(float16 element) {
    const std::uint32_t magnitude = bits(element) & 0x7fffU;
    const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112F;
    const std::uint32_t finite = std::bit_cast<std::uint32_t>(scaled);
    const std::uint32_t unsigned_bits = magnitude < 0x7c00 ? finite : finite | 0x7f800000U;
    return std::bit_cast<float>(unsigned_bits | (bits(element) & 0x8000U) << 16);
}
inline double widen(bfloat16 element) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits(element)) << 16);
}

/// Rounds each value to `dtype` and stores it; `out` holds values.size() elements.
void store(std::span<const double> values, DType dtype, std::span<std::byte> out);

/// Reads out.size() elements of `dtype` and widens each to a double.
void load(std::span<const std::byte> elements, DType dtype, std::span<double> out);

}  // namespace pegen
