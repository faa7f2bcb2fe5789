#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/clones.h"
#include "core/double_double.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/names.h"
#include "core/number.h"
#include "core/shape.h"
#include "encodings/cell.h"
#include "encodings/encoding.h"
#include "encodings/parameters/arith.h"
#include "encodings/parameters/attention_parameters.h"
#include "encodings/parameters/initializer.h"
#include "encodings/parameters/position_files.h"
#include "encodings/parameters/shared.h"
#include "encodings/parameters/weights.h"
#include "numerics/real.h"
#include "rows/arranged.h"
#include "rows/kept.h"

namespace pegen::encodings {
namespace {

/// The ids of a token, in the order of `id_parameters`.
enum Id : std::uint8_t { residue, token, chain, entity, copy, period };

constexpr ParameterSpec id_parameter(std::string_view name, std::string_view aliases,
                                     std::string_view summary) {
    return {.name = name,
            .aliases = aliases,
            .type = ParameterType::path,
            .summary = summary,
            .role = Role::tokens};
}

constexpr std::array id_parameters{
    id_parameter(
        "residue-index", "",
        "file of whole numbers, as of --positions-file: the residue of each token [counted "
        "from 1 in each chain]"),
    id_parameter("token-index", "", "likewise: the number of each token [counted from 0]"),
    id_parameter("asym-id", "chain-id", "likewise: the chain of each token [--chains]"),
    id_parameter("entity-id", "", "likewise: the entity, the same for copies [--chains]"),
    id_parameter("sym-id", "", "likewise: the number of the copy of its entity [--chains]"),
    id_parameter("cyclic-period", "",
                 "likewise: the length of the ring that the token's chain is, or 0 [0]"),
};

constexpr ParameterSpec reach_parameter(std::string_view name, std::string_view aliases,
                                        std::string_view default_value, std::string_view summary) {
    return {.name = name,
            .aliases = aliases,
            .type = ParameterType::integers,
            .default_value = default_value,
            .range = {.lowest = 0, .highest = 1 << 20},
            .summary = summary};
}

constexpr ParameterSpec tokens_parameter = [] {
    ParameterSpec spec = queries_parameter;
    spec.summary = "number of tokens [as many as --chains or the files of ids have]";
    return spec;
}();

constexpr std::array own_parameters{
    tokens_parameter,
    ParameterSpec{.name = "chains",
                  .type = ParameterType::text,
                  .summary = "the residues of each entity, with x and the number of its copies if "
                             "there are several: 120x2,80 [one chain of --len]"},
    ParameterSpec{.name = "blocks",
                  .type = ParameterType::text,
                  .default_value = "residue,token,entity,chain",
                  .summary = "the comparisons, in this order: a list of residue, token, entity, "
                             "chain, points [points with --points]"},
    reach_parameter("max-residue", "r-max max-relative-idx relpos-k", "32",
                    "the largest offset of residues with its own class: N, or LEFT,RIGHT"),
    reach_parameter("max-token", "", "", "the same for tokens of a residue [--max-residue]"),
    reach_parameter("max-chain", "s-max max-relative-chain", "2", "the same for copies"),
    ParameterSpec{.name = "points",
                  .aliases = "grid-coord",
                  .type = ParameterType::path,
                  .summary = "NPY file: whole numbers (len, axes), up to 3 axes, the place of each "
                             "token in a grid",
                  .role = Role::tokens},
    reach_parameter("max-point", "pos-bnd", "31", "the largest offset along an axis of --points"),
    ParameterSpec{.name = "other",
                  .type = ParameterType::word,
                  .default_value = "last",
                  .choices = "last first none",
                  .summary =
                      "the class of pairs without an offset, such as residues of two chains: "
                      "the last one, the first one, or none, so that all have an offset"},
    ParameterSpec{.name = "chain-offsets",
                  .type = ParameterType::word,
                  .default_value = "same-entity",
                  .choices = "same-entity other-chain",
                  .summary = "which pairs have an offset of copies: of the same entity, or, as in "
                             "Boltz, of two chains"},
    ParameterSpec{.name = "entities",
                  .type = ParameterType::word,
                  .default_value = "equal",
                  .choices = "equal order",
                  .summary = "the class of two entities: 1 if they are the same, else 0, in one "
                             "channel; or 0, 1 and 2 by their order, in three"},
    ParameterSpec{.name = "sign",
                  .type = ParameterType::word,
                  .default_value = "query-key",
                  .choices = "query-key key-query",
                  .summary = "how offsets are counted"},
    [] {
        ParameterSpec spec = with_default(d_parameter, "128");
        spec.aliases = "d d-model dim embed-dim embedding-dim hidden-size heads num-heads";
        return spec;
    }(),
    ParameterSpec{.name = "weights",
                  .type = ParameterType::path,
                  .summary = "NPY file: floats (channels of one-hot, d), a vector for each"},
    init_parameter,
    seed_parameter,
    rng_parameter,
};

constexpr auto parameters = joined(own_parameters, id_parameters);

/// The ids of all tokens: a list for each kind, then one for each axis of --points.
using Ids = std::vector<Positions>;

/// Returns the ids of the tokens of a single chain.
Ids ids_of_one_chain(std::int64_t tokens) {
    const Positions ones(1, 0, tokens);
    return {Positions(1, 1, tokens), Positions(0, 1, tokens), ones, ones, ones,
            Positions(0, 0, tokens)};
}

/// Reads a number of residues or copies. `text` is the whole value of --chains, for messages.
std::int64_t chain_count(std::string_view number, std::string_view text) {
    constexpr Range range{.lowest = 1, .highest = 1 << 20};
    const std::int64_t count = parse_integer(number, "--chains");
    if (!range.contains_whole(count)) {
        refuse("chains", text, fmt::format("{} {}", number, describe(range)));
    }
    return count;
}

/// Returns the ids of the tokens of --chains, one for each residue. Throws: UsageError.
Ids ids_of_chains(const std::string& text) {
    constexpr std::int64_t most_tokens = 1 << 20;
    std::array<std::vector<double>, id_parameters.size()> lists;
    double entities = 0, chains = 0;
    for (const std::string_view part : fields(text, ',')) {
        const std::vector<std::string_view> numbers = fields(part, 'x');
        if (numbers.size() > 2) refuse("chains", text, "must be numbers, as in 120x2,80");
        const std::int64_t residues = chain_count(numbers.front(), text);
        const std::int64_t copies = numbers.size() == 2 ? chain_count(numbers[1], text) : 1;
        if (std::ssize(lists[token]) + residues * copies > most_tokens) {
            refuse("chains", text, "ends at 2^20 residues; give files of ids");
        }
        ++entities;
        for (std::int64_t number = 0; number < residues * copies; ++number) {
            const std::int64_t place = number % residues;
            if (place == 0) ++chains;
            const std::array<double, id_parameters.size()> ids{
                static_cast<double>(place + 1),
                static_cast<double>(lists[token].size()),
                chains,
                entities,
                static_cast<double>(number / residues + 1),
                0};
            for (std::size_t id = 0; id < ids.size(); ++id) lists[id].push_back(ids[id]);
        }
    }
    const auto ids = [&](Id id) { return Positions(std::move(lists[id])); };
    return {ids(residue), ids(token), ids(chain), ids(entity), ids(copy), ids(period)};
}

/// Reads the places of --points, a list for each axis. Throws: FileError; FormatError.
std::vector<Positions> open_places(const std::string& path) {
    const PointsFile file = open_points(path);
    if (file.axes() > 3) {
        throw FormatError(path, fmt::format("shape {}: points must have 1 to 3 axes",
                                            to_string(file.table.shape)));
    }
    std::vector<Positions> axes;
    for (std::vector<double>& axis : read_points(file)) {
        for (const double place : axis) {
            if (place == std::trunc(place) && std::fabs(place) <= two_to_53) continue;
            throw FormatError(path, fmt::format("{}: must be a whole number, at most 2^53; divide "
                                                "coordinates by the size of a cell first",
                                                shortest(place)));
        }
        axes.emplace_back(std::move(axis));
    }
    return axes;
}

/// Opens the ids of all tokens, and fills in --len. Throws: FileError; FormatError; UsageError if
/// two sources of ids have different numbers of tokens.
Ids open_all_ids(Parameters& p) {
    std::string source = p.given("len") ? "--len" : "";
    std::int64_t tokens = p.integer("len");
    const auto say = [&](std::string_view name, const Positions& ids) {
        if (!source.empty() && ids.size() != tokens) {
            throw UsageError(fmt::format("--{}: {} tokens, but {} has {}; all need as many", name,
                                         ids.size(), source, tokens));
        }
        tokens = ids.size();
        source = fmt::format("--{}", name);
    };
    std::array<std::optional<Positions>, id_parameters.size()> given;
    if (p.has("chains")) {
        std::ranges::copy(ids_of_chains(p.word("chains")), given.begin());
        say("chains", *given.front());
    }
    for (std::size_t id = 0; id < given.size(); ++id) {
        const std::string_view name = id_parameters[id].name;
        if (!p.has(name)) continue;
        given[id] = open_ids(p.word(name));
        say(name, *given[id]);
    }
    std::vector<Positions> places;
    if (p.has("points")) {
        places = open_places(p.word("points"));
        say("points", places.front());
    }
    p.resolve("len", tokens);
    Ids ids = ids_of_one_chain(tokens);
    for (std::size_t id = 0; id < ids.size(); ++id) {
        if (given[id]) ids[id] = *std::move(given[id]);
    }
    std::ranges::move(places, std::back_inserter(ids));
    return ids;
}

/// The class of pairs without an offset.
enum class Other : std::uint8_t {
    last,    ///< behind the classes of offsets
    first,   ///< 0, before them
    silent,  ///< 0, and has no channel
    none,    ///< there are no such pairs
};

/// One comparison of the tokens of a pair.
struct Block {
    std::string_view name;
    std::size_t offset_of;  ///< the ids that it compares
    std::int64_t left;
    std::int64_t right;
    Other other;
    std::vector<Id> shared = {};   ///< the ids that the tokens of a pair with an offset share ...
    bool is_of_different = false;  ///< ... or the one that they do not share

    /// Returns the class of offset 0.
    std::int64_t middle() const {
        return left + (other == Other::first || other == Other::silent ? 1 : 0);
    }
    /// Returns the class of pairs without an offset.
    std::int64_t class_of_others() const { return other == Other::last ? left + right + 1 : 0; }
    std::int64_t classes() const { return left + right + 1 + (other == Other::none ? 0 : 1); }
    /// Returns the number of classes without a channel, which come first.
    std::int64_t silent() const { return other == Other::silent ? 1 : 0; }
    std::int64_t channels() const { return classes() - silent(); }
};

/// The comparisons of all pairs, as given by the parameters.
struct Comparison {
    Ids ids;
    std::vector<Block> blocks;
    double sign;  ///< 1: offsets are query - key; -1: key - query

    std::int64_t tokens() const { return ids[token].size(); }
    std::int64_t channels() const { return total_of(&Block::channels); }
    std::int64_t classes() const { return total_of(&Block::classes); }

  private:
    std::int64_t total_of(std::int64_t (Block::*count)() const) const {
        std::int64_t sum = 0;
        for (const Block& block : blocks) sum += (block.*count)();
        return sum;
    }
};

/// Returns the number of places from 0 to the left and to the right that have an offset.
std::pair<std::int64_t, std::int64_t> reach_of(const Parameters& p, std::string_view parameter) {
    const std::vector<std::int64_t>& reach = p.integers(parameter);
    if (reach.size() > 2) {
        refuse(parameter, to_string(p.value(parameter)), "must be one number, or LEFT,RIGHT");
    }
    return {reach.front(), reach.back()};
}

Block block_of(const Parameters& p, std::string_view name) {
    const std::string& word = p.word("other");
    const Other other = word == "last" ? Other::last : word == "first" ? Other::first : Other::none;
    const auto clipped = [&](Id id, std::string_view parameter, std::vector<Id> shared) {
        const auto [left, right] = reach_of(p, parameter);
        return Block{name, id, left, right, other, std::move(shared)};
    };
    if (name == "residue") return clipped(residue, "max-residue", {chain});
    if (name == "token") return clipped(token, "max-token", {chain, residue});
    if (name == "entity") {
        return p.word("entities") == "order" ? Block{name, entity, 1, 1, Other::none}
                                             : Block{name, entity, 0, 0, Other::silent, {entity}};
    }
    const bool is_of_entity = p.word("chain-offsets") == "same-entity";
    Block copies = clipped(copy, "max-chain", {is_of_entity ? entity : chain});
    copies.is_of_different = !is_of_entity;
    return copies;
}

/// Returns a block for each axis of --points, which all pairs have an offset along.
std::vector<Block> blocks_of_points(const Parameters& p, std::size_t axes) {
    constexpr std::array<std::string_view, 3> names{"points, axis 0", "points, axis 1",
                                                    "points, axis 2"};
    const auto [left, right] = reach_of(p, "max-point");
    std::vector<Block> blocks;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        blocks.push_back({names[axis], id_parameters.size() + axis, left, right, Other::none});
    }
    return blocks;
}

/// Opens the ids, and reads the blocks. Fills in --len, --blocks and --max-token.
Comparison open_comparison(Parameters& p) {
    if (!p.has("max-token")) p.resolve("max-token", p.integers("max-residue"));
    if (p.has("points") && !p.given("blocks")) p.resolve("blocks", std::string("points"));
    Comparison comparison{open_all_ids(p), {}, p.word("sign") == "query-key" ? 1.0 : -1.0};
    const std::string& text = p.word("blocks");
    const std::vector<std::string_view> parts = fields(text, ',');
    for (const std::string_view part : parts) {
        constexpr std::array<std::string_view, 5> names{"residue", "token", "entity", "chain",
                                                        "points"};
        const auto name = std::ranges::find(names, part);
        if (name == names.end() || std::ranges::count(parts, part) > 1) {
            refuse("blocks", text,
                   "must be a list of residue, token, entity, chain, points, each once");
        }
        if (*name != "points") {
            comparison.blocks.push_back(block_of(p, *name));
            continue;
        }
        if (!p.has("points")) refuse("blocks", text, "points needs --points");
        std::ranges::move(blocks_of_points(p, comparison.ids.size() - id_parameters.size()),
                          std::back_inserter(comparison.blocks));
    }
    return comparison;
}

/// Returns the offset of a pair in a block; nothing if the pair has none.
std::optional<double> offset_in(const Comparison& c, const Block& block, std::int64_t query,
                                std::int64_t key) {
    const auto is_shared = [&](Id id) { return c.ids[id][query] == c.ids[id][key]; };
    const bool has_offset = block.other == Other::none ||
                            std::ranges::all_of(block.shared, is_shared) != block.is_of_different;
    if (!has_offset) return {};
    double offset = c.ids[block.offset_of][query] - c.ids[block.offset_of][key];
    if (const double ring = c.ids[period][key]; block.offset_of == residue && ring > 0) {
        offset -= ring * std::nearbyint(offset / ring);
    }
    return 0 + c.sign * offset;
}

/// Returns the class of a pair in a block.
std::int64_t class_of(const Comparison& c, const Block& block, std::int64_t query,
                      std::int64_t key) {
    const std::optional<double> offset = offset_in(c, block, query, key);
    if (!offset) return block.class_of_others();
    const double clipped =
        std::clamp(*offset, -static_cast<double>(block.left), static_cast<double>(block.right));
    return static_cast<std::int64_t>(clipped) + block.middle();
}

/// Returns the cell of the class of a pair in a block.
Cell class_cell(const Comparison& c, const Block& block, std::int64_t query, std::int64_t key) {
    const auto number = static_cast<double>(class_of(c, block, query, key));
    const auto value = [=] { return numerics::Real(number); };
    const std::optional<double> offset = offset_in(c, block, query, key);
    if (!offset) {
        return {.value = {value, fmt::format("{}", number)},
                .note = fmt::format("The pair has no offset in the block {}.", block.name)};
    }
    return {.value = {value, fmt::format("clip({}, {}, {}) + {}", *offset, -block.left, block.right,
                                         block.middle())},
            .note = fmt::format("The offset, {}, is {}.",
                                c.sign > 0 ? "query - key" : "key - query", *offset)};
}

/// Returns the channels of a pair's classes, in the order of the blocks.
std::vector<std::int64_t> channels_of(const Comparison& c, std::int64_t query, std::int64_t key) {
    std::vector<std::int64_t> channels;
    std::int64_t first = 0;
    for (const Block& block : c.blocks) {
        const std::int64_t channel = class_of(c, block, query, key) - block.silent();
        if (channel >= 0) channels.push_back(first + channel);
        first += block.channels();
    }
    return channels;
}

/// An id of a query, and that of each key.
struct Compared {
    double of_query;
    const double* of_keys;

    bool are_same(std::size_t key) const { return of_keys[key] == of_query; }
};

/// Returns a class, a whole number of 32 bits. Processors convert doubles to integers of 32 bits
/// several at a time, to wider ones only with AVX-512.
template <class T>
[[gnu::always_inline]] inline T class_as(double number) {
    if constexpr (std::is_same_v<T, std::int64_t>) return static_cast<std::int32_t>(number);
    return round_to<T>(number);
}

/// Finds the classes of a block for `count` keys. A pair has an offset if its shared ids are the
/// same, or are not: Block::is_of_different. If the block has no class for others, each pair has an
/// offset, whatever `shared` is.
template <class T>
PEGEN_CLONES void find_classes(const Block& block, double sign, Compared ids, Compared shared,
                               std::int64_t count, T* __restrict classes) {
    const auto left = static_cast<double>(block.left), right = static_cast<double>(block.right);
    const auto middle = static_cast<double>(block.middle());
    const auto other = static_cast<double>(block.class_of_others());
    const bool has_other = block.other != Other::none, is_of_different = block.is_of_different;
    for (std::int64_t key = 0; key < count; ++key) {
        const double offset = sign * (ids.of_query - ids.of_keys[key]);
        const double own = std::min(std::max(offset, -left), right) + middle;
        const double if_same = has_other && is_of_different ? other : own;
        const double if_different = has_other && !is_of_different ? other : own;
        classes[key] = class_as<T>(shared.are_same(key) ? if_same : if_different);
    }
}

/// Sets the classes of keys that do not share an id to `other`.
template <class T>
PEGEN_CLONES void replace_others(Compared shared, std::int64_t count, T other,
                                 T* __restrict classes) {
    for (std::int64_t key = 0; key < count; ++key) {
        classes[key] = shared.are_same(key) ? classes[key] : other;
    }
}

/// The ids of all tokens, as rows of one number.
using IdTables = std::vector<rows::AxisTable>;

std::shared_ptr<const IdTables> tables_of(const Ids& ids) {
    auto tables = std::make_shared<IdTables>();
    for (const Positions& list : ids) {
        const auto fill = [=](RowRange range, std::span<double> out) {
            list.read(range.first, out);
        };
        tables->emplace_back(rounded({fill, list.size(), 1}, DType::float64));
    }
    return tables;
}

constexpr std::int64_t keys_at_once = 1 << 10;

/// Compares a query with many keys. For one thread.
class Classes {
  public:
    Classes(const Comparison& c, const IdTables& ids) : c_(c), ids_(ids.begin(), ids.end()) {}

    /// Finds the classes in a block of the pairs of a query and the keys of `range`, at most
    /// keys_at_once.
    template <class T>
    void find(const Block& block, std::int64_t query, RowRange range, T* classes) {
        const auto compared = [&](std::size_t id) {
            return Compared{c_.ids[id][query],
                            reinterpret_cast<const double*>(ids_[id].rows(range))};
        };
        Compared ids = compared(block.offset_of);
        if (block.offset_of == residue && has_rings_) ids = in_rings(ids, compared(period), range);
        std::span<const Id> shared;
        if (block.other != Other::none) shared = block.shared;
        find_classes(block, c_.sign, ids, shared.empty() ? ids : compared(shared[0]), range.count,
                     classes);
        for (const Id id : shared.subspan(std::min<std::size_t>(1, shared.size()))) {
            replace_others(compared(id), range.count,
                           round_to<T>(static_cast<double>(block.class_of_others())), classes);
        }
    }

    /// Returns the same as numbers, which are valid until the next call.
    std::span<const std::int32_t> of(const Block& block, std::int64_t query, RowRange range) {
        find(block, query, range, classes_.data());
        return std::span(classes_).first(range.count);
    }

    /// Returns the classes in all blocks, those of a pair side by side, of which each block counts
    /// on from the one before; likewise.
    std::span<const std::int32_t> of_all_blocks(std::int64_t query, RowRange range) {
        const std::int64_t blocks = std::ssize(c_.blocks);
        of_all_.resize(range.count * blocks);
        std::int64_t before = 0;
        for (std::int64_t b = 0; b < blocks; ++b) {
            std::int64_t place = b;
            for (const std::int32_t number : of(c_.blocks[b], query, range)) {
                of_all_[place] = static_cast<std::int32_t>(before + number);
                place += blocks;
            }
            before += c_.blocks[b].classes();
        }
        return of_all_;
    }

  private:
    /// Returns ids with the same offsets, but in a ring by the shorter way.
    Compared in_rings(Compared residues, Compared rings, RowRange range) {
        for (std::int64_t key = 0; key < range.count; ++key) {
            const double ring = rings.of_keys[key];
            double behind = residues.of_keys[key] - residues.of_query;
            if (ring > 0) behind -= ring * std::nearbyint(behind / ring);
            behind_[key] = behind;
        }
        return {0, behind_.data()};
    }

    const Comparison& c_;
    std::vector<rows::AxisReader> ids_;
    bool has_rings_ = c_.ids[period].largest() > 0;
    std::vector<std::int32_t> of_all_;
    std::array<double, keys_at_once> behind_;
    std::array<std::int32_t, keys_at_once> classes_;
};

/// Calls fill(query, keys, place) for all pairs of `pairs`, which are numbered query by query, at
/// most keys_at_once at a time; `place` is the first one's place in `pairs`.
template <class Fill>
void for_each_keys(RowRange pairs, std::int64_t tokens, Fill fill) {
    for (std::int64_t done = 0, count = 0; done < pairs.count; done += count) {
        const std::int64_t pair = pairs.first + done, key = pair % tokens;
        count = std::min({pairs.count - done, tokens - key, keys_at_once});
        fill(pair / tokens, RowRange{key, count}, done);
    }
}

/// Fills rows (block, query, key) of the table index.
template <class T>
void fill_classes(const Comparison& c, const IdTables& ids, RowRange range, T* out) {
    const std::int64_t tokens = c.tokens();
    Classes classes(c, ids);
    // The ids of some keys stay in the L1 cache while they are compared with all queries.
    for (std::int64_t first = 0; first < tokens; first += keys_at_once) {
        const RowRange keys{first, std::min(keys_at_once, tokens - first)};
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t row = range.first + i;
            classes.find(c.blocks[row / tokens], row % tokens, keys, out + i * tokens + first);
        }
    }
}

/// Fills rows (query, key, channel) of the table one-hot.
template <class T>
void fill_one_hot(const Comparison& c, const IdTables& ids, RowRange pairs, T* out) {
    const std::int64_t channels = c.channels();
    Classes classes(c, ids);
    std::fill_n(out, pairs.count * channels, T{});
    for_each_keys(pairs, c.tokens(), [&](std::int64_t query, RowRange keys, std::int64_t place) {
        T* channel = out + place * channels;
        for (const Block& block : c.blocks) {
            T* row = channel;
            for (const std::int32_t number : classes.of(block, query, keys)) {
                if (number >= block.silent()) row[number - block.silent()] = round_to<T>(1);
                row += channels;
            }
            channel += block.channels();
        }
    });
}

/// Plans the table index: a class for each block and pair.
Plan index_plan(Parameters p, const Comparison& c) {
    const std::int64_t tokens = c.tokens(), blocks = std::ssize(c.blocks);
    const rows::AttentionSize size{tokens, tokens};
    Axis block_axis{.kind = AxisKind::function, .name = "block", .label = "Block"};
    for (const Block& block : c.blocks) block_axis.index_names.emplace_back(block.name);
    return {.parameters = std::move(p),
            .shape = {blocks, tokens, tokens},
            .axes = {std::move(block_axis), query_axis(size), key_axis(size)},
            .make_rows =
                [=](DType dtype) {
                    const auto fill = [=, ids = tables_of(c.ids)](RowRange range,
                                                                  std::span<std::byte> out) {
                        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
                            fill_classes(c, *ids, range, reinterpret_cast<T*>(out.data()));
                        });
                    };
                    return Rows(fill, blocks * tokens, tokens, dtype);
                },
            .cell =
                [=](std::span<const std::int64_t> at) {
                    return class_cell(c, c.blocks[at[0]], at[1], at[2]);
                }};
}

/// Returns a double whose rounding to `dtype` is the sum, rounded once.
double sum_of(const std::vector<double>& addends, DType dtype) {
    const numerics::Precision all_bits_of_doubles(2200);
    numerics::Real exact = 0;
    for (const double addend : addends) exact = exact + addend;
    return numerics::for_rounding_to(dtype, exact);
}

/// Adds to all totals. Returns whether the sums are exact.
PEGEN_CLONES bool add_exactly(const double* __restrict addends, std::size_t count,
                              double* __restrict totals) {
    std::uint64_t rests = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const DoubleDouble next = sum(totals[i], addends[i]);
        totals[i] = next.high;
        rests |= std::bit_cast<std::uint64_t>(next.low);
    }
    return rests == 0;
}

/// Adds table[places[i]] to total i. Returns whether the sums are exact.
PEGEN_CLONES bool add_exactly(const double* __restrict table, const std::int32_t* __restrict places,
                              std::size_t count, double* __restrict totals) {
    std::uint64_t rests = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const DoubleDouble next = sum(totals[i], table[places[i]]);
        totals[i] = next.high;
        rests |= std::bit_cast<std::uint64_t>(next.low);
    }
    return rests == 0;
}

/// Reads the weights, with a row of zeros for each class without a channel. Throws: as
/// read_weights(); UsageError if `dtype` cannot hold the sums.
rows::KeptRows read_rows_for_sums(const Comparison& c, const Weights& weights, DType dtype) {
    const rows::KeptRows kept = read_weights(weights, dtype);
    const auto [lowest, highest] = std::ranges::minmax(*kept);
    check_holds(dtype, static_cast<double>(c.blocks.size()) * std::max(-lowest, highest),
                "the largest possible sum");
    std::vector<double> of_classes;
    auto rest = kept->begin();
    for (const Block& block : c.blocks) {
        of_classes.resize(of_classes.size() + block.silent() * weights.columns);
        const auto end = rest + block.channels() * weights.columns;
        of_classes.insert(of_classes.end(), std::exchange(rest, end), end);
    }
    return std::make_shared<const std::vector<double>>(std::move(of_classes));
}

/// Fills rows (head, query, key) of the table bias; `lines` has the weights of each head.
void fill_bias(const Comparison& c, const IdTables& ids, const double* lines, DType dtype,
               RowRange range, std::span<double> out) {
    const std::int64_t tokens = c.tokens(), blocks = std::ssize(c.blocks);
    Classes classes(c, ids);
    std::ranges::fill(out, 0.0);
    const RowRange pairs{range.first * tokens, range.count * tokens};
    for_each_keys(pairs, tokens, [&](std::int64_t row, RowRange keys, std::int64_t place) {
        const double* const line = lines + row / tokens * c.classes();
        const std::int64_t query = row % tokens;
        const double* weights = line;
        bool is_exact = true;
        for (const Block& block : c.blocks) {
            const auto of_keys = classes.of(block, query, keys);
            is_exact &= add_exactly(weights, of_keys.data(), of_keys.size(), &out[place]);
            weights += block.classes();
        }
        if (is_exact) return;
        const auto places = classes.of_all_blocks(query, keys);
        std::vector<double> addends(blocks);
        for (std::int64_t i = 0; i < std::ssize(places); ++i) {
            addends[i % blocks] = line[places[i]];
            if ((i + 1) % blocks == 0) out[place + i / blocks] = sum_of(addends, dtype);
        }
    });
}

/// Fills rows (query, key, channel) of the table pair; `weights` has a row for each class.
void fill_pairs(const Comparison& c, const IdTables& ids, const std::vector<double>& weights,
                std::int64_t columns, DType dtype, RowRange pairs, std::span<std::byte> out) {
    const std::int64_t blocks = std::ssize(c.blocks), bytes = columns * info(dtype).size;
    Classes classes(c, ids);
    std::vector<double> totals(columns);
    for_each_keys(pairs, c.tokens(), [&](std::int64_t query, RowRange keys, std::int64_t place) {
        const auto places = classes.of_all_blocks(query, keys);
        for (std::int64_t i = 0; i < keys.count; ++i) {
            std::byte* const row = out.data() + (place + i) * bytes;
            const auto own = places.subspan(i * blocks, blocks);
            // Pairs beyond the largest offsets have the vector of the pair before.
            if (i > 0 && std::ranges::equal(own, places.subspan((i - 1) * blocks, blocks))) {
                std::memcpy(row, row - bytes, bytes);
                continue;
            }
            std::ranges::fill(totals, 0.0);
            bool is_exact = true;
            for (const std::int32_t of_block : own) {
                is_exact &= add_exactly(&weights[of_block * columns], columns, totals.data());
            }
            for (std::int64_t column = 0; !is_exact && column < columns; ++column) {
                std::vector<double> addends;
                for (const std::int32_t of_block : own) {
                    addends.push_back(weights[of_block * columns + column]);
                }
                totals[column] = sum_of(addends, dtype);
            }
            store(totals, dtype, {row, to_size(bytes)});
        }
    });
}

/// Returns the cell of a sum of the weights of a pair's classes.
Cell sum_cell(const Comparison& c, std::int64_t query, std::int64_t key, std::int64_t column) {
    std::vector<std::string> parts;
    for (const std::int64_t channel : channels_of(c, query, key)) {
        parts.push_back(fmt::format("weights[{}, {}]", channel, column));
    }
    return {.value = {.text = parts.empty() ? "0" : joined(parts, " + ")}};
}

/// Plans the table bias: the table pair, channels first.
Plan bias_plan(Parameters p, const Comparison& c, const Weights& weights) {
    const std::int64_t tokens = c.tokens(), heads = weights.columns;
    const rows::AttentionSize size{tokens, tokens};
    return {
        .parameters = std::move(p),
        .shape = {heads, tokens, tokens},
        .axes = {head_axis(), query_axis(size), key_axis(size)},
        .make_rows =
            [=](DType dtype) {
                const rows::KeptRows kept = read_rows_for_sums(c, weights, dtype);
                const Rows lines =
                    rows::transposed(rounded(rows::kept_rows(kept, heads), DType::float64));
                const auto fill = [=, ids = tables_of(c.ids), lines = rows::elements_of(lines)](
                                      RowRange range, std::span<double> out) {
                    fill_bias(c, *ids, reinterpret_cast<const double*>(lines->data()), dtype, range,
                              out);
                };
                return rounded({fill, heads * tokens, tokens}, dtype);
            },
        .cell = [=](std::span<const std::int64_t> at) { return sum_cell(c, at[1], at[2], at[0]); }};
}

/// Plans the table one-hot, or with weights the table pair.
Plan pair_plan(Parameters p, const Comparison& c, const std::optional<Weights>& weights) {
    const std::int64_t tokens = c.tokens();
    const std::int64_t columns = weights ? weights->columns : c.channels();
    const rows::AttentionSize size{tokens, tokens};
    return {.parameters = std::move(p),
            .shape = {tokens, tokens, columns},
            .axes = {query_axis(size), key_axis(size), channel_axis()},
            .make_rows =
                [=](DType dtype) {
                    const rows::KeptRows kept =
                        weights ? read_rows_for_sums(c, *weights, dtype) : nullptr;
                    const auto fill = [=, ids = tables_of(c.ids)](RowRange pairs,
                                                                  std::span<std::byte> out) {
                        if (kept) {
                            fill_pairs(c, *ids, *kept, columns, dtype, pairs, out);
                            return;
                        }
                        with_element_type(dtype, [&]<class T>(std::type_identity<T>) {
                            fill_one_hot(c, *ids, pairs, reinterpret_cast<T*>(out.data()));
                        });
                    };
                    return Rows(fill, tokens * tokens, columns, dtype);
                },
            .cell =
                [=, has_weights = weights.has_value()](std::span<const std::int64_t> at) {
                    return has_weights ? sum_cell(c, at[0], at[1], at[2]) : Cell{};
                }};
}

Plan plan(Parameters given, std::string_view table) {
    Parameters p = without_idle_initializer(std::move(given), {"weights"});
    p = with_extent_of(std::move(p), "weights", 1, "d");
    const Comparison c = open_comparison(p);
    if (table == "index") return index_plan(std::move(p), c);
    if (table == "one-hot") return pair_plan(std::move(p), c, {});
    const Weights weights = open_weights(p, {.file_parameter = "weights",
                                             .extents = "(channels of one-hot, d)",
                                             .rows = c.channels(),
                                             .columns = p.integer("d")});
    return table == "bias" ? bias_plan(std::move(p), c, weights)
                           : pair_plan(std::move(p), c, weights);
}

constexpr std::array tables{
    TableSpec{.name = "index",
              .summary = "the class of each pair in each block, (blocks, len, len), whole numbers",
              .title = "Relative Positions of Tokens",
              .value_label = "Class",
              .dtype = DType::int64,
              .idle_parameters = "d weights init seed rng"},
    TableSpec{
        .name = "one-hot",
        .summary = "the same in zeros and ones, the blocks side by side, (len, len, channels)",
        .title = "Relative Positions of Tokens, One-Hot",
        .value_label = "Is of the Class",
        .idle_parameters = "d weights init seed rng",
        .has_whole_values = true},
    TableSpec{.name = "pair",
              .summary = "the sum of the vectors of each pair's classes, (len, len, d)",
              .title = "Vectors of Pairs of Tokens (d={d})",
              .value_label = "Weights",
              .is_initial = true},
    TableSpec{.name = "bias",
              .summary = "the same, with the d channels as heads, (d, len, len)",
              .title = "Bias of Pairs of Tokens (heads={d})",
              .value_label = "Bias",
              .is_initial = true},
};

constexpr std::array relpos_presets{
    PresetSpec{.name = "alphafold2",
               .aliases = "openfold",
               .settings = "--blocks residue --other none",
               .summary = "AlphaFold 2 and OpenFold: 65 classes of residues, whatever the chain",
               .source = "google-deepmind/alphafold, alphafold/model/modules.py",
               .note = "Complexes are folded with it by a gap in --residue-index."},
    PresetSpec{.name = "alphafold-multimer",
               .aliases = "openfold-multimer",
               .settings = "--blocks residue,entity,chain",
               .summary = "AlphaFold-Multimer and OpenFold: residues, entities and copies",
               .source = "google-deepmind/alphafold, alphafold/model/modules_multimer.py, "
                         "_relative_encoding",
               .note = "73 channels. Without use_chain_relative it is alphafold2."},
    PresetSpec{.name = "alphafold3",
               .aliases = "protenix",
               .settings = "",
               .summary = "AlphaFold 3 and Protenix: residues, tokens, entities and copies",
               .source = "google-deepmind/alphafold3, src/alphafold3/model/network/"
                         "featurization.py, create_relative_encoding",
               .note = "139 channels. The atoms of a ligand or a modified residue are tokens with "
                       "one residue index, which --chains does not have: give --residue-index."},
    PresetSpec{.name = "boltz-relpos",
               .settings = "--chain-offsets other-chain",
               .summary = "Boltz: as AlphaFold 3, but for copies: any two chains have an offset",
               .source = "jwohlwend/boltz, src/boltz/model/modules/encoders.py, "
                         "RelativePositionEncoder",
               .note = "Version 2 with fix_sym_check has alphafold3. Cyclic peptides have "
                       "--cyclic-period."},
    PresetSpec{.name = "chai",
               .settings = "--max-residue 33,32 --max-token 32,33 --entities order",
               .summary = "Chai-1: 66 offsets of residues and tokens, entities by their order",
               .source = "chaidiscovery/chai-lab, chai_lab/data/features/generators/"
                         "relative_sep.py, relative_token.py, relative_entity.py, "
                         "relative_chain.py",
               .note = "Each block is a feature of its own. Chai numbers sym_id anew without gaps; "
                       "--sym-id is taken as it is."},
    PresetSpec{.name = "esmfold",
               .settings = "--blocks residue --other first --sign key-query",
               .summary = "ESMFold: key - query, from class 1 on; class 0 is for masked pairs",
               .source = "facebookresearch/esm, esm/esmfold/v1/trunk.py, RelativePosition",
               .note =
                   "66 classes. Chains differ by a gap of 512 in --residue-index; with --chains "
                   "or --asym-id pairs of two chains would have class 0."},
    PresetSpec{.name = "rfdiffusion",
               .aliases = "rosettafold2",
               .settings = "--blocks residue --other none --sign key-query",
               .summary = "RFdiffusion and RoseTTAFold 2: key - query, 65 classes",
               .source = "RosettaCommons/RFdiffusion, rfdiffusion/Embeddings.py, "
                         "PositionalEncoding2D",
               .note = "shaw --max-distance 32, for any --residue-index. Chains differ by a gap of "
                       "200 in it."},
};

}  // namespace

/// A token is a residue, or an atom of a residue or a ligand. The ids of the tokens are read from
/// files, or --chains gives them: residues count from 1 in each chain, and copies from 1 in each
/// entity. Otherwise all tokens are the residues of one chain. --points gives tokens a place in a
/// grid, and the blocks are the offsets along its axes. --other first: pairs without an
/// offset have class 0, and offsets begin at class 1; none: all pairs have an offset. In a ring of
/// n residues, n the period of the key, an offset r becomes r - n round(r / n), ties to even.
///
/// Tables: index (blocks, len, len), axes (block, query, key), integers from 0; one-hot (len, len,
/// channels), axes (query, key, channel); pair (len, len, d), likewise, and bias (d, len, len): a
/// weight for each block, added exactly and rounded once. The weights are read from --weights, or
/// are the tensor (channels of one-hot, d) that PyTorch draws by --init right after seeding. Keeps
/// the weights in memory, and the ids of up to 2^20 tokens; longer files of ids are read again.
extern constinit const Encoding relpos{
    .name = "relpos",
    .summary = "clipped offsets of residues, tokens, chains and points: AlphaFold, Boltz, PTv3",
    .formula =
        "index[b, q, k] = clip(id[q] - id[k], -L, R) + L    b: residue, token, chain, point axis\n"
        "index[b, q, k] = L + R + 1                         pairs without an offset\n"
        "index[b, q, k] = 1 if entity-id[q] = entity-id[k], else 0    b: entity\n"
        "one_hot[q, k]  = the unit vector of each index[b, q, k], side by side;\n"
        "                 the index itself for b = entity\n"
        "pair[q, k]     = sum over channels c of one_hot[q, k, c] weights[c]\n"
        "id: residue-index in a chain, token-index in a residue, sym-id in an entity,\n"
        "    or a column of points",
    .source =
        "Evans et al. 2021, AlphaFold-Multimer, algorithm 5 of the supplement; Abramson et al. "
        "2024, AlphaFold 3, algorithm 3 of the supplement; Wu et al. 2024, Point Transformer V3, "
        "arXiv:2312.10035, Pointcept/PointTransformerV3, model.py, RPE",
    .examples =
        "relpos --len 6 --max-residue 2 --blocks residue\n"
        "relpos --chains 24x2,16 --png relpos.png\n"
        "relpos --chains 120x2,80 --table one-hot --npy relpos.npy",
    .parameters = parameters,
    .tables = tables,
    .presets = relpos_presets,
    .plan = plan};

}  // namespace pegen::encodings
