#include "files/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
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
#include "core/number.h"
#include "core/shape.h"
#include "files/input_file.h"
#include "files/json_text.h"

namespace pegen {
namespace {

using Fields = std::vector<std::string_view>;

constexpr std::size_t most_numbers = std::size_t{1} << 26;

bool is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\f';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// The lines of a text that are neither blank nor comments.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(without_mark(text)) {}

    /// Moves to the next line; false if there is none.
    bool next() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            line_ = line_.substr(0, comment_in(line_));
            if (!trimmed(line_).empty()) return true;
        }
        return false;
    }

    /// Returns the place of a '#' that begins a comment: not within a field, as in 1.#INF.
    static std::size_t comment_in(std::string_view line) {
        for (std::size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
            if (at == 0 || std::string_view(" \t,;").find(line[at - 1]) != line.npos) return at;
        }
        return line.npos;
    }

    std::string_view line() const { return line_; }
    std::int64_t number() const { return number_; }  ///< counted from 1
    bool is_last() const { return rest_.empty(); }

  private:
    std::string_view rest_, line_{};
    std::int64_t number_ = 0;
};

/// Returns the place of the first character of a line, outside of quotes, for which `ends` holds;
/// the size of the line if there is none. Quotes begin and end a field; a quote without an end does
/// not count.
template <class Test>
std::size_t find_unquoted(std::string_view line, Test ends) {
    bool begins_field = true;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const std::size_t quote =
            begins_field && line[i] == '"' ? line.find('"', i + 1) : line.npos;
        if (quote != line.npos) i = quote;
        if (ends(line[i])) return i;
        begins_field = is_blank(line[i]) || std::string_view(",;\"").find(line[i]) != line.npos;
    }
    return line.size();
}

/// What is between two numbers, ' ' for any white space, as the first line tells.
char delimiter_of(std::string_view line) {
    line = trimmed(line);
    for (const char delimiter : {';', '\t', ','}) {
        const auto is_it = [=](char letter) { return letter == delimiter; };
        if (find_unquoted(line, is_it) < line.size()) return delimiter;
    }
    return ' ';
}

std::string_view unquoted(std::string_view field) {
    const bool is_quoted = field.size() > 1 && field.starts_with('"') && field.ends_with('"');
    return is_quoted ? field.substr(1, field.size() - 2) : field;
}

/// Splits a line into its fields, without the blanks and the quotes around them.
void split(std::string_view line, char delimiter, Fields& out) {
    out.clear();
    const auto ends = [=](char letter) {
        return delimiter == ' ' ? is_blank(letter) : letter == delimiter;
    };
    if (delimiter == ' ') line = trimmed(line);
    // Nearly all lines have no quotes, and are split in half the time without a look at them.
    const bool has_quotes = line.find('"') != line.npos;
    for (;;) {
        const std::size_t end = has_quotes ? find_unquoted(line, ends)
                                : delimiter == ' '
                                    ? to_size(std::ranges::find_if(line, is_blank) - line.begin())
                                    : std::min(line.find(delimiter), line.size());
        out.push_back(unquoted(trimmed(line.substr(0, end))));
        if (end == line.size()) return;
        line.remove_prefix(end + 1);
        if (delimiter == ' ') line = trimmed(line);
    }
}

/// Reads a number into `value`. invalid_argument: the field is no number; result_out_of_range: no
/// double is near it.
std::errc read_number(std::string_view field, double& value) {
    if (field.starts_with('+') && !field.starts_with("+-")) field.remove_prefix(1);
    const auto [stop, error] = read_double(field, value);
    return stop == field.data() + field.size() ? error : std::errc::invalid_argument;
}

bool is_number(std::string_view field) {
    double ignored = 0;
    return read_number(field, ignored) != std::errc::invalid_argument;
}

/// True if the field may be the name of a column; 0x10, 1_000 and the marks of missing numbers are
/// not.
bool is_name(std::string_view field) {
    static constexpr std::array<std::string_view, 5> missing{"NA", "N/A", "None", "null", "NULL"};
    if (field.empty() || is_number(field) || std::ranges::count(missing, field) > 0) return false;
    const auto first = static_cast<unsigned char>(field.front());
    return ((first | 0x20) >= 'a' && (first | 0x20) <= 'z') || first == '_' || first >= 0x80;
}

/// The line before the numbers.
struct Header {
    bool is_there = false;
    bool is_own = false;      ///< as pe-gen writes it
    std::size_t indices = 0;  ///< columns before the numbers
    bool is_list = false;     ///< its last name is "value", for a table of one axis or none
};

/// True if the fields from `first` on are 0, 1, 2 ...
bool count_columns(const Fields& fields, std::size_t first) {
    for (std::size_t i = first; i < fields.size(); ++i) {
        if (fields[i] != fmt::format("{}", i - first)) return false;
    }
    return first < fields.size();
}

/// True if the first line, without names, counts the columns of numbers that are not whole, as
/// pandas writes a table without its index; four columns at least, as points may begin so.
bool is_count_of_columns(const Fields& first, const Fields& second) {
    return first.size() >= 4 && second.size() == first.size() && count_columns(first, 0) &&
           std::ranges::all_of(second, [](std::string_view field) {
               return field.find_first_not_of("+-0123456789") != field.npos;
           });
}

/// Returns whether the first line is a header: names, of which the first may be empty, or else
/// names before 0, 1, 2 ...
Header header_in(const Fields& first) {
    const std::size_t names = to_size(std::ranges::find_if_not(first, is_name) - first.begin());
    const bool has_unnamed = names == 0 && first.size() > 1 && first.front().empty();
    const std::size_t before = has_unnamed ? 1 : names;
    if (before == 0) return {};
    if (count_columns(first, before)) return {true, !has_unnamed, before};
    const bool are_names = std::all_of(first.begin() + has_unnamed, first.end(), is_name);
    if (!are_names) return {};
    const bool is_list = !has_unnamed && first.size() < 3 && first.back() == "value";
    return {true, is_list, is_list ? first.size() - 1 : has_unnamed, is_list};
}

/// The numbers of a text, and what its lines have before them.
struct Numbers {
    Header header{};
    std::size_t columns = 0;  ///< without the indices
    std::int64_t rows = 0;
    std::vector<double> values{};
    Fields indices{};  ///< of each row
    bool is_float32 = true;
};

/// True if a float32 table may have written the number.
bool may_be_float32(std::string_view field, double value) {
    if (!std::isfinite(value) || value == 0) return true;
    int digits = 0;  // from the first one that is not 0
    bool is_whole = true;
    for (const char letter : field) {
        const bool ends = (letter | 0x20) == 'e';
        is_whole = is_whole && letter != '.' && !ends;
        if (ends) break;
        digits += letter != '.' && (digits > 0 || (letter >= '1' && letter <= '9'));
    }
    const auto rounded = static_cast<float>(value);
    return digits <= 9 && std::isfinite(rounded) && rounded != 0 && (!is_whole || rounded == value);
}

/// True if the texts count rows: whole numbers, each one more than the one before, behind those of
/// rows before the first position, which have none.
bool count_rows(const Fields& indices) {
    const auto first = std::ranges::find_if_not(indices, &std::string_view::empty);
    std::int64_t expected = 0;
    if (first != indices.end())
        std::from_chars(first->data(), first->data() + first->size(), expected);
    return std::all_of(first, indices.end(), [&](std::string_view index) {
        return index == fmt::format("{}", expected++);
    });
}

/// True if the one column before the numbers has numbers, too: of the table, as x is in x,value.
bool are_numbers_of_table(const Numbers& numbers, std::string_view name) {
    return numbers.header.indices == 1 && !name.empty() && name != "position" &&
           !count_rows(numbers.indices) && std::ranges::all_of(numbers.indices, is_number);
}

/// Reads the lines. `has_indices`: columns that may count the rows are no numbers of the table.
Numbers numbers_in(std::string_view text, std::string_view path, bool has_indices) {
    Numbers found;
    Lines lines(text);
    Fields fields, first;
    char delimiter = ' ';
    std::size_t width = 0;
    std::string_view name;  // of the first column
    const auto refuse = [&](std::size_t column, std::string_view rule) {
        const std::string field(fields[column].substr(0, 40));
        throw FormatError(path, fmt::format("line {}, column {}: '{}' {}", lines.number(),
                                            column + 1, field, rule));
    };
    while (lines.next()) {
        if (width == 0) delimiter = delimiter_of(lines.line());
        split(lines.line(), delimiter, fields);
        if (width == 0) {
            width = fields.size();
            found.header = header_in(fields);
            if (!has_indices) found.header = {.is_there = true};
            if (found.header.is_there) name = fields.front();
            found.columns = width - found.header.indices;
            if (found.header.is_there) continue;
            first = fields;
        } else if (found.rows == 1 && is_count_of_columns(first, fields)) {
            found.rows = 0;
            found.values.clear();
            first.clear();
        }
        if (fields.size() != width) {
            throw FormatError(path, fmt::format("line {}: fields: {}, where the first line has "
                                                "{}",
                                                lines.number(), fields.size(), width));
        }
        if (found.values.size() + found.indices.size() + width > most_numbers) {
            throw FormatError(path, "has more than 2^26 numbers; save them with numpy.save");
        }
        ++found.rows;
        const std::size_t indices = found.header.indices;
        found.indices.insert(found.indices.end(), fields.begin(),
                             fields.begin() + static_cast<std::ptrdiff_t>(indices));
        for (std::size_t column = indices; column < width; ++column) {
            double value = 0;
            const std::errc error = read_number(fields[column], value);
            if (error == std::errc::result_out_of_range)
                refuse(column, "is out of the range of float64");
            if (error != std::errc{}) refuse(column, "is no number");
            found.is_float32 = found.is_float32 && may_be_float32(fields[column], value);
            found.values.push_back(value);
        }
    }
    if (are_numbers_of_table(found, name)) return numbers_in(text, path, false);
    return found;
}

/// Returns the extents that the index columns count, from the last one, which runs fastest: an
/// index column starts again when its first text comes back. Throws: FormatError.
std::vector<std::int64_t> extents_of(const Numbers& numbers, std::string_view path) {
    const std::size_t axes = numbers.header.indices;
    if (axes < 2) return {numbers.rows};
    const auto index = [&](std::int64_t row, std::size_t axis) {
        return numbers.indices[to_size(row) * axes + axis];
    };
    std::vector<std::int64_t> extents(axes);
    std::int64_t stride = 1;
    for (std::size_t axis = axes; axis-- > 0;) {
        const std::int64_t all = numbers.rows / stride;
        const auto begins_again = [&](std::int64_t block) {
            return index(block * stride, axis) == index(0, axis);
        };
        std::int64_t extent = axis == 0 ? all : 1;
        // Rows before the first position have the same text, none.
        while (extent < all && begins_again(extent)) ++extent;
        const bool is_constant = axis > 0 && extent == all;
        while (extent < all && !begins_again(extent)) ++extent;
        if (is_constant) extent = 1;
        for (std::int64_t row = 0; row < numbers.rows; ++row) {
            const std::int64_t place = row / stride % extent;
            const bool repeats = place > 0 && row % stride == 0 && !index(row, axis).empty() &&
                                 index(row, axis) == index(row - stride, axis);
            if (index(row, axis) == index(place * stride, axis) && !repeats) continue;
            throw FormatError(path,
                              fmt::format("the {} columns before 0 do not count the rows of a "
                                          "table: number {} has '{}' in column {}",
                                          axes, row, index(row, axis), axis + 1));
        }
        extents[axis] = extent;
        stride *= extent;
    }
    if (stride == numbers.rows && stride > 0) return extents;
    throw FormatError(path, fmt::format("has {} rows, where the {} columns before 0 count {}",
                                        numbers.rows, axes, stride));
}

Shape shape_of(const Numbers& numbers, std::string_view path) {
    const auto columns = static_cast<std::int64_t>(numbers.columns);
    const Header& header = numbers.header;
    if (header.is_list && header.indices == 0 && numbers.rows == 1) return {};
    if (header.is_list || (columns == 1 && header.indices == 0)) return {numbers.rows};
    std::vector<std::int64_t> extents = extents_of(numbers, path);
    extents.push_back(columns);
    return Shape(extents);
}

}  // namespace

bool is_text(std::string_view bytes) {
    return std::ranges::none_of(bytes, [](char letter) {
        const auto code = static_cast<unsigned char>(letter);
        return code < 0x20 && std::string_view("\t\n\r\f").find(letter) == std::string_view::npos;
    });
}

bool begins_as_text_table(const InputFile& file) {
    constexpr std::int64_t enough = 1 << 16;
    const std::string start = start_of(file, enough);
    Lines lines(start);
    if (!is_text(start) || !lines.next()) return false;
    const char delimiter = delimiter_of(lines.line());
    Fields fields;
    split(lines.line(), delimiter, fields);
    // The last field may be cut off.
    if (lines.is_last() && std::ssize(start) == enough && fields.size() > 1) fields.pop_back();
    const Header header = header_in(fields);
    if (!header.is_there) return is_number(fields.front());
    if (!lines.next()) return header.is_own;
    split(lines.line(), delimiter, fields);
    return fields.size() > header.indices && is_number(fields[header.indices]);
}

std::string first_word(std::string_view text) {
    Lines lines(text);
    Fields fields;
    if (!lines.next()) return "no line has any";
    split(lines.line(), delimiter_of(lines.line()), fields);
    const auto word = std::ranges::find_if_not(fields, is_number);
    if (word == fields.end()) return "its lines differ";
    return fmt::format("line {}, column {} has '{}'", lines.number(), word - fields.begin() + 1,
                       word->substr(0, 40));
}

StoredArray read_text_table(const std::shared_ptr<const InputFile>& file) {
    constexpr std::int64_t longest = std::int64_t{1} << 30;
    if (file->holds(longest + 1)) {
        throw FormatError(file->path(), "a text of more than 1 GiB; save it with numpy.save");
    }
    std::string text = whole_text(*file, longest);
    const Numbers numbers = numbers_in(text, file->path(), true);
    const Shape shape = shape_of(numbers, file->path());
    const DType dtype = numbers.is_float32 ? DType::float32 : DType::float64;
    text.assign(numbers.values.size() * info(dtype).size, '\0');
    store(numbers.values, dtype, std::as_writable_bytes(std::span(text)));
    return stored_array(InputFile::in_memory(file->path(), text), {dtype, false, false, shape, 0});
}

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
