#include "inspect/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/dtype.h"
#include "core/error.h"
#include "core/json.h"
#include "core/names.h"
#include "core/number.h"
#include "core/parallel.h"
#include "core/shape.h"
#include "core/utf8.h"
#include "files/array_file.h"
#include "files/gguf_file.h"
#include "files/input_file.h"
#include "files/json_text.h"
#include "files/npy.h"
#include "files/read_png.h"
#include "files/text_table.h"
#include "formats/command.h"
#include "formats/write.h"
#include "inspect/careful_sum.h"
#include "inspect/cell_text.h"
#include "inspect/wide.h"

namespace pegen {
namespace {

/// A sum of floats that cannot overflow, however many floats a table has.
class FloatSum {
  public:
    void add(double value) {
        std::fabs(value) < huge ? usual_.add(value) : large_.add(value * small_scale);
    }
    void add(const FloatSum& other) {
        usual_.add(other.usual_);
        large_.add(other.large_);
    }
    double over(std::int64_t count) const {
        const auto all = static_cast<double>(count);
        return usual_.over(all) + large_.over(all) / small_scale;
    }

  private:
    static constexpr double huge = 0x1p900, small_scale = 0x1p-64;
    CarefulSum usual_;
    CarefulSum large_;
};

/// An exact sum of integers.
class IntegerSum {
  public:
    void add(Wide value) { sum_ += value; }
    void add(const IntegerSum& other) { sum_ += other.sum_; }
    double over(std::int64_t count) const {
        return static_cast<double>(sum_ / count) +
               static_cast<double>(sum_ % count) / static_cast<double>(count);
    }

  private:
    Wide sum_ = 0;
};

template <class T>
struct Part {
    /// The type in which elements are compared: T itself for integers and bool, double for floats.
    using Number = std::conditional_t<std::integral<T>, T, double>;
    using Sum = std::conditional_t<std::integral<T>, IntegerSum, FloatSum>;
    using Limits = std::numeric_limits<Number>;

    std::int64_t nans = 0;
    std::int64_t infinities = 0;
    std::int64_t finite = 0;
    Number lowest = Limits::max();
    Number highest = Limits::lowest();
    Sum sum;

    void add(T element) {
        const Number number = widened(element);
        if constexpr (!std::integral<T>) {
            nans += std::isnan(number);
            infinities += std::isinf(number);
            if (!std::isfinite(number)) return;
        }
        lowest = std::min(lowest, number);
        highest = std::max(highest, number);
        ++finite;
        sum.add(number);
    }

    void add(const Part& later) {
        nans += later.nans;
        infinities += later.infinities;
        finite += later.finite;
        lowest = std::min(lowest, later.lowest);
        highest = std::max(highest, later.highest);
        sum.add(later.sum);
    }

  private:
    static Number widened(T element) {
        if constexpr (std::integral<T>) {
            return element;
        } else {
            return widen(element);
        }
    }
};

template <class T>
Part<T> part_of(std::span<const std::byte> elements) {
    Part<T> part;
    for (std::size_t offset = 0; offset < elements.size(); offset += sizeof(T)) {
        T element;
        std::memcpy(&element, elements.data() + offset, sizeof element);
        part.add(element);
    }
    return part;
}

/// Returns the element that was widened to this number.
template <class T, class Number>
T as_element(Number number) {
    if constexpr (std::integral<T>) {
        return number;
    } else {
        return round_to<T>(number);
    }
}

template <class T>
Statistics summary(const Part<T>& all) {
    Statistics result{all.nans, all.infinities, all.finite, {}, {}, 0};
    if (all.finite == 0) return result;
    result.lowest = element_text(as_element<T>(all.lowest));
    result.highest = element_text(as_element<T>(all.highest));
    result.mean = all.sum.over(all.finite);
    return result;
}

}  // namespace

Statistics statistics_of(const Table& table, const Progress& progress) {
    return with_element_type(table.dtype, [&]<class T>(std::type_identity<T>) {
        struct Product {
            std::vector<std::byte> rows;
            Part<T> part;
        };
        const Tiles tiles = tiles_of(table);
        std::vector<Product> products(thread_count());
        Part<T> all;
        parallel_in_order(
            table.shape.size() > 0 ? tiles.count() : 0,
            [&](std::int64_t tile, int worker) {
                Product& product = products[worker];
                product.rows.resize(tiles[tile].count * row_bytes(table));
                table.rows(tiles[tile], product.rows);
                product.part = part_of<T>(product.rows);
            },
            [&](std::int64_t tile, int worker) {
                all.add(products[worker].part);
                progress(tiles[tile].first + tiles[tile].count, tiles.rows);
            });
        return summary(all);
    });
}

namespace {

/// The part of a JSON file of pe-gen before the values.
struct JsonHead {
    Shape shape;
    DType dtype;
    std::string provenance;  ///< a JSON object like the one in figures
};

/// Reads `start`, the first bytes of the file `path`. Throws: FormatError unless they contain
/// everything before the values.
JsonHead read_json_head(std::string_view path, std::string_view start) {
    // No earlier object has a member of this name, and inside a string its quotes would be escaped.
    const std::size_t end = start.find(R"(,"data":)");
    if (end == std::string_view::npos) {
        throw FormatError(path, "the file ends, or goes on for 2^20 bytes, before its \"data\"");
    }
    Json head = parse_json(std::string(start.substr(0, end)) + "}", path);
    if (!head.is_object()) throw FormatError(path, "what stands before \"data\" is not JSON");
    const auto refuse = [&](std::string_view member, std::string_view rule) {
        throw FormatError(path, fmt::format("\"{}\": {}", member, rule));
    };
    const Json& name = head["dtype"];
    const auto dtype = name.is_string()
                           ? std::ranges::find(dtypes, name.get<std::string>(), &DTypeInfo::name)
                           : dtypes.end();
    if (dtype == dtypes.end()) refuse("dtype", "must be one of pe-gen's");
    std::vector<std::int64_t> extents;
    if (!head["shape"].is_array()) refuse("shape", "must be a list of whole numbers");
    for (const Json& extent : head["shape"]) {
        const bool fits = extent.is_number_integer() &&
                          (!extent.is_number_unsigned() || extent.get<std::uint64_t>() >> 63 == 0);
        if (!fits) refuse("shape", "must be a list of whole numbers");
        extents.push_back(extent.get<std::int64_t>());
    }
    for (const char* member : {"schema", "shape", "axes"}) head.erase(member);
    try {
        return {Shape(extents), dtype->dtype, utf8_json_line(head)};
    } catch (const UsageError& error) {
        throw FormatError(path, error.what());
    }
}

struct Source {
    std::string_view name;  ///< the name as the user typed it
    std::shared_ptr<const InputFile> file;
};

/// The number of bytes of a text file that are searched.
constexpr std::int64_t longest_head = std::int64_t{1} << 20;

Fact text_fact(std::string_view name, const std::string& text) {
    return {name, one_line(text), json_line(text)};
}

Fact count_fact(std::string_view name, std::int64_t count) {
    return {name, fmt::format("{}", count), fmt::format("{}", count)};
}

/// Returns the number in JSON: NaN and infinities are the strings that the format json writes for
/// them.
std::string json_number(const std::string& number) {
    if (number == "nan") return R"("NaN")";
    if (number == "inf") return R"("Infinity")";
    if (number == "-inf") return R"("-Infinity")";
    return number;
}

/// Returns a number that exists only if there are finite values; "" if there are none.
Fact number_fact(std::string_view name, const std::string& number) {
    if (number.empty()) return {name, "none", "null"};
    return {name, number, number};
}

Fact first_values(const StoredArray& array) {
    constexpr std::int64_t most = 8;
    const std::int64_t size = array.table.shape.size();
    std::vector<std::string> texts, numbers;
    for (std::int64_t i = 0; i < std::min(most, size); ++i) {
        texts.push_back(element_text(array.stored, stored_place(array.layout, i)));
        numbers.push_back(json_number(texts.back()));
    }
    return {"first", fmt::format("{}{}", joined(texts, " "), size > most ? " ..." : ""),
            fmt::format("[{}]", joined(numbers, ","))};
}

std::vector<Fact> facts_of_array(std::string_view format, const StoredArray& array,
                                 const Progress& progress) {
    const Shape& shape = array.table.shape;
    // Statistics do not depend on the order, and rows of single elements are never too wide.
    const Statistics statistics = statistics_of(array.stored, progress);
    const bool has_finite = statistics.finite > 0;
    return {
        text_fact("format", std::string(format)),
        {"shape", to_string(shape), utf8_json_line(shape.extents())},
        text_fact("dtype", std::string(info(array.table.dtype).name)),
        text_fact("order", array.layout.fortran_order ? "Fortran" : "C"),
        text_fact("bytes", array.layout.is_big_endian          ? "big-endian"
                           : info(array.table.dtype).size == 1 ? "single"
                                                               : "little-endian"),
        count_fact("values", shape.size()),
        number_fact("min", statistics.lowest),
        number_fact("max", statistics.highest),
        number_fact("mean", has_finite ? shortest(statistics.mean) : ""),
        count_fact("nan", statistics.nans),
        count_fact("infinite", statistics.infinities),
        first_values(array),
    };
}

std::vector<Fact> facts_of_npy(const Source& source, const Progress& progress) {
    return facts_of_array("npy", read_single(source.file), progress);
}

std::vector<Fact> facts_of_text(const Source& source, const Progress& progress) {
    const std::string_view format = begins_as_text_table(*source.file) ? "text" : "json";
    return facts_of_array(format, read_single(source.file), progress);
}

/// Returns the command that made the file. `provenance` is empty if the file has none.
std::vector<Fact> facts_of_origin(const Source& source, std::string_view format,
                                  std::string_view provenance) {
    const std::string command =
        provenance.empty() ? "" : command_of(source.file->path(), provenance);
    if (command.empty()) return {{"command", "not known", "null"}};
    const std::string target = path_with_arrays(source.name, provenance);
    return {text_fact("command", fmt::format("{} --{} {}", command, format, shell_word(target))),
            {"provenance", "", json_line(parse_json(provenance, source.file->path()))}};
}

std::vector<Fact> figure_facts(const Source& source, std::string_view format,
                               const std::string& width, const std::string& height,
                               std::string_view provenance) {
    std::vector<Fact> facts{
        text_fact("format", std::string(format)),
        {"pixels", fmt::format("{}x{}", width, height), fmt::format("[{},{}]", width, height)}};
    for (Fact& fact : facts_of_origin(source, format, provenance)) {
        facts.push_back(std::move(fact));
    }
    return facts;
}

std::vector<Fact> facts_of_png(const Source& source, const Progress&) {
    const PngOutline outline = png_outline(source.file->path(), png_bytes(*source.file));
    std::vector<Fact> facts = figure_facts(source, "png", fmt::format("{}", outline.width),
                                           fmt::format("{}", outline.height), outline.provenance);
    if (!outline.frames.empty()) {
        const std::string count = fmt::format("{}", outline.frames.size());
        facts.insert(facts.begin() + 2, {"frames", count, count});
    }
    return facts;
}

/// Returns the part of `text` between `opening` and the next `closing`; "" if one of them is
/// missing.
std::string_view between(std::string_view text, std::string_view opening,
                         std::string_view closing) {
    const std::size_t begin = text.find(opening);
    if (begin == std::string_view::npos) return {};
    const std::size_t end = text.find(closing, begin + opening.size());
    if (end == std::string_view::npos) return {};
    return text.substr(begin + opening.size(), end - begin - opening.size());
}

/// Undoes the escapes of xml_text() for ASCII.
std::string plain_text(std::string_view xml) {
    constexpr std::array<std::pair<std::string_view, char>, 5> entities{
        {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}}};
    std::string text;
    while (!xml.empty()) {
        const auto entity = std::ranges::find_if(
            entities, [&](const auto& candidate) { return xml.starts_with(candidate.first); });
        text += entity == entities.end() ? xml.front() : entity->second;
        xml.remove_prefix(entity == entities.end() ? 1 : entity->first.size());
    }
    return text;
}

std::vector<Fact> facts_of_svg(const Source& source, const Progress&) {
    const std::string start = start_of(*source.file, longest_head);
    const std::string_view tag = between(start, "<svg ", ">");
    const std::vector<std::string_view> box = words(between(tag, " viewBox=\"", "\""));
    const auto is_number = [](std::string_view extent) {
        return extent.find_first_not_of("0123456789") == extent.npos;
    };
    if (box.size() != 4 || !std::ranges::all_of(box, is_number)) {
        throw FormatError(source.file->path(),
                          "not an SVG file of pe-gen's: its viewBox is not in pixels");
    }
    return figure_facts(source, "svg", std::string(box[2]), std::string(box[3]),
                        plain_text(between(start, "<metadata id=\"pe-gen\">", "</metadata>")));
}

/// Undoes the escapes of a string in PDF that begins before `text`; "" if it does not end.
std::string plain_pdf_text(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size() && text[i] != ')'; ++i) {
        if (text[i] == '\\') ++i;
        if (i < text.size()) plain += text[i];
    }
    return plain.size() < text.size() ? plain : "";
}

std::vector<Fact> facts_of_pdf(const Source& source, const Progress&) {
    // The information is the first object, and no text in it has a line break.
    const std::string start = start_of(*source.file, longest_head);
    const std::string_view information = between(start, "1 0 obj\n", "\nendobj\n");
    const std::string_view rest = std::string_view(start).substr(information.size());
    const std::vector<std::string_view> box = words(between(rest, "/MediaBox [", "]"));
    std::vector<std::string> points;
    for (std::size_t i = 2; i < box.size(); ++i) {
        double length = 0;
        read_double(box[i], length);
        if (length > 0 && std::isfinite(length)) points.push_back(plain(length));
    }
    if (points.size() != 2) {
        throw FormatError(source.file->path(),
                          "not a PDF file of pe-gen's: its MediaBox has no width and height");
    }
    std::vector<Fact> facts{
        text_fact("format", "pdf"),
        {"points", joined(points, "x"), fmt::format("[{}]", joined(points, ","))}};
    const std::size_t origin = information.find(" /pe-gen (");
    const std::string provenance =
        origin == information.npos ? "" : plain_pdf_text(information.substr(origin + 10));
    for (Fact& fact : facts_of_origin(source, "pdf", provenance)) facts.push_back(std::move(fact));
    return facts;
}

/// Reads the facts of a page, which names its origin within its first lines.
std::vector<Fact> facts_of_html(const Source& source, const Progress&) {
    const std::string start = start_of(*source.file, longest_head);
    constexpr std::string_view opening = "<meta name=\"pe-gen\" content=\"";
    if (start.find(opening) == start.npos) {
        throw FormatError(source.file->path(), "not a page of pe-gen's");
    }
    std::vector<Fact> facts{text_fact("format", "html")};
    for (Fact& fact : facts_of_origin(source, "html", plain_text(between(start, opening, "\">")))) {
        facts.push_back(std::move(fact));
    }
    return facts;
}

std::vector<Fact> facts_of_json(const Source& source, const Progress&) {
    const JsonHead head = read_json_head(source.file->path(), start_of(*source.file, longest_head));
    std::vector<Fact> facts{text_fact("format", "json"),
                            {"shape", to_string(head.shape), utf8_json_line(head.shape.extents())},
                            text_fact("dtype", std::string(info(head.dtype).name))};
    for (Fact& fact : facts_of_origin(source, "json", head.provenance)) {
        facts.push_back(std::move(fact));
    }
    return facts;
}

/// The description of an array in a list of several: its dtype and shape, or why it cannot be read.
struct ListedArray {
    std::string name;
    std::string dtype{};
    Shape shape{};
    std::string failure{};
};

ListedArray listed(const ArchiveMember& member) {
    try {
        const Table table = member.open().table;
        return {member.name, std::string(info(table.dtype).name), table.shape};
    } catch (const FormatError& error) {
        const std::string_view text = error.what();
        return {.name = member.name, .failure = std::string(text.substr(member.path.size() + 2))};
    }
}

Fact arrays_fact(const Archive& archive) {
    std::vector<ListedArray> arrays;
    for (const ArchiveMember& member : archive.members) arrays.push_back(listed(member));
    std::size_t width = 0;
    for (const ListedArray& array : arrays) {
        width = std::max(width, shell_word(array.name).size());
    }
    std::vector<std::string> lines;
    Json json = Json::array();
    for (const ListedArray& array : arrays) {
        const bool is_read = array.failure.empty();
        lines.push_back(fmt::format(
            "{:<{}}  {}", shell_word(array.name), width,
            is_read ? fmt::format("{} {}", array.dtype, to_string(array.shape))
                    : one_line(array.failure.substr(0, array.failure.find("; in Python")))));
        json.push_back({{"name", array.name}});
        if (is_read) {
            json.back()["dtype"] = array.dtype;
            json.back()["shape"] = array.shape.extents();
        } else {
            json.back()["failure"] = array.failure;
        }
    }
    return {"arrays", lines.empty() ? "none" : joined(lines, "\n          "), json_line(json)};
}

/// Returns the keys of a GGUF file with their values; long ones are cut off in the text, and null
/// in JSON (gguf_file.h).
Fact metadata_fact(const std::shared_ptr<const InputFile>& file) {
    constexpr std::size_t longest = 60, widest = 60;
    const Json metadata = read_gguf(file).metadata;
    std::size_t width = 0;
    for (const auto& [key, value] : metadata.items())
        width = std::max(width, std::min(key.size(), widest));
    std::vector<std::string> lines;
    for (const auto& [key, value] : metadata.items()) {
        std::string text = value.is_null() ? "long" : one_line(json_line(value));
        if (text.size() > longest) text = fmt::format("long, {} ...", text.substr(0, longest));
        lines.push_back(fmt::format("{:<{}}  {}", one_line(key), width, text));
    }
    return {"metadata", joined(lines, "\n          "), json_line(metadata)};
}

std::vector<Fact> facts_of_archive(const Source& source, const Archive& archive) {
    std::vector<Fact> facts{text_fact("format", std::string(archive.format)), arrays_fact(archive)};
    if (archive.format == "gguf") facts.insert(facts.begin() + 1, metadata_fact(archive.file));
    // The others, like NPY, have no place for their origin.
    if (archive.format != "safetensors") return facts;
    try {
        for (Fact& fact : facts_of_origin(source, archive.format, archive.provenance)) {
            facts.push_back(std::move(fact));
        }
    } catch (const FormatError&) {
        // The arrays are there, whoever wrote the metadata.
        facts.push_back({"command", "not known: the record in the metadata is damaged", "null"});
    }
    return facts;
}

/// A kind of file, recognised by its first bytes.
struct Kind {
    std::string_view start;
    std::string_view format;
    std::vector<Fact> (*facts)(const Source&, const Progress&);
};

constexpr std::string_view pdf_start =
    "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Producer (pe-gen)";

constexpr std::array kinds{
    Kind{"\x93NUMPY", "npy", facts_of_npy},
    Kind{"\x89PNG", "png", facts_of_png},
    Kind{R"({"schema":"pe-gen/table/1")", "json", facts_of_json},
    Kind{"<?xml", "svg", facts_of_svg},
    Kind{"<svg", "svg", facts_of_svg},
    Kind{pdf_start, "pdf", facts_of_pdf},
    Kind{"<!DOCTYPE html>", "html", facts_of_html},
};

/// Returns the kind of the file; nullptr if it is of none of these kinds.
const Kind* find_kind(const InputFile& file) {
    const std::string start = start_of(file, pdf_start.size());  // the longest
    const auto found = std::ranges::find_if(
        kinds, [&](const Kind& candidate) { return start.starts_with(candidate.start); });
    return found == kinds.end() ? nullptr : &*found;
}

}  // namespace

std::string_view format_of(std::string_view path) {
    const Archive archive = open_archive(path);
    if (!archive.format.empty()) return archive.format;
    const Kind* const kind = find_kind(*archive.file);
    return kind ? kind->format : "";
}

std::vector<Fact> facts_of(std::string_view path, const Progress& progress) {
    const ArrayPath parts = array_path(path);
    const Archive archive = open_archive(parts.file);
    const std::shared_ptr<const InputFile>& file = archive.file;
    const bool is_several = !archive.format.empty();
    const Kind* const kind = is_several ? nullptr : find_kind(*file);
    if (!is_several && parts.name) read_single(file);
    if (parts.name) {
        const ArchiveMember& member = member_of(archive, parts.name, archive.path);
        return facts_of_array(archive.format, member.open(), progress);
    }
    if (is_several) return facts_of_archive({path, file}, archive);
    return kind ? kind->facts({path, file}, progress) : facts_of_text({path, file}, progress);
}

}  // namespace pegen
