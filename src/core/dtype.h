#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

}  // namespace pegen
