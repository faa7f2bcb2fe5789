#include "formats/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/table.h"
#include "files/json_text.h"
#include "formats/command.h"
#include "formats/metadata.h"
#include "formats/number_text.h"

namespace pegen {
namespace {

/// The ways in which a language writes numbers. In the words for numbers that are not finite, {} is
/// replaced by the type.
struct NumberWords {
    std::string_view nan, infinity, minus_infinity;
    std::string_view float_suffix = "";
    std::string_view unsigned_suffix = "";
    std::string_view lowest_int64 = "-9223372036854775808";
    std::string_view no = "false", yes = "true";
    bool has_only_doubles = false;
    bool is_hexadecimal = false;
};

/// Returns the shortest decimal, with a point or an exponent.
template <class T>
std::string decimal(T number) {
    std::array<char, longest_number> text;
    std::string result(text.data(), write_number(text.data(), number));
    return result.find_first_of(".e") == result.npos ? result + ".0" : result;
}

std::string real_text(double number, bool is_double, const NumberWords& words,
                      const std::string& type) {
    const auto special = [&](std::string_view text) {
        return fmt::format(fmt::runtime(text), type);
    };
    if (std::isnan(number)) return special(words.nan);
    if (std::isinf(number)) {
        return special(number > 0 ? words.infinity : words.minus_infinity);
    }
    if (words.is_hexadecimal) {
        // fmt writes a zero differently in different versions.
        if (number == 0) return std::signbit(number) ? "-0x0p+0" : "0x0p+0";
        return fmt::format("{:a}", number);
    }
    if (is_double || words.has_only_doubles) return decimal(number);
    return decimal(static_cast<float>(number)).append(words.float_suffix);
}

template <class T>
std::string integer_text(T number, const NumberWords& words) {
    if constexpr (std::is_same_v<T, bool>) {
        return std::string(number ? words.yes : words.no);
    } else if constexpr (std::is_unsigned_v<T>) {
        return fmt::format("{}{}", number, words.unsigned_suffix);
    } else {
        const bool is_lowest = std::is_same_v<T, std::int64_t> && number < -INT64_MAX;
        return is_lowest ? std::string(words.lowest_int64) : fmt::format("{}", number);
    }
}

/// Returns each element of a table, all of which are read, as a literal that reads back as the same
/// number. `type` is the type of the elements.
std::vector<std::string> literals(const Table& table, const NumberWords& words,
                                  const std::string& type) {
    std::vector<std::byte> bytes(total_bytes(table));
    table.rows({0, table.shape.rows()}, bytes);
    std::vector<std::string> texts;
    with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        const std::span elements(reinterpret_cast<const T*>(bytes.data()),
                                 bytes.size() / sizeof(T));
        for (const T element : elements) {
            if constexpr (std::is_integral_v<T>) {
                texts.push_back(integer_text(element, words));
            } else {
                texts.push_back(real_text(widen(element), std::is_same_v<T, double>, words, type));
            }
        }
    });
    return texts;
}

constexpr std::int64_t most_values = std::int64_t{1} << 20;
constexpr std::size_t line_width = 100;

/// The parts of a declaration: the values, and the words around them.
struct Declared {
    std::string name;  ///< "sinusoid_encoding"
    std::string type;  ///< the type of the elements
    const Table& table;
    std::string command;  ///< "" for a table that no command makes
    std::string values;   ///< lines
};

struct Language {
    std::string_view types;  ///< names for the dtypes in their order, without float16 and bfloat16
    NumberWords numbers;
    std::string (*text)(const Declared&);
};

/// Separates the texts by commas, as many in a line as fit; each row of a table begins a new line.
std::string lines_of(const std::vector<std::string>& texts, std::size_t columns) {
    std::string lines, line;
    const auto end_line = [&] {
        lines += line + '\n';
        line.clear();
    };
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool is_last = i + 1 == texts.size();
        const bool begins_row = columns > 1 && i % columns == 0;
        const bool is_full = line.size() + texts[i].size() + 2 > line_width;
        if (!line.empty() && (begins_row || is_full)) end_line();
        line += (line.empty() ? "    " : " ") + texts[i] + (is_last ? "" : ",");
    }
    end_line();
    return lines;
}

std::string type_of(const Language& language, DType dtype) {
    const bool is_half = dtype == DType::float16 || dtype == DType::bfloat16;
    const auto place = static_cast<std::size_t>(is_half ? DType::float32 : dtype);
    return std::string(words(language.types)[place > 1 ? place - 2 : place]);
}

std::string name_of(const Provenance& provenance) {
    if (provenance.encoding.empty()) return "table";
    std::string name = fmt::format("{}_{}", provenance.subject(), provenance.table);
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

std::string in_capitals(std::string name) {
    for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    return name;
}

std::string in_camel_case(const std::string& name) {
    std::string result;
    for (const std::string_view word : words(name, '_')) {
        result += result.empty() ? std::string(word.substr(0, 1))
                                 : in_capitals(std::string(word.substr(0, 1)));
        result += word.substr(1);
    }
    return result;
}

/// Returns the text as comments of at most line_width characters.
std::string commented(std::string_view text, std::string_view mark) {
    std::string lines, line(mark);
    const auto end_line = [&] {
        lines += line + '\n';
        line = fmt::format("{}    ", mark);
    };
    for (std::string_view word : words(text)) {
        if (line.size() + 1 + word.size() > line_width && line.size() > mark.size() + 4) end_line();
        while (line.size() + 1 + word.size() > line_width) {
            const std::size_t room = line_width - line.size() - 1;
            line.append(" ").append(word.substr(0, room));
            word.remove_prefix(room);
            end_line();
        }
        line.append(" ").append(word);
    }
    return lines + line + '\n';
}

/// Returns the comment above an array: the command that makes the table, and a description of the
/// table.
std::string heading(const Declared& array, std::string_view mark) {
    std::string what = fmt::format("{}, shape {}, in C order", info(array.table.dtype).name,
                                   to_string(array.table.shape));
    const bool is_half =
        array.table.dtype == DType::float16 || array.table.dtype == DType::bfloat16;
    if (is_half) what += fmt::format(", held as {}", array.type);
    const std::string command =
        array.command.empty() ? "an array from a file, by pe-gen apply" : array.command;
    return commented(command, mark) + commented(what, mark);
}

std::string extents_of(const Table& table) { return joined(table.shape.extents(), ", "); }

bool has(const Declared& array, std::string_view text) {
    return array.values.find(text) != array.values.npos;
}

std::string c_text(const Declared& array) {
    const DType dtype = array.table.dtype;
    std::string text = heading(array, "//");
    if (has(array, "NAN") || has(array, "INFINITY")) text += "#include <math.h>\n";
    if (dtype == DType::boolean) text += "#include <stdbool.h>\n";
    text += "#include <stddef.h>\n";
    if (!is_floating(dtype) && dtype != DType::boolean) text += "#include <stdint.h>\n";
    text += fmt::format("\nstatic const size_t {}_shape[{}] = {{{}}};\n", array.name,
                        array.table.shape.rank(), extents_of(array.table));
    return text + fmt::format("static const {} {}[{}] = {{\n{}}};\n", array.type, array.name,
                              array.table.shape.size(), array.values);
}

std::string cpp_text(const Declared& array) {
    std::string text = heading(array, "//") + "#include <cstddef>\n";
    if (!is_floating(array.table.dtype)) text += "#include <cstdint>\n";
    if (has(array, "numeric_limits")) text += "#include <limits>\n";
    text += fmt::format("\ninline constexpr std::size_t {}_shape[{}] = {{{}}};\n", array.name,
                        array.table.shape.rank(), extents_of(array.table));
    return text + fmt::format("inline constexpr {} {}[{}] = {{\n{}}};\n", array.type, array.name,
                              array.table.shape.size(), array.values);
}

std::string rust_text(const Declared& array) {
    const std::string name = in_capitals(array.name);
    return heading(array, "//") +
           fmt::format("\npub const {}_SHAPE: [usize; {}] = [{}];\n", name,
                       array.table.shape.rank(), extents_of(array.table)) +
           fmt::format("pub static {}: [{}; {}] = [\n{}];\n", name, array.type,
                       array.table.shape.size(), array.values);
}

std::string python_text(const Declared& array) {
    return heading(array, "#") + fmt::format("\n{}_shape = {}\n{} = [\n{}]\n", array.name,
                                             to_string(array.table.shape), array.name,
                                             array.values);
}

std::string swift_text(const Declared& array) {
    const std::string name = in_camel_case(array.name);
    return heading(array, "//") + fmt::format("\nlet {}Shape = [{}]\nlet {}: [{}] = [\n{}]\n", name,
                                              extents_of(array.table), name, array.type,
                                              array.values);
}

std::string json_text(const Declared& array) {
    const Json command = array.command.empty() ? Json(nullptr) : Json(array.command);
    return fmt::format(
        "{{\n\"command\": {},\n\"name\": \"{}\",\n\"dtype\": \"{}\",\n\"shape\": [{}],\n\"data\": "
        "[\n{}]\n}}\n",
        json_line(command), array.name, info(array.table.dtype).name, extents_of(array.table),
        array.values);
}

constexpr Language c{
    .types = "float double int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t bool",
    .numbers = {.nan = "NAN",
                .infinity = "INFINITY",
                .minus_infinity = "-INFINITY",
                .float_suffix = "f",
                .unsigned_suffix = "u",
                .lowest_int64 = "INT64_MIN"},
    .text = c_text};

constexpr Language cpp{
    .types =
        "float double std::int8_t std::int16_t std::int32_t std::int64_t std::uint8_t "
        "std::uint16_t std::uint32_t std::uint64_t bool",
    .numbers = {.nan = "std::numeric_limits<{}>::quiet_NaN()",
                .infinity = "std::numeric_limits<{}>::infinity()",
                .minus_infinity = "-std::numeric_limits<{}>::infinity()",
                .float_suffix = "f",
                .unsigned_suffix = "u",
                .lowest_int64 = "INT64_MIN"},
    .text = cpp_text};

constexpr Language rust{
    .types = "f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool",
    .numbers = {.nan = "{}::NAN", .infinity = "{}::INFINITY", .minus_infinity = "{}::NEG_INFINITY"},
    .text = rust_text};

constexpr Language python{.types = "float float int int int int int int int int bool",
                          .numbers = {.nan = "float(\"nan\")",
                                      .infinity = "float(\"inf\")",
                                      .minus_infinity = "float(\"-inf\")",
                                      .no = "False",
                                      .yes = "True",
                                      .has_only_doubles = true},
                          .text = python_text};

constexpr Language swift{
    .types = "Float Double Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Bool",
    .numbers = {.nan = ".nan",
                .infinity = ".infinity",
                .minus_infinity = "-.infinity",
                .is_hexadecimal = true},
    .text = swift_text};

constexpr Language json{.types =
                            "number number number number number number number number number "
                            "number boolean",
                        .numbers = {.nan = "\"NaN\"",
                                    .infinity = "\"Infinity\"",
                                    .minus_infinity = "\"-Infinity\"",
                                    .has_only_doubles = true},
                        .text = json_text};

std::string command_for(const Table& table) {
    const std::string provenance = figure_provenance(table, {});
    return provenance.empty() ? "" : command_of("the table", provenance);
}

template <const Language& language>
std::string head(const Table& table, const Parameters&) {
    const std::int64_t size = table.shape.size();
    if (size < 1 || size > most_values || table.shape.rank() == 0) {
        throw UsageError(
            fmt::format("--emit: shape {}: source is for tables of 1 to 2^20 values; use --npy",
                        to_string(table.shape)));
    }
    const std::string type = type_of(language, table.dtype);
    return language.text(
        {name_of(table.provenance), type, table, command_for(table),
         lines_of(literals(table, language.numbers, type), table.shape.columns())});
}

std::string tail(const Table&, const Parameters&) { return ""; }

template <const Language& language>
constexpr Format format(std::string_view name, std::string_view summary,
                        std::string_view extensions) {
    return {.name = name,
            .summary = summary,
            .extensions = extensions,
            .is_binary = false,
            .parameters = no_parameters,
            .options_title = "",
            .head = head<language>,
            .append_rows = nullptr,
            .tail = tail};
}

constexpr Format c_format = format<c>("c", "a C array", "h c");
constexpr Format cpp_format = format<cpp>("cpp", "a C++ array", "hpp cpp");
constexpr Format rust_format = format<rust>("rust", "a Rust array", "rs");
constexpr Format python_format = format<python>("python", "a Python list", "py");
constexpr Format swift_format = format<swift>("swift", "a Swift array", "swift");
constexpr Format json_format =
    format<json>("json", "the command, the shape and a flat list of values", "json");

constexpr std::array<const Format*, 6> languages{&c_format,      &cpp_format,   &rust_format,
                                                 &python_format, &swift_format, &json_format};

}  // namespace

std::span<const Format* const> all_languages() { return languages; }

}  // namespace pegen
