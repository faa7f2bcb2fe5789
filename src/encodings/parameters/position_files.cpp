#include "encodings/parameters/position_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/number.h"
#include "files/array_file.h"
#include "files/input_file.h"
#include "files/text_table.h"

namespace pegen::encodings {
namespace {

constexpr std::int64_t most_kept_positions = 1 << 20;

/// Checks that all numbers are positions. An integer of 2^53 may have been rounded from another
/// one. Throws: FormatError, naming the place of the first number that is not.
void check_positions(std::string_view path, std::span<const double> numbers,
                     std::int64_t first = 0) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (std::fabs(numbers[i]) < two_to_53) continue;
        throw FormatError(
            path, fmt::format("position {}, {}: must be between -2^53 and 2^53, both excluded",
                              first + static_cast<std::int64_t>(i), shortest(numbers[i])));
    }
}

Positions positions_of(Table table, std::string_view path) {
    const Shape& shape = table.shape;
    if (shape.rank() > 2 || shape.rank() == 0 || (shape.rank() == 2 && shape[1] != 1)) {
        throw FormatError(
            path, fmt::format("shape {}: positions must be (n,) or (n, 1)", to_string(shape)));
    }
    const std::int64_t count = shape.size();
    if (count == 0) throw FormatError(path, "has no positions");
    PositionReader reader = [table = std::move(table), path = std::string(path)](
                                std::int64_t first, std::span<double> out) {
        const std::vector<double> numbers = read_rows(table, {first, std::ssize(out)});
        check_positions(path, numbers, first);
        std::ranges::copy(numbers, out.begin());
    };
    if (count > most_kept_positions) return {count, std::move(reader)};
    std::vector<double> positions(count);
    reader(0, positions);
    return Positions(std::move(positions));
}

bool is_text(std::string_view path) { return path.ends_with(".csv") || path.ends_with(".txt"); }

/// A word of a text with its line number.
struct Word {
    std::string_view text;
    std::int64_t line;
};

std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    std::int64_t line = 1;
    for (std::size_t at = 0; at < text.size();) {
        constexpr std::string_view between = ", \t\r\n";
        if (between.find(text[at]) != between.npos) {
            line += text[at++] == '\n' ? 1 : 0;
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(between, at), text.size());
        words.push_back({text.substr(at, end - at), line});
        at = end;
    }
    return words;
}

bool is_number(std::string_view text, double& number) {
    const auto [end, error] = read_double(text, number);
    return error == std::errc() && end == text.data() + text.size();
}

/// True if the first line of a text names several columns; the first may have no name.
bool names_columns(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t comma = line.find(',');
    const std::vector<Word> first = words_of(line.substr(0, comma));
    double ignored = 0;
    return comma != line.npos && (first.empty() || !is_number(first.front().text, ignored));
}

std::vector<double> text_positions(std::string_view text, std::string_view path) {
    std::vector<double> positions;
    for (const Word& word : words_of(text)) {
        double number = 0;
        if (is_number(word.text, number)) {
            positions.push_back(number);
        } else if (word.line > 1 || !positions.empty()) {
            throw FormatError(path, fmt::format("line {}: '{}' is not a number", word.line,
                                                word.text.substr(0, 32)));
        }
    }
    return positions;
}

Positions checked_text(std::string_view path) {
    constexpr std::int64_t most_bytes = std::int64_t{1} << 32;
    const std::string whole = read_whole(path, most_bytes);
    const std::string_view text = without_mark(whole);
    if (text.starts_with("\x93NUMPY")) {
        throw FormatError(path, "is an NPY file, where a text is read; give it as FILE.npy");
    }
    if (names_columns(text)) {
        const auto file = InputFile::in_memory(std::string(path), text);
        return positions_of(read_text_table(file).table, path);
    }
    std::vector<double> positions = text_positions(text, path);
    if (positions.empty()) throw FormatError(path, "has no positions");
    check_positions(path, positions);
    return Positions(std::move(positions));
}

}  // namespace

Positions open_positions(std::string_view path) {
    if (path != "-")
        return is_text(path) ? checked_text(path) : positions_of(read_array(path), path);
    // Standard input can be read only once, but positions are asked for again when rows are made.
    static const Positions of_standard_input = checked_text(path);
    return of_standard_input;
}

Positions open_ids(std::string_view path) {
    Positions ids = open_positions(path);
    for (std::int64_t i = 0; i < ids.size(); ++i) {
        if (ids[i] == std::floor(ids[i])) continue;
        throw FormatError(path,
                          fmt::format("id {}, {}: must be a whole number", i, shortest(ids[i])));
    }
    return ids;
}

PointsFile open_points(std::string_view path) {
    constexpr std::int64_t most_coordinates = std::int64_t{1} << 28;
    PointsFile file{with_numbers({std::string(path), read_array(path)}, "points")};
    if (file.table.shape.rank() == 1) {
        file.table.shape = {file.table.shape[0], 1};
        file.table.axes.push_back({.name = "axis1"});
    }
    const Shape& shape = file.table.shape;
    const auto refuse = [&](std::string_view rule) {
        throw FormatError(path, fmt::format("shape {}: {}", to_string(shape), rule));
    };
    if (shape.rank() != 2) refuse("points must be (points, axes); save points.reshape(-1, axes)");
    if (shape.size() == 0) refuse("needs at least one point with one axis");
    if (shape.size() > most_coordinates) refuse("needs at most 2^28 coordinates");
    return file;
}

std::vector<std::vector<double>> read_points(const PointsFile& file, std::string_view what) {
    constexpr std::int64_t values_at_once = 1 << 16;
    const Table& table = file.table;
    const std::int64_t points = table.shape[0];
    const std::int64_t at_once = rows_holding(values_at_once, table.shape[1]);
    std::vector axes(table.shape[1], std::vector<double>(points));
    for (std::int64_t first = 0; first < points; first += at_once) {
        const std::int64_t count = std::min(at_once, points - first);
        const std::vector<double> values = read_rows(table, {first, count});
        check_finite(file, values, first * table.shape[1], what);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t axis = i % axes.size();
            axes[axis][first + i / axes.size()] = values[i];
        }
    }
    return axes;
}

Parameters with_points(Parameters p, const PointsFile& file,
                       std::initializer_list<std::string_view> of_grid) {
    constexpr std::string_view reason = "cannot be used with --points";
    p = without(std::move(p), {"height", "width", "depth"}, reason);
    p = without(std::move(p), of_grid, reason);
    for (const char* name : {"height", "width", "depth"}) p.resolve(name, {});
    const std::string shape = to_string(file.table.shape);
    if (file.axes() != 2 && file.axes() != 3) {
        throw FormatError(
            p.word("points"),
            fmt::format("shape {}: needs 2 columns, y and x, or 3, t, y and x", shape));
    }
    if (!p.has("axes")) p.resolve("axes", std::string(file.axes() == 2 ? "yx" : "tyx"));
    if (file.axes() != std::ssize(p.word("axes"))) {
        throw UsageError(fmt::format("--axes {}: --points {} has {} columns, one for each axis",
                                     p.word("axes"), p.word("points"), file.axes()));
    }
    return p;
}

}  // namespace pegen::encodings
