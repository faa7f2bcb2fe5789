#include "files/json_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/shape.h"
#include "files/json_text.h"
#include "files/whole_file.h"

namespace pegen {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// The numbers of nested lists, in order.
struct Leaves {
    std::vector<std::int64_t> extents{};
    std::vector<const Json*> items{};
};

std::string place_of(const std::vector<std::size_t>& index) {
    std::string place = "data";
    for (const std::size_t i : index) place += fmt::format("[{}]", i);
    return place;
}

/// Adds the numbers of a list, or a number alone, whose place is `index`.
void add_leaves(const Json& json, std::vector<std::size_t>& index, std::string_view path,
                Leaves& leaves) {
    const std::size_t depth = index.size();
    const bool is_first =
        leaves.items.empty() && std::ranges::count(index, 0U) == std::ssize(index);
    if (is_first && json.is_array()) leaves.extents.push_back(json.size());
    if (json.is_array() != (depth < leaves.extents.size())) {
        throw FormatError(path, fmt::format("{}: a {}, where the first item of this level is not",
                                            place_of(index), json.is_array() ? "list" : "number"));
    }
    if (!json.is_array()) return leaves.items.push_back(&json);
    if (std::ssize(json) != leaves.extents[depth]) {
        throw FormatError(path, fmt::format("{}: items: {}, where the first list has {}",
                                            place_of(index), json.size(), leaves.extents[depth]));
    }
    index.push_back(0);
    for (const Json& item : json) {
        add_leaves(item, index, path, leaves);
        ++index.back();
    }
    index.pop_back();
}

/// Stores the number as an element of the dtype; false if the dtype has no such number.
template <class T>
bool store_number(const Json& json, std::byte* place) {
    T element{};
    if constexpr (std::is_same_v<T, bool>) {
        if (!json.is_boolean()) return false;
        element = json.get<bool>();
    } else if constexpr (std::is_integral_v<T>) {
        if (!json.is_number_integer()) return false;
        const bool fits = json.is_number_unsigned() ? std::in_range<T>(json.get<std::uint64_t>())
                                                    : std::in_range<T>(json.get<std::int64_t>());
        if (!fits) return false;
        element = json.get<T>();
    } else {
        double value = 0;
        if (json.is_number()) {
            value = json.get<double>();
        } else if (json.is_boolean()) {
            value = json.get<bool>() ? 1 : 0;
        } else if (json == Json("NaN")) {
            value = std::numeric_limits<double>::quiet_NaN();
        } else if (json == Json("Infinity") || json == Json("-Infinity")) {
            value = json == Json("Infinity") ? std::numeric_limits<double>::infinity()
                                             : -std::numeric_limits<double>::infinity();
        } else {
            return false;
        }
        element = round_to<T>(value);
    }
    std::memcpy(place, &element, sizeof element);
    return true;
}

/// Returns the dtype that the object names. Throws: FormatError.
DType dtype_in(const Json& table, std::string_view path) {
    const Json* const name = table.find("dtype");
    for (const DTypeInfo& dtype : dtypes) {
        if (name && *name == Json(dtype.name)) return dtype.dtype;
    }
    throw FormatError(path, "dtype: must be one such as \"float32\"");
}

/// Returns the extents that the object names, if they hold as many numbers. Throws: FormatError.
std::vector<std::int64_t> shape_in(const Json& table, const Leaves& leaves, std::string_view path) {
    std::vector<std::int64_t> extents;
    const Json* const shape = table.find("shape");
    if (!shape || !shape->is_array()) throw FormatError(path, "shape: must be a list");
    for (const Json& extent : *shape) {
        if (!extent.is_number_unsigned()) throw FormatError(path, "shape: must have whole numbers");
        extents.push_back(extent.get<std::int64_t>());
    }
    const bool is_empty = leaves.items.empty() && std::ranges::count(extents, 0) > 0;
    if (extents == leaves.extents || is_empty) return extents;
    throw FormatError(path, fmt::format("shape [{}]: data has [{}]", joined(extents, ", "),
                                        joined(leaves.extents, ", ")));
}

}  // namespace

bool begins_as_list(std::string_view text, std::string_view separators) {
    const std::size_t item = text.find_first_not_of("[ \t\r\n");
    if (!text.starts_with('[') || item == text.npos) return false;
    const std::size_t end = std::min(text.find_first_of(", \t\r\n]", item), text.size());
    const std::size_t next = text.find_first_not_of(blanks, end);
    return next != text.npos && separators.find(text[next]) != separators.npos;
}

bool begins_as_json_table(const InputFile& file) {
    constexpr std::int64_t enough = 1 << 16;
    const std::string start = start_of(file, enough);
    const std::string_view text = without_mark(start);
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos || text.find('\0') != text.npos) return false;
    if (text[first] == '{') {
        const auto has = [&](std::string_view key) { return text.find(key) != text.npos; };
        return has("\"dtype\"") && has("\"shape\"") && has("\"data\"");
    }
    // A list as NumPy prints it has blanks between its numbers.
    return begins_as_list(text.substr(first), ",]");
}

StoredArray read_json_table(const std::shared_ptr<const InputFile>& file) {
    constexpr std::int64_t longest = std::int64_t{1} << 26;
    const std::string& path = file->path();
    if (file->holds(longest + 1)) {
        throw FormatError(path, "JSON of more than 64 MiB; save the table with numpy.save");
    }
    const Json table = parse_json(whole_text(*file, longest), path);
    const Json* const data = table.is_object() ? table.find("data") : &table;
    if (!data) throw FormatError(path, "has no data");
    Leaves leaves;
    std::vector<std::size_t> index;
    add_leaves(*data, index, path, leaves);
    const bool is_whole = std::ranges::all_of(
        leaves.items, [](const Json* item) { return item->is_number_integer(); });
    const DType dtype = table.is_object() ? dtype_in(table, path)
                        : is_whole        ? DType::int64
                                          : DType::float64;
    const Shape shape =
        stored_shape(table.is_object() ? shape_in(table, leaves, path) : leaves.extents, path);
    const std::size_t size = info(dtype).size;
    std::string elements(leaves.items.size() * size, '\0');
    with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
        auto* const begin = reinterpret_cast<std::byte*>(elements.data());
        for (std::size_t i = 0; i < leaves.items.size(); ++i) {
            if (store_number<T>(*leaves.items[i], begin + i * size)) continue;
            throw FormatError(path, fmt::format("number {} of data is {}: no {}", i,
                                                utf8_json_line(*leaves.items[i]).substr(0, 40),
                                                info(dtype).name));
        }
    });
    return stored_array(InputFile::in_memory(path, elements), {dtype, false, false, shape, 0});
}

}  // namespace pegen
