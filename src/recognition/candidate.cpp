#include "recognition/candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "encodings/registry.h"
#include "files/npy.h"
#include "recognition/evidence/attention_array.h"
#include "recognition/evidence/precision.h"
#include "recognition/evidence/simple_number.h"
#include "recognition/parameters/position_proposals.h"

namespace pegen::recognition {
namespace {

std::string npy_bytes(const Table& table) {
    std::string bytes = npy_header(table.dtype, table.shape);
    std::vector<std::byte> rows(total_bytes(table));
    table.rows({0, table.shape.rows()}, rows);
    bytes.append(reinterpret_cast<const char*>(rows.data()), rows.size());
    return bytes;
}

/// Returns the price of a text in bits: the price of its numbers and of its words.
double bits_of_words(const std::string& text) {
    std::size_t numbers = 0;
    double bits_of_numbers = 0, bits = 0;
    for (const std::string_view part : words(text, ',')) {
        for (const std::string_view item : words(part, ':')) {
            const bool is_number = item.find_first_not_of("0123456789.e+-") == item.npos;
            constexpr double one_of_some_words = 4;
            if (is_number) {
                ++numbers;
                bits_of_numbers += 1 + evidence::bits_of_number(std::string(item));
            } else {
                bits += one_of_some_words;
            }
        }
    }
    // A few numbers belong to a formula or to the axes. In a longer list each number counts twice,
    // because it may explain two values of the array: a sine and a cosine.
    constexpr std::size_t few = 3;
    return bits + (numbers > few ? 2 : 1) * bits_of_numbers;
}

/// True if a preset of any encoding sets a parameter of this name to this value.
bool is_given_by_a_preset(const Parameters::Entry& entry) {
    static const auto given = [] {
        std::set<std::pair<std::string_view, std::string>> values;
        for (const Preset& preset : all_presets()) {
            const Parameters parameters = parameters_of(preset);
            for (const Parameters::Entry& own : parameters.entries()) {
                if (own.origin == Origin::preset) values.emplace(own.spec->name, to_string(own));
            }
        }
        return values;
    }();
    return given.contains({entry.spec->name, to_string(entry)});
}

double bits_of_text(const Parameters::Entry& entry) {
    constexpr double known = 6;
    const auto* const positions =
        entry.spec->name == "positions" ? std::get_if<std::vector<double>>(&entry.value) : nullptr;
    const double bits =
        positions ? position_list_bits(*positions) : bits_of_words(to_string(entry));
    return bits > known && is_given_by_a_preset(entry) ? known : bits;
}

/// Returns the price of a choice of channels in bits: little for one run of them.
double bits_of_channels(const std::string& choice) {
    constexpr double one_run = 12, another = 5;
    return one_run + another * static_cast<double>(words(choice, ',').size() - 1);
}

/// Returns the price of a base beyond its digits, in bits: much if it is far below the bases in
/// code.
double bits_of_size(const Parameters::Entry& entry) {
    const auto* const base = std::get_if<double>(&entry.value);
    constexpr double least_usual = 100, bits_of_decade = 12;
    if (!base || entry.spec->name != "base" || is_given_by_a_preset(entry)) return 0;
    return bits_of_decade * std::max(std::log10(least_usual / *base), 0.0);
}

double bits_of_value(const Parameters::Entry& entry) {
    constexpr double naming = 2;  // price of saying which parameter it is
    switch (entry.spec->type) {
        case ParameterType::flag:
            return naming + 1;
        case ParameterType::word:
            return naming + std::log2(static_cast<double>(words(entry.spec->choices).size()) + 1);
        case ParameterType::integer:
        case ParameterType::real:
            return naming + evidence::bits_of_number(to_string(entry)) + bits_of_size(entry);
        case ParameterType::path:
            return naming;  // the contents of the file are added by price_of()
        default:
            return naming + (entry.spec->name == "keep-channels"
                                 ? bits_of_channels(to_string(entry))
                                 : bits_of_text(entry));
    }
}

/// The prices, in bits, of a table's parameters, each computed once, when it is asked for.
class ParameterPrices {
  public:
    ParameterPrices(const Parameters& parameters, const TableSpec& table)
        : parameters_(parameters),
          idle_(words(table.idle_parameters)),
          bits_(parameters.entries().size()) {}

    /// Returns the price of the parameters that differ from `defaults`.
    double beside(const Parameters& defaults) {
        double sum = 0;
        for (std::size_t i = 0; i < bits_.size(); ++i) {
            const Parameters::Entry& entry = parameters_.entries()[i];
            const bool is_free =
                entry.spec->is_extent() || std::ranges::count(idle_, entry.spec->name) > 0;
            if (is_free || are_same(entry.value, defaults.entries()[i].value)) continue;
            if (!bits_[i]) bits_[i] = bits_of_value(entry);
            sum += *bits_[i];
        }
        return sum;
    }

  private:
    const Parameters& parameters_;
    std::vector<std::string_view> idle_;
    std::vector<std::optional<double>> bits_;
};

/// Returns the candidate's number of this name; `otherwise` if it has none.
double number_of(const Candidate& candidate, std::string_view name, double otherwise) {
    if (!candidate.parameters.knows(name)) return otherwise;
    const Value& value = candidate.parameters.value(name);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    const auto* const real = std::get_if<double>(&value);
    return real ? *real : otherwise;
}

/// Returns the price, in bits, of choosing these rows or channels: little for a run of them.
double bits_of_selection(const std::vector<std::int64_t>& chosen) {
    if (chosen.empty()) return 0;
    const std::int64_t step = chosen.size() > 1 ? chosen[1] - chosen[0] : 1;
    double bits = 12;
    for (std::size_t i = 1; i < chosen.size(); ++i) {
        const bool goes_on = chosen[i] - chosen[i - 1] == step;
        bits += goes_on ? 0 : std::log2(static_cast<double>(chosen.size()) + 1);
    }
    return bits;
}

/// Returns the value as a user types it; for the candidate's own data, the name of the written
/// file.
std::string typed(const Candidate& candidate, const Parameters::Entry& entry) {
    for (const evidence::DataFile& data : candidate.proposal.data) {
        if (data.parameter == entry.spec->name) return std::string(data.name);
    }
    const auto* const real = std::get_if<double>(&entry.value);
    return real ? plain(*real) : to_string(entry);
}

}  // namespace

std::optional<Candidate> candidate_of(const Encoding& encoding, const Proposal& proposal) {
    const TableSpec* const table =
        proposal.table.empty() ? &encoding.tables.front() : find_table(encoding, proposal.table);
    if (!table) return {};
    Candidate candidate = candidate_of(encoding, *table, Parameters(encoding.parameters));
    candidate.proposal = proposal;
    candidate.proposal.has_powers = table->has_powers;
    try {
        for (const Setting& setting : proposal.settings) {
            candidate.parameters.set(setting.name, setting.value, Origin::user);
        }
        for (const evidence::DataFile& data : proposal.data) {
            candidate.files.push_back(std::make_shared<MemoryFile>(npy_bytes(data.table)));
            candidate.parameters.set(data.parameter, candidate.files.back()->path(), Origin::user);
        }
    } catch (const UsageError&) {
        return {};
    }
    candidate.bits = price_of(candidate);
    return candidate;
}

Candidate candidate_of(const Encoding& encoding, const TableSpec& table,
                       const Parameters& parameters) {
    Candidate candidate{
        .encoding = &encoding, .table = &table, .parameters = parameters, .proposal = {}};
    candidate.proposal.has_powers = table.has_powers;
    candidate.bits = price_of(candidate);
    return candidate;
}

std::optional<Table> table_of(const Candidate& candidate, const evidence::Precision& precision) {
    const DType dtype = !is_floating(candidate.table->dtype) ? candidate.table->dtype
                        : precision.digits > 24              ? DType::float64
                                                             : DType::float32;
    try {
        return make_table(*candidate.encoding, *candidate.table, candidate.parameters, dtype);
    } catch (const Error&) {
        return {};
    }
}

double price_of(const Candidate& candidate) {
    const Encoding& encoding = *candidate.encoding;
    ParameterPrices prices(candidate.parameters, *candidate.table);
    double bits = prices.beside(Parameters(encoding.parameters));
    constexpr double naming_preset = 7, naming_encoding = 5;
    for (const Preset& preset : all_presets()) {
        if (preset.encoding != &encoding) continue;
        bits =
            std::min(bits, naming_preset - naming_encoding + prices.beside(parameters_of(preset)));
    }
    // If two encodings have the same table, the encoding whose first table it is costs less.
    constexpr double naming_table = 5;
    bits += naming_encoding + (candidate.table == &encoding.tables.front() ? 0 : naming_table);
    for (const evidence::DataFile& data : candidate.proposal.data) {
        const int digits = is_floating(data.table.dtype) ? 24 : 1;
        bits += static_cast<double>(data.table.shape.size()) * digits;
    }
    return bits + bits_of_selection(candidate.proposal.rows) +
           bits_of_selection(candidate.proposal.channels);
}

std::optional<Candidate> continued(Candidate candidate, std::int64_t rows, std::int64_t first) {
    if (!candidate.proposal.rows.empty() || !candidate.proposal.data.empty()) return {};
    try {
        candidate.parameters.set("len", fmt::format("{}", rows), Origin::user);
        if (first > 0) {
            const double start = number_of(candidate, "start", 0) -
                                 static_cast<double>(first) * number_of(candidate, "step", 1);
            candidate.parameters.set("start", fmt::format("{}", start), Origin::user);
        }
    } catch (const Error&) {
        return {};
    }
    candidate.bits = price_of(candidate);
    return candidate;
}

std::vector<double> positions_of(const Candidate& candidate) {
    if (!candidate.parameters.knows("positions")) return {};
    const auto* const list =
        std::get_if<std::vector<double>>(&candidate.parameters.value("positions"));
    return list ? *list : std::vector<double>();
}

std::optional<evidence::DataFile> positions_file_of(const Candidate& candidate) {
    const std::vector<double> positions = positions_of(candidate);
    if (positions.empty() || !position_list_text(positions).empty()) return {};
    const Shape shape{std::ssize(positions)};
    return evidence::DataFile{
        "positions-file", "positions.npy",
        evidence::data_table(positions, shape, evidence::precision_of(DType::float64))};
}

std::vector<std::string> positions_option_of(const Candidate& candidate) {
    if (const auto file = positions_file_of(candidate)) {
        return {fmt::format("--{}", file->parameter), std::string(file->name)};
    }
    return {"--positions", position_list_text(positions_of(candidate))};
}

void append_option(std::vector<std::string>& command, const ParameterSpec& spec,
                   const std::string& text) {
    if (spec.type == ParameterType::flag) {
        command.push_back(fmt::format("--{}{}", spec.name, text == "true" ? "" : "=false"));
    } else if (text.starts_with('-') && text.size() > 1 && (text[1] < '0' || text[1] > '9')) {
        command.push_back(fmt::format("--{}={}", spec.name, text));
    } else {
        command.push_back(fmt::format("--{}", spec.name));
        command.push_back(text);
    }
}

std::vector<std::string> command_of(const Candidate& candidate, const Preset* preset, DType dtype) {
    const Encoding& encoding = *candidate.encoding;
    const Parameters defaults = preset ? parameters_of(*preset) : Parameters(encoding.parameters);
    std::vector<std::string> command{"pe-gen"};
    const std::string_view name = preset ? preset->name : encoding.name;
    for (const std::string_view word : words(name)) command.emplace_back(word);
    if (candidate.table != &encoding.tables.front()) {
        command.insert(command.end(), {"--table", std::string(candidate.table->name)});
    }
    const std::vector<std::string_view> idle = words(candidate.table->idle_parameters);
    for (std::size_t i = 0; i < candidate.parameters.entries().size(); ++i) {
        const Parameters::Entry& entry = candidate.parameters.entries()[i];
        const bool is_same = are_same(entry.value, defaults.entries()[i].value) ||
                             std::ranges::count(idle, entry.spec->name) > 0;
        const bool is_none = to_string(entry) == "0";
        const bool is_said = !is_none && entry.spec->is_extent() &&
                             entry.origin != Origin::specification &&
                             !std::holds_alternative<NoValue>(entry.value);
        if (is_same && !is_said) continue;
        if (entry.spec->name == "positions") {
            std::ranges::move(positions_option_of(candidate), std::back_inserter(command));
        } else {
            append_option(command, *entry.spec, typed(candidate, entry));
        }
    }
    if (dtype != candidate.table->dtype) {
        command.insert(command.end(), {"--dtype", std::string(info(dtype).name)});
    }
    return command;
}

namespace {

/// A choice of --rounded, in words.
struct Way {
    const char* rounded;
    const char* text;
};

constexpr std::array ways{
    Way{"frequencies", "the frequencies are rounded to {}"},
    Way{"angles", "the angles, position times frequency, are rounded to {}"},
    Way{"frequencies-angles", "frequencies and angles are rounded to {}"},
    Way{"positions-angles", "positions and angles are rounded to {}"},
    Way{"all", "positions, frequencies and angles are rounded to {}"},
    Way{"positions", "the positions are rounded to {}"},
    Way{"positions-frequencies", "positions and frequencies are rounded to {}"},
};

/// True if the first rows are nearly the exact ones: rounding moves small angles little.
bool starts_as(const Table& exact, const Sample& array) {
    constexpr std::int64_t most_rows = 3;
    constexpr double most_off = 0x1p-5;
    const std::vector<double> values =
        read_rows(exact, {0, std::min(most_rows, array.extents.front())});
    const double amplitude = evidence::largest_magnitude(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(std::abs(values[i] - array.values[i]) <= most_off * amplitude)) return false;
    }
    return true;
}

/// Returns some rows, spread over all.
std::vector<std::int64_t> spread_rows(std::int64_t rows) {
    constexpr std::int64_t enough = 24;
    std::vector<std::int64_t> spread;
    const std::int64_t count = std::min(rows, enough);
    for (std::int64_t i = 0; i < count; ++i) {
        spread.push_back(count == 1 ? 0 : i * (rows - 1) / (count - 1));
    }
    return spread;
}

/// The counts of values that tell whether an array is one table or another.
struct Counts {
    std::int64_t all = 0;
    std::int64_t off = 0;             ///< values that the table does not have
    std::int64_t telling = 0;         ///< values in which the table is not the exact one
    std::int64_t off_of_telling = 0;  ///< both
};

bool agrees(const Counts& counts) {
    constexpr double most_off = 0.005, most_off_of_telling = 0.02;
    constexpr std::int64_t fewest_telling = 20;
    return counts.telling >= fewest_telling &&
           static_cast<double>(counts.off) <= most_off * static_cast<double>(counts.all) + 1 &&
           static_cast<double>(counts.off_of_telling) <=
               most_off_of_telling * static_cast<double>(counts.telling) + 1;
}

Counts counts_of(const Table& made, const Table& exact, const Sample& array,
                 const std::vector<std::int64_t>& rows) {
    Counts counts;
    const std::int64_t columns = made.shape.columns();
    for (const std::int64_t row : rows) {
        const std::vector<double> values = read_rows(made, {row, 1});
        const std::vector<double> exact_values = read_rows(exact, {row, 1});
        const double position = position_at(made.axes.front(), row).value_or(0);
        const double largest_angle_error = 0x1p-23 * (2 + std::abs(position));
        const double amplitude = evidence::largest_magnitude(values);
        for (std::size_t c = 0; c < values.size(); ++c) {
            const double error =
                evidence::unit_of(values[c], array.precision) + largest_angle_error * amplitude;
            const double given = array.values[row * columns + static_cast<std::int64_t>(c)];
            const bool is_off = !(std::abs(values[c] - given) <= error);
            const bool is_telling = std::abs(values[c] - exact_values[c]) > 4 * error;
            ++counts.all;
            counts.off += is_off ? 1 : 0;
            counts.telling += is_telling ? 1 : 0;
            counts.off_of_telling += is_off && is_telling ? 1 : 0;
        }
    }
    return counts;
}

}  // namespace

std::optional<Candidate16> in_16_bits(const Candidate& candidate, const Sample& array) {
    const bool is_plain = candidate.proposal.rows.empty() && candidate.proposal.channels.empty();
    if (array.rank() != 2 || !array.has_all_values() || !is_plain ||
        !candidate.parameters.knows("rounded")) {
        return {};
    }
    const std::optional<Table> exact = table_of(candidate, array.precision);
    if (!exact || exact->shape.extents() != array.extents || !starts_as(*exact, array)) return {};
    const std::vector<std::int64_t> some = spread_rows(array.extents.front());
    std::vector<std::int64_t> all(array.extents.front());
    std::iota(all.begin(), all.end(), 0);
    for (const Way& way : ways) {
        for (const DType format : {DType::bfloat16, DType::float16}) {
            Candidate narrow = candidate;
            narrow.parameters.set("arith", info(format).name, Origin::user);
            narrow.parameters.set("rounded", way.rounded, Origin::user);
            narrow.presets.clear();
            narrow.bits = price_of(narrow);
            const std::optional<Table> made = table_of(narrow, array.precision);
            if (!made || !agrees(counts_of(*made, *exact, array, some)) ||
                !agrees(counts_of(*made, *exact, array, all))) {
                continue;
            }
            return Candidate16{std::move(narrow),
                               fmt::format(fmt::runtime(way.text), info(format).name)};
        }
    }
    return {};
}

}  // namespace pegen::recognition
