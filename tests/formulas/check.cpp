#include "formulas/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "core/names.h"
#include "core/shape.h"
#include "encodings/drawn/draws.h"
#include "encodings/registry.h"
#include "exhaustive/nearest.h"
#include "formulas/exact.h"

namespace pegen::formulas {
namespace {

using Index = std::vector<std::int64_t>;

/// A table: its parameters with defaults filled in, its name and its extents.
struct Drawn {
    const Parameters& p;
    std::string_view table;
    const Shape& shape;

    std::int64_t whole(const char* name) const { return p.integer(name); }
    double real(const char* name) const { return p.real(name); }
    bool is(const char* name, std::string_view word) const { return p.word(name) == word; }
};

Exact number(std::int64_t n) { return static_cast<double>(n); }

/// Returns the sine or cosine of an angle: the function that --first names if `second` is false,
/// else the other.
Exact wave(const Drawn& t, bool second, const Exact& angle) {
    return t.is("first", "sin") == second ? cos(angle) : sin(angle);
}

/// Returns the position of a row as a double. A progression is rounded once.
Exact position(const Drawn& t, std::int64_t row) {
    const std::int64_t count = t.whole("len");
    if (t.p.has("reverse") && t.p.flag("reverse")) row = count - 1 - row;
    if (t.p.has("positions")) return t.p.reals("positions")[static_cast<std::size_t>(row)];
    return std::fma(t.real("step"), static_cast<double>(row), t.real("start"));
}

Exact index(const Drawn& t, const Index& i) { return position(t, i[0]); }

/// Returns the position of a query: the queries are the last of the keys, if there are more keys.
std::int64_t query_of(const Drawn& t, const Index& i) {
    return i[0] + std::max<std::int64_t>(t.whole("key-len") - t.whole("len"), 0);
}

Exact buckets(const Drawn& t, const Index& i) {
    const std::int64_t offset = i[1] - query_of(t, i);
    if (t.is("value", "(k-q)%32")) return number((offset % 32 + 32) % 32);
    return t.is("value", "min(abs(q-k),31)") ? number(std::min<std::int64_t>(std::abs(offset), 31))
                                             : number(std::clamp<std::int64_t>(offset + 16, 0, 31));
}

Exact normalized(const Drawn& t, const Index& i) {
    return number(i[0]) / number(std::max<std::int64_t>(t.whole("len") - 1, 1));
}

Exact periodic(const Drawn& t, const Index& i) {
    const Exact angle = position(t, i[0]) / t.real("alpha");
    const bool is_cos = t.is("function", "cos") || (t.is("function", "both") && i[1] == 1);
    return is_cos ? cos(angle) : sin(angle);
}

Exact binary(const Drawn& t, const Index& i) {
    const std::int64_t bit = t.p.flag("highest-first") ? t.whole("bits") - 1 - i[1] : i[1];
    std::int64_t left = t.whole("start") + i[0];
    for (std::int64_t k = 0; k < bit; ++k) left /= t.whole("radix");
    return number(left % t.whole("radix"));
}

Exact power(double base, const Exact& u, const Exact& width) { return pow(base, -u / width); }

Exact two_pi() {
    Exact pi;
    mpfr_const_pi(const_cast<mpfr_ptr>(pi.get()), MPFR_RNDN);
    return pi * 2;
}

Exact formula(const Drawn& t, const Index& i) {
    const std::int64_t q = query_of(t, i), k = i[1];
    if (t.is("value", "exp(-abs(q-k)/8)")) return exp(number(-std::abs(q - k)) / number(8));
    if (t.is("value", "(q-k)^2*0.25+sin(k/3)")) {
        return number((q - k) * (q - k)) * Exact(0.25) + sin(number(k) / number(3));
    }
    if (t.is("value", "where(k>q,-1,sqrt(q-k))")) return k > q ? number(-1) : sqrt(number(q - k));
    if (t.is("value", "log2(q+1)*cos(k*pi/7)")) {
        return log(number(q + 1)) / log(number(2)) * cos(number(k) * two_pi() / number(14));
    }
    return number(((k - q) % 7 + 7) % 7 / 2) - Exact(0.1) * number(q);
}

Exact sinusoid(const Drawn& t, const Index& i) {
    const std::int64_t d = t.whole("d");
    const std::int64_t width = t.is("odd", "zero-pad")   ? d - d % 2
                               : t.is("odd", "round-up") ? d + d % 2
                                                         : d;
    const std::int64_t filled = std::min(d, width), half = (filled + 1) / 2;
    const bool per_channel = t.is("pairing", "per-channel");
    const auto frequency = [&](std::int64_t u) {
        const Exact scale = t.real("freq-scale");
        if (u == 0) return scale;
        return scale * power(t.real("base"), number(u), number(width) - t.real("denom-shift"));
    };
    if (t.table == "frequencies") return frequency(per_channel ? i[0] : 2 * i[0]);
    if (t.table == "wavelengths") {
        return two_pi() / frequency(per_channel ? i[0] : 2 * i[0]);
    }
    const std::int64_t row = i[0] - t.whole("prefix-rows"), c = i[1];
    if (row < 0 || c >= filled) return 0;
    const Exact pos = position(t, row);
    if (t.p.has("zero-row")) {
        // Of equal positions, the first row is zero.
        const auto is_it = [&](std::int64_t r) {
            const Exact difference = position(t, r) - number(t.whole("zero-row"));
            return mpfr_zero_p(difference.get()) != 0;
        };
        bool is_first = is_it(row);
        for (std::int64_t r = 0; r < row && is_first; ++r) is_first = !is_it(r);
        if (is_first) return 0;
    }
    const bool halves = t.is("layout", "halves");
    const bool second = halves ? c >= half : c % 2 == 1;
    const std::int64_t pair = halves ? c % half : c / 2;
    const Exact angle = pos * frequency(per_channel ? c : 2 * pair);
    return wave(t, second, angle) * t.real("out-scale");
}

/// Returns the sine or cosine of channel c for a distance, in the channel order of --layout.
Exact of_distance(const Drawn& t, std::int64_t distance, std::int64_t c) {
    const std::int64_t d = t.whole("d");
    const bool halves = t.is("layout", "halves"), second = halves ? c >= d / 2 : c % 2 == 1;
    const std::int64_t pair = halves ? c % (d / 2) : c / 2;
    const Exact angle = number(distance) * power(t.real("base"), number(2 * pair), number(d));
    return second ? cos(angle) : sin(angle);
}

Exact relative(const Drawn& t, const Index& i) {
    const std::int64_t first = 1 - t.whole("len");
    return of_distance(t, t.is("order", "ascending") ? first + i[0] : -first - i[0], i[1]);
}

Exact transformer_xl(const Drawn& t, const Index& i) {
    const std::int64_t keys = t.whole("len") + t.whole("mem-len");
    std::int64_t distance = (t.is("range", "xlnet") ? keys : keys - 1) - i[0];
    if (t.p.has("clamp")) distance = std::clamp(distance, -t.whole("clamp"), t.whole("clamp"));
    return of_distance(t, distance, i[1]);
}

/// Returns query - key. The queries are the last of the keys.
std::int64_t distance(const Drawn& t, std::int64_t query, std::int64_t key) {
    return query + t.whole("key-len") - t.whole("len") - key;
}

Exact alibi(const Drawn& t, const Index& i) {
    const std::int64_t heads = t.whole("heads") / t.whole("groups"), h = i[0] % heads;
    std::int64_t n = 1;
    while (2 * n <= heads) n *= 2;
    Exact exponent = number(h + 1) / number(heads);
    if (!t.p.has("slope-list") && t.is("slopes", "nearest-power")) {
        exponent = h < n ? number(h + 1) / number(n) : number(2 * (h - n) + 1) / number(2 * n);
    }
    const Exact slope =
        Exact(t.real("out-scale")) *
        (t.p.has("slope-list") ? Exact(t.p.reals("slope-list")[static_cast<std::size_t>(h)])
                               : pow(2, -exponent * t.real("max-bias")));
    if (t.table == "slopes") return slope;
    if (t.p.has("image")) {
        const auto size = fields(t.p.word("image"), 'x');
        const std::int64_t rows = std::stoll(std::string(size.front()));
        const std::int64_t w = std::stoll(std::string(size.back()));
        const std::int64_t before = t.is("prefix", "cls") ? 1 : 0, k = i[2] - before;
        const std::int64_t q = t.table == "row" ? rows * w - 1 : i[1] - before;
        if (q < 0 || k < 0) return 0;
        const std::int64_t dy = std::abs(q / w - k / w), dx = std::abs(q % w - k % w);
        return t.is("form", "manhattan") ? slope * number(-dy - dx)
                                         : -slope * sqrt(number(dy * dy + dx * dx));
    }
    const std::int64_t keys = t.whole("key-len"), k = i[2];
    const std::int64_t query = t.table == "row" ? t.whole("len") - 1 : i[1];
    const std::int64_t offset = -distance(t, query, k);
    if (t.is("form", "key")) return slope * number(t.whole("first-key") + k);
    if (t.is("form", "sqrt")) return -slope * sqrt(number(std::max<std::int64_t>(-offset, 0)));
    if (t.is("form", "last-key")) return slope * number(k - (keys - 1));
    if (t.is("form", "symmetric")) return slope * number(-std::abs(offset));
    if (t.is("form", "causal")) return slope * number(std::min<std::int64_t>(offset, 0));
    return slope * number(offset);
}

Exact gpsa(const Drawn& t, const Index& i) {
    const bool is_offset = t.table == "offsets";
    const std::int64_t w = t.whole("width"), q = i[is_offset ? 0 : 1], k = i[is_offset ? 1 : 2];
    const std::int64_t dx = k % w - q % w, dy = k / w - q / w, square = dx * dx + dy * dy;
    if (is_offset) return number(i[2] == 0 ? dx : i[2] == 1 ? dy : square);
    std::int64_t side = 1;
    while (side * side < t.whole("heads")) ++side;
    const std::int64_t a = 2 * (i[0] / side) - (side - 1), b = 2 * (i[0] % side) - (side - 1);
    return Exact(t.real("locality-strength")) * number(a * dx + b * dy - square);
}

Exact kerple(const Drawn& t, const Index& i) {
    const auto of_head = [&](const char* name) -> Exact {
        const std::vector<double>& list = t.p.reals(name);
        return list.size() == 1 ? list[0] : list[static_cast<std::size_t>(i[0])];
    };
    const std::int64_t r = std::max<std::int64_t>(distance(t, i[1], i[2]), 0);
    if (r == 0) return 0;
    if (t.is("kind", "power")) return -(of_head("a") * pow(number(r), of_head("p")));
    return -(of_head("p") * log(Exact(1) + of_head("a") * number(r)));
}

Exact sandwich(const Drawn& t, const Index& i) {
    const std::int64_t d = t.whole("d"), r = distance(t, i[1], i[2]);
    // The sums are cached, since each distance is asked for many times.
    static std::pair<std::int64_t, double> of;
    static std::map<std::int64_t, Exact> sums;
    if (of != std::pair(d, t.real("base"))) sums.clear();
    of = {d, t.real("base")};
    const auto [known, is_new] = sums.try_emplace(r);
    for (std::int64_t m = 0; is_new && m < d / 2; ++m) {
        const Exact frequency = power(t.real("base"), number(2 * m), number(d));
        known->second = known->second + cos(number(r) * frequency);
    }
    return known->second * number(t.whole("heads")) / number(8 * (i[0] + 1));
}

/// Returns floor or ceil of  steps ln(r / from) / ln(to / from). A result within 2^-500 of a whole
/// number counts as that number.
std::int64_t step(std::int64_t r, std::int64_t from, std::int64_t to, std::int64_t steps,
                  bool is_up) {
    const Exact part =
        number(steps) * log(number(r) / number(from)) / log(number(to) / number(from));
    const Exact rest = is_up ? part - Exact(0x1p-500) : part + Exact(0x1p-500);
    return static_cast<std::int64_t>(
        mpfr_get_si((is_up ? ceil(rest) : floor(rest)).get(), MPFR_RNDN));
}

Exact t5(const Drawn& t, const Index& i) {
    const bool causal = t.p.flag("causal");
    const std::int64_t n = causal ? t.whole("num-buckets") : t.whole("num-buckets") / 2;
    const std::int64_t m = n / 2, most = t.whole("max-distance"), back = distance(t, i[0], i[1]);
    const std::int64_t r = causal ? std::max<std::int64_t>(back, 0) : std::abs(back);
    const std::int64_t bucket = r < m ? r : std::min(m + step(r, m, most, n - m, false), n - 1);
    return number(bucket + (back < 0 && !causal ? n : 0));
}

Exact deberta(const Drawn& t, const Index& i) {
    const std::int64_t n = t.whole("position-buckets"), m = n / 2, most = t.whole("max-position");
    std::int64_t r = t.is("sign", "key-query") ? i[1] - i[0] : i[0] - i[1];
    if (t.p.flag("clamp")) r = std::clamp(r, 1 - most, most - 1);
    std::int64_t bucket = r;
    if (std::abs(r) > m) {
        bucket = (r < 0 ? -1 : 1) * (m + step(std::abs(r), m, most - 1, m - 1, true));
    }
    return number(t.table == "index"
                      ? std::clamp(bucket + n + t.whole("shift"), std::int64_t{0}, 2 * n - 1)
                      : bucket);
}

Exact shaw(const Drawn& t, const Index& i) {
    const std::int64_t back = distance(t, i[0], i[1]), left = t.whole("left"),
                       right = t.whole("right");
    const std::int64_t r = t.is("sign", "key-query") ? -back : back;
    if (t.is("outside", "zero") && (r < -left || r > right)) return -1;
    return number(std::clamp(r, -left, right) + left + t.whole("shift"));
}

/// Returns the residue, number, chain, entity and copy of a token of --chains.
std::array<std::int64_t, 5> ids_of(const Drawn& t, std::int64_t token) {
    std::int64_t place = token, chain = 0, entity = 0;
    if (!t.p.has("chains")) return {token + 1, token, 1, 1, 1};
    for (const std::string_view part : fields(t.p.word("chains"), ',')) {
        const std::vector<std::string_view> numbers = fields(part, 'x');
        const std::int64_t residues = std::stoll(std::string(numbers[0]));
        ++entity;
        for (std::int64_t copy = 0; copy < std::stoll(std::string(numbers.back())); ++copy) {
            if (copy > 0 && numbers.size() == 1) break;
            ++chain;
            if (place < residues) return {place + 1, token, chain, entity, copy + 1};
            place -= residues;
        }
    }
    return {};
}

Exact relpos(const Drawn& t, const Index& i) {
    const std::string_view block = fields(t.p.word("blocks"), ',')[static_cast<std::size_t>(i[0])];
    const auto q = ids_of(t, i[1]), k = ids_of(t, i[2]);
    const bool same_chain = q[2] == k[2], same_entity = q[3] == k[3];
    const std::int64_t sign = t.is("sign", "query-key") ? 1 : -1;
    const auto offset = [&](std::size_t id) { return sign * (q[id] - k[id]); };
    if (block == "entity") {
        if (t.is("entities", "equal")) return number(same_entity ? 1 : 0);
        return number(std::clamp<std::int64_t>(offset(3), -1, 1) + 1);
    }
    const std::vector<std::int64_t>& reach = t.p.integers(block == "residue" ? "max-residue"
                                                          : block == "token" ? "max-token"
                                                                             : "max-chain");
    const bool of_copies = t.is("chain-offsets", "same-entity") ? same_entity : !same_chain;
    const bool has_offset =
        t.is("other", "none") || (block == "residue" ? same_chain
                                  : block == "token" ? same_chain && q[0] == k[0]
                                                     : of_copies);
    const bool is_first = t.is("other", "first");
    if (!has_offset) return number(is_first ? 0 : reach.front() + reach.back() + 1);
    const std::size_t id = block == "residue" ? 0 : block == "token" ? 1 : 4;
    return number(std::clamp(offset(id), -reach.front(), reach.back()) + reach.front() +
                  (is_first ? 1 : 0));
}

Exact segments(const Drawn& t, const Index& i) {
    // The segment of a token, and the first token of the segment.
    const auto segment_of = [&](std::int64_t token) {
        std::int64_t segment = 0, first = 0;
        for (const std::int64_t length : t.p.integers("lengths")) {
            if (token < first + length) break;
            first += length;
            ++segment;
        }
        return std::pair(segment, first);
    };
    if (t.table == "segment") return number(segment_of(i[0]).first);
    if (t.table == "within") {
        const std::int64_t place = i[0] - segment_of(i[0]).second;
        return number(t.p.has("max-within") ? std::min(place, t.whole("max-within") - 1) : place);
    }
    const bool is_same =
        segment_of(i[0]) == segment_of(i[1]) && !(t.p.flag("causal") && i[1] > i[0]);
    if (t.table == "same") return number(is_same ? 1 : 0);
    return is_same ? Exact(0) : Exact(-std::numeric_limits<double>::infinity());
}

Exact swin(const Drawn& t, const Index& i) {
    const std::int64_t h = t.whole("height"), w = t.whole("width");
    const std::int64_t d = t.p.has("depth") ? t.whole("depth") : 1, s = t.whole("query-stride");
    const std::int64_t kh = t.p.has("key-height") ? t.whole("key-height") : h;
    const std::int64_t kw = t.p.has("key-width") ? t.whole("key-width") : w;
    const bool is_absolute = t.is("offsets", "absolute");
    const std::int64_t rows_of_y = is_absolute ? std::max(h, kh) : h + kh - 1;
    const std::int64_t rows_of_x = is_absolute ? std::max(w, kw) : w + kw - 1;
    std::int64_t q = i[0], k = i[1];
    if (t.p.has("prefix") && t.is("prefix", "cls")) {
        const std::int64_t rows = (is_absolute ? d : 2 * d - 1) * rows_of_y * rows_of_x;
        if (q == 0 || k == 0) return number(q == k ? rows + 2 : q == 0 ? rows : rows + 1);
        --q, --k;
    }
    const std::int64_t of_row = (w + s - 1) / s, of_frame = (h + s - 1) / s * of_row;
    std::int64_t dt = q / of_frame - k / (kh * kw);
    std::int64_t dy = q % of_frame / of_row * s - k % (kh * kw) / kw;
    std::int64_t dx = q % of_row * s - k % kw;
    const bool is_reversed = t.is("sign", "key-query");
    if (is_absolute) {
        dt = std::abs(dt), dy = std::abs(dy), dx = std::abs(dx);
    } else {
        dt = (is_reversed ? -dt : dt) + d - 1;
        dy = is_reversed ? h - 1 - dy : kh - 1 + dy;
        dx = is_reversed ? w - 1 - dx : kw - 1 + dx;
    }
    if (t.is("numbering", "hat")) dy -= kh - 2, dx -= kw - 2;
    if (t.is("axes", "xy")) return number((dt * rows_of_x + dx) * rows_of_y + dy);
    return number((dt * rows_of_y + dy) * rows_of_x + dx);
}
Exact swin_v2(const Drawn& t, const Index& i) {
    const std::int64_t h = t.whole("height"), w = t.whole("width");
    const bool is_video = t.p.has("depth");
    const std::int64_t d = is_video ? t.whole("depth") : 1;
    if (t.table == "index") {
        const std::int64_t q = i[0], k = i[1];
        const std::int64_t dt = q / (h * w) - k / (h * w) + d - 1;
        const std::int64_t dy = q / w % h - k / w % h + h - 1;
        return number((dt * (2 * h - 1) + dy) * (2 * w - 1) + q % w - k % w + w - 1);
    }
    const std::vector<std::int64_t> extents = is_video ? std::vector{d, h, w} : std::vector{h, w};
    const auto axis = static_cast<std::size_t>(i.back());
    const std::int64_t own = extents[axis], offset = i[axis] - (own - 1);
    if (t.is("spacing", "linear")) return number(offset);
    if (t.is("spacing", "log")) {
        const Exact size = log(Exact(1) + number(std::abs(offset)));
        return offset < 0 ? -size : size;
    }
    const std::vector<std::string_view> pretrained = fields(t.p.word("pretrained-window"), 'x');
    const std::int64_t extent =
        std::stoll(std::string(pretrained[pretrained.size() == 1 ? 0 : axis]));
    const Exact size =
        log2(Exact(1) + number(8 * std::abs(offset)) / number((extent > 0 ? extent : own) - 1)) / 3;
    return offset < 0 ? -size : size;
}

/// Returns the point t, y, x of a token of a grid; x runs fastest.
Index point(const Drawn& t, std::int64_t token) {
    const std::int64_t w = t.whole("width"), h = t.whole("height");
    return {token / (w * h), token / w % h, token % w};
}

/// Returns the numbers after the name, which colons or commas separate.
std::vector<double> numbers(std::string_view text, char by) {
    std::vector<double> all;
    for (const std::string_view part : fields(text, by)) {
        if (!part.empty() && (std::isalpha(static_cast<unsigned char>(part[0])) == 0)) {
            all.push_back(std::stod(std::string(part)));
        }
    }
    return all;
}

Exact coordinate(const Drawn& t, std::int64_t i, std::int64_t n) {
    const std::string& text = t.p.word("coords");
    const std::vector<double> by = numbers(text, ':');
    if (text.starts_with("center")) return number(2 * i + 1 - n) * by[0] / number(n);
    if (n == 1) return by[0];
    return by[0] + (Exact(by[1]) - by[0]) * number(i) / number(n - 1);
}

/// Returns the axis, the frequency and the function of a channel, in the order of --order.
std::array<std::int64_t, 3> nested(const Drawn& t, std::int64_t c, std::int64_t axes,
                                   std::int64_t frequencies) {
    std::array<std::int64_t, 3> digits{};
    const std::string& order = t.p.word("order");
    for (std::size_t digit = 3; digit-- > 0;) {
        const char kind = order[digit];
        const std::int64_t size = kind == 'a' ? axes : kind == 'k' ? frequencies : 2;
        digits[kind == 'a' ? 0 : kind == 'k' ? 1 : 2] = c % size;
        c /= size;
    }
    return digits;
}

constexpr std::string_view all_axes = "tyx";
constexpr std::array extents{"depth", "height", "width"};

/// Returns the number of channels of each axis of grid: given as numbers, as parts of d, or as the
/// rest.
Index split_shares(std::string_view text, std::int64_t d) {
    Index shares;
    std::int64_t left = d;
    std::size_t rest = std::string::npos;
    for (const std::string_view part : fields(text, ',')) {
        const std::size_t slash = part.find('/');
        std::int64_t share = 0;
        if (part == "rest") {
            rest = shares.size();
        } else {
            share = std::stoll(std::string(part));
            if (slash != part.npos) {
                share = share * d / std::stoll(std::string(part.substr(slash + 1)));
                if (text.find("rest") != text.npos) share -= share % 2;
            }
        }
        left -= share;
        shares.push_back(share);
    }
    if (rest != std::string::npos) shares[rest] = left;
    return shares;
}

Exact grid(const Drawn& t, const Index& i) {
    const bool is_video = t.p.has("depth");
    const std::string usual = is_video ? "tyx" : "yx";
    const std::string axes = t.p.has("axes") ? t.p.word("axes") : usual;
    const std::int64_t count = std::ssize(axes), d = t.whole("d");
    Index shares(static_cast<std::size_t>(count), d / count);
    if (!t.is("split", "equal")) shares = split_shares(t.p.word("split"), d);
    const auto is_odd = [](std::int64_t share) { return share % 2 != 0; };
    if (std::ranges::any_of(shares, is_odd) ||
        std::accumulate(shares.begin(), shares.end(), std::int64_t{0}) != d) {
        throw UsageError("no formula here");
    }
    std::int64_t token = i[0] - t.whole("prefix-rows");
    if (token < 0) return 0;
    if (t.is("tokens", "column")) {
        const std::int64_t h = t.whole("height"), w = t.whole("width"), in_frame = token % (h * w);
        token += in_frame % h * w + in_frame / h - in_frame;
    }
    const Index at =
        is_video ? point(t, token) : Index{0, token / t.whole("width"), token % t.whole("width")};
    const auto share_of = [&](std::int64_t a) {
        return shares[usual.find(axes[static_cast<std::size_t>(a)])];
    };
    std::int64_t before = 0, c = i[1];
    if (!t.is("split", "equal")) {
        while (c >= share_of(before)) c -= share_of(before++);
    }
    const bool is_split = !t.is("split", "equal");
    auto [a, k, f] = nested(t, c, is_split ? 1 : count, share_of(before) / 2);
    a += before;
    const char axis = axes[static_cast<std::size_t>(a)];
    const auto of_axis = [&](const char* name) {
        const std::vector<double>& list = t.p.reals(name);
        return list.size() == 1 ? list[0] : list[usual.find(axis)];
    };
    const double place =
        std::fma(of_axis("step"), static_cast<double>(at[all_axes.find(axis)]), of_axis("start"));
    Exact frequency = t.real("freq-scale");
    if (k > 0) {
        frequency = frequency * power(of_axis("base"), number(2 * k),
                                      number(share_of(a)) - t.real("denom-shift"));
    }
    return wave(t, f == 1, place * frequency) * t.real("out-scale");
}

Exact fourier(const Drawn& t, const Index& i) {
    const std::string& text = t.p.word("freqs");
    const std::vector<double> by = numbers(text, text.find(':') == text.npos ? ',' : ':');
    std::vector<Exact> nu;
    const auto add = [&](std::int64_t first, std::int64_t end, const auto& of) {
        for (std::int64_t k = first; k < end; ++k) nu.push_back(of(number(k)));
    };
    const auto whole = [](double x) { return static_cast<std::int64_t>(x); };
    if (text.starts_with("pow2")) {
        add(by.size() == 2 ? whole(by[0]) : 0, whole(by.back()),
            [](const Exact& k) { return pow(2, k); });
    } else if (text.starts_with("linear")) {
        add(0, whole(by[2]), [&](const Exact& k) {
            return by[0] + (Exact(by[1]) - by[0]) * k / std::max(by[2] - 1, 1.0);
        });
    } else if (text.starts_with("geometric")) {
        add(0, whole(by[1]), [&](const Exact& k) { return pow(by[0], k / by[1]); });
    } else {
        for (const double frequency : by) nu.emplace_back(frequency);
    }
    // The axes of the channels: --axes, or those of the points.
    const std::string axes = t.p.word("axes");
    const std::int64_t count = std::ssize(axes), frequencies = std::ssize(nu);
    const bool each = t.is("raw", "after-each"), before = t.is("raw", "before");
    const Index at = point(t, i[0]);
    const auto x = [&](std::int64_t a) {
        const char axis = axes[static_cast<std::size_t>(a)];
        const std::size_t rank = all_axes.find(axis);
        return coordinate(t, at[rank], t.whole(extents[rank]));
    };
    std::int64_t c = i[1];
    if (before && c < count) return x(c);
    if (before) c -= count;
    if (!each && c >= 2 * count * frequencies) return x(c - 2 * count * frequencies);
    if (each) {
        const std::int64_t a = c / (2 * frequencies + 1), rest = c % (2 * frequencies + 1);
        if (rest == 2 * frequencies) return x(a);
        c -= a;
    }
    const auto digits = nested(t, c, count, frequencies);
    const Exact angle =
        x(digits[0]) * t.real("freq-scale") * nu[static_cast<std::size_t>(digits[1])];
    return wave(t, digits[2] == 1, angle);
}

/// The tables of pairs that turn by an angle: which pair a channel has, by --layout.
Exact turned(const Drawn& t, const Exact& position, const std::function<Exact(std::int64_t)>& w,
             std::int64_t pairs, const Index& i, const Exact& factor = 1) {
    const auto pair_of = [&](std::int64_t c) {
        return t.is("layout", "interleaved") ? c / 2 : c % pairs;
    };
    const auto wave_of = [&](bool is_sin, std::int64_t m) {
        const Exact angle = position * w(m);
        return (is_sin ? sin(angle) : cos(angle)) * factor;
    };
    if (t.table == "cos" || t.table == "sin") return wave_of(t.table == "sin", pair_of(i[1]));
    if (t.table == "signed-sin") {
        const char* const form = t.is("layout", "single") ? "pairing" : "layout";
        const bool are_neighbours = t.is(form, "interleaved");
        const bool is_second = are_neighbours ? i[1] % 2 == 1 : i[1] >= pairs;
        const Exact wave = wave_of(true, are_neighbours ? i[1] / 2 : i[1] % pairs);
        return is_second ? wave : -wave;
    }
    if (t.table == "angles") return position * w(i[1]);
    if (t.table == "inv-freq") return w(i[0]);
    if (t.table == "wavelengths") return two_pi() / w(i[0]);
    if (t.table == "freqs-cis") return wave_of(i[2] == 1, i[1]);
    if (t.table == "sin-cos") return wave_of(i[1] < pairs, i[1] % pairs);
    if (t.table == "cos-sin") return wave_of(i[1] >= pairs, i[1] % pairs);
    const bool is_upper = i[i.size() - 2] < i.back(), is_diagonal = i[i.size() - 2] == i.back();
    if (t.table == "matrices") {
        const Exact value = wave_of(!is_diagonal, i[1]);
        return is_upper ? -value : value;
    }
    // rotation
    const bool half = t.is("pairing", "half");
    const auto pair = [&](std::int64_t c) { return half ? c % pairs : c / 2; };
    if (pair(i[1]) != pair(i[2])) return 0;
    const Exact value = wave_of(!is_diagonal, pair(i[1]));
    return is_upper ? -value : value;
}

/// Returns the weight with which the frequency of a pair is divided: a ramp from the pair that
/// makes `fast` turns to the pair that makes `slow` turns.
Exact ramp(const Drawn& t, std::int64_t m, double fast, double slow, bool truncate) {
    const std::int64_t r = t.whole("rotary-dim");
    const auto pair_of = [&](double turns) {
        const Exact length = number(t.whole("original-max-position-embeddings"));
        return number(r) * log(length / (two_pi() * turns)) / (log(Exact(t.real("base"))) * 2);
    };
    Exact low = pair_of(fast), high = pair_of(slow);
    if (truncate) low = floor(low), high = ceil(high);
    if (low < 0) low = 0;
    if (number(r - 1) < high) high = number(r - 1);
    if (!(low < high) && !(high < low)) high = high + 0.001;
    const Exact share = (number(m) - low) / (high - low);
    return share < 0 ? Exact(0) : Exact(1) < share ? Exact(1) : share;
}

/// The frequency of a pair by --scaling.
Exact scaled(const Drawn& t, std::int64_t m) {
    const std::int64_t r = t.whole("rotary-dim");
    const Exact base = t.real("base");
    const auto with_base = [&](const Exact& b) { return pow(b, number(-2 * m) / number(r)); };
    const auto stretched = [&](const Exact& by) {
        return with_base(base * pow(by, number(r) / number(r - 2)));
    };
    const auto mixed = [](const Exact& a, const Exact& b, const Exact& share) {
        return a + (b - a) * share;
    };
    const Exact w = with_base(base);
    const Exact f = t.p.has("factor") ? t.real("factor") : 1;
    if (t.is("scaling", "none")) return w;
    if (t.is("scaling", "linear")) return w / f;
    if (t.is("scaling", "ntk")) return stretched(f);
    if (t.is("scaling", "dynamic")) {
        const std::int64_t longest = t.whole("max-position-embeddings");
        const Exact n = number(std::max(t.whole("seq-len"), longest));
        return stretched(f * n / number(longest) - (f - 1));
    }
    if (t.is("scaling", "part-ntk")) {
        const Exact both = mixed(stretched(f), w / f, ramp(t, m, 1.25, 0.75, true));
        return mixed(w, both, ramp(t, m, 16, 2, true));
    }
    if (t.is("scaling", "yarn")) {
        const bool truncate = !t.p.flag("no-truncate");
        return mixed(w, w / f, ramp(t, m, t.real("beta-fast"), t.real("beta-slow"), truncate));
    }
    if (t.is("scaling", "longrope")) {
        const bool is_long = t.whole("seq-len") > t.whole("original-max-position-embeddings");
        return w / t.p.reals(is_long ? "long-factor" : "short-factor")[static_cast<std::size_t>(m)];
    }
    if (t.is("scaling", "llama3")) {
        const Exact turns = number(t.whole("original-max-position-embeddings")) * w / two_pi();
        const Exact low = t.real("low-freq-factor"), high = t.real("high-freq-factor");
        if (high < turns) return w;
        if (!(low < turns)) return w / f;
        return mixed(w / f, w, (turns - low) / (high - low));
    }
    // proportional
    return number(2 * m + 2) < t.real("partial-rotary-factor") * number(r) + Exact(0x1p-500)
               ? w / f
               : Exact(0);
}

/// The double nearest to the attention factor.
double attention_factor(const Drawn& t) {
    if (t.p.given("attention-factor")) return t.real("attention-factor");
    const bool is_yarn = t.is("scaling", "yarn"), is_longrope = t.is("scaling", "longrope");
    if ((!is_yarn && !is_longrope) || t.real("factor") <= 1) return 1;
    const Exact growth = log(Exact(t.real("factor")));
    if (is_longrope) {
        const Exact length = number(t.whole("original-max-position-embeddings"));
        return mpfr_get_d(sqrt(Exact(1) + growth / log(length)).get(), MPFR_RNDN);
    }
    const auto of = [&](double mscale) { return growth * mscale * 0.1 + 1; };
    const auto is_given = [&](const char* name) { return t.p.has(name) && t.real(name) != 0; };
    const bool both = is_given("mscale") && is_given("mscale-all-dim");
    const Exact factor = both ? of(t.real("mscale")) / of(t.real("mscale-all-dim")) : of(1);
    return mpfr_get_d(factor.get(), MPFR_RNDN);
}

Exact rope(const Drawn& t, const Index& i) {
    const bool has_positions = t.table != "inv-freq" && t.table != "wavelengths";
    return turned(
        t, has_positions ? position(t, i[0]) : Exact(),
        [&](std::int64_t m) { return scaled(t, m); }, t.whole("rotary-dim") / 2, i,
        attention_factor(t));
}

/// Returns the tokens of an image as places (y, x), in the order of --window and --merge.
std::vector<std::array<std::int64_t, 2>> ordered(const Drawn& t) {
    const std::int64_t h = t.whole("height"), w = t.whole("width"), merge = t.whole("merge");
    const std::int64_t window = t.whole("window");
    std::vector<std::array<std::int64_t, 2>> tokens;
    for (std::int64_t y = 0; y < h; ++y) {
        for (std::int64_t x = 0; x < w; ++x) tokens.push_back({y, x});
    }
    const auto key = [&](const std::array<std::int64_t, 2>& at) {
        const auto [y, x] = at;
        const std::int64_t wy = window > 0 ? y / window : 0, wx = window > 0 ? x / window : 0;
        const std::int64_t in_y = y - wy * window, in_x = x - wx * window;
        return std::array{wy, wx, in_y / merge, in_x / merge, in_y, in_x};
    };
    std::ranges::sort(tokens, {}, key);
    return tokens;
}

/// Returns `count` numbers that are drawn between 0 and 1 with the seed of the table.
std::vector<double> uniform_numbers(const Drawn& t, std::int64_t count) {
    const Encoding& encoding = *find_encoding("learned");
    Parameters p(encoding.parameters);
    p.resolve("len", std::int64_t{1});
    p.resolve("d", count);
    p.resolve("init", std::string("uniform:0,1"));
    p.resolve("seed", t.whole("seed"));
    const Table numbers = make_table(encoding, encoding.tables.front(), p, DType::float64);
    return read_rows(numbers, {0, numbers.shape.rows()});
}

Exact rope_grid(const Drawn& t, const Index& i) {
    const bool is_video = t.p.has("depth");
    const std::string usual = is_video ? "tyx" : "yx";
    const std::string axes = t.p.has("axes") ? t.p.word("axes") : usual;
    const std::int64_t d = t.whole("d"), count = std::ssize(axes), still = t.whole("unrotated") / 2;
    const std::int64_t pairs = d / 2 - still, in_front = t.is("unrotated-at", "front") ? still : 0;
    const auto of_axis = [&](const char* name, char axis) {
        const std::vector<double>& list = t.p.reals(name);
        return list.size() == 1 ? list[0] : list[usual.find(axis)];
    };
    const auto pairs_of = [&](char axis) {
        if (!t.p.has("split")) return pairs / count;
        return t.p.integers("split")[usual.find(axis)] / 2;
    };
    const auto extent = [&](char axis) { return t.whole(extents[all_axes.find(axis)]); };

    // The place of the row's token. Rows around the grid are not rotated.
    static std::array<std::int64_t, 4> of{};
    static std::vector<std::array<std::int64_t, 2>> tokens;
    const std::array<std::int64_t, 4> now{t.whole("height"), t.whole("width"), t.whole("merge"),
                                          t.whole("window")};
    if (std::exchange(of, now) != now || tokens.empty()) tokens = ordered(t);
    const bool has_tokens = t.table != "inv-freq" && t.table != "wavelengths";
    const std::int64_t zeros = has_tokens ? t.whole("prefix-rows") : 0;
    if (i[0] < zeros) return 0;
    const std::int64_t row = has_tokens ? i[0] - zeros - t.whole("prefix-tokens") : 0;
    const std::int64_t size = std::ssize(tokens), frames = is_video ? t.whole("depth") : 1;
    const bool is_around = row < 0 || row >= size * frames;
    const auto coordinate_of = [&](char axis) -> Exact {
        const auto [y, x] = tokens[static_cast<std::size_t>(is_around ? 0 : row % size)];
        const std::int64_t at = axis == 't' ? row / size : axis == 'y' ? y : x;
        std::int64_t n = extent(axis);
        Exact c;
        if (t.is("coords", "index")) {
            c = std::fma(of_axis("step", axis), static_cast<double>(at), of_axis("start", axis));
        } else if (t.is("coords", "linspace")) {
            c = n == 1 ? Exact(-1) : number(2 * at) / number(n - 1) - 1;
        } else {
            for (const char other : usual) {
                if (t.is("normalize", "max")) n = std::max(n, extent(other));
                if (t.is("normalize", "min")) n = std::min(n, extent(other));
            }
            c = number(2 * at + 1) / number(n) - 1;
        }
        if (!t.p.has("ref-extent")) return c;
        return c * of_axis("ref-extent", axis) / number(extent(axis));
    };

    // Finds the axis of a pair, and counts the pairs of earlier axes.
    const auto angle_of = [&](std::int64_t pair_of_head, bool only_frequency) -> Exact {
        const std::int64_t pair = pair_of_head - in_front;
        if (pair < 0 || pair >= pairs) return 0;
        std::size_t a = 0;
        std::int64_t before = 0;
        while (pair - before >= pairs_of(axes[a])) before += pairs_of(axes[a++]);
        std::int64_t k = pair - before;
        if (t.is("order", "ka")) {
            a = static_cast<std::size_t>(pair % count), k = pair / count;
            before = static_cast<std::int64_t>(a) * pairs_of(axes[a]);
        }
        const std::int64_t own = pairs_of(axes[a]);
        const auto frequency = [&]() -> Exact {
            const Exact from = t.p.has("freqs") ? t.p.reals("freqs")[0] : 0;
            const Exact to = t.p.has("freqs") ? t.p.reals("freqs")[1] : 0;
            const Exact part = own == 1 ? Exact(0) : number(k) / number(own - 1);
            if (t.is("spectrum", "linear")) return from + (to - from) * part;
            if (t.is("spectrum", "geometric")) return from * pow(to / from, part);
            const double base = of_axis("base", axes[a]);
            if (t.is("spectrum", "own")) return power(base, number(k), number(own));
            const std::int64_t m =
                t.is("spectrum", "strided") ? count * k + static_cast<std::int64_t>(a) : before + k;
            return power(base, number(m), number(pairs));
        };
        const Exact w = frequency() * t.real("freq-scale");
        return only_frequency ? w : is_around ? Exact(0) : coordinate_of(axes[a]) * w;
    };
    const auto wave_of = [&](bool is_sin, std::int64_t pair) {
        const Exact angle = angle_of(pair, false);
        return is_sin ? sin(angle) : cos(angle);
    };
    if (t.table == "inv-freq") return angle_of(i[0], true);
    if (t.table == "wavelengths") return two_pi() / angle_of(i[0], true);
    if (t.table == "angles") return angle_of(i[1], false);
    if (t.table == "freqs-cis") return wave_of(i[2] == 1, i[1]);
    if (t.table == "matrices") {
        const Exact value = wave_of(i[2] != i[3], i[1]);
        return i[2] < i[3] ? -value : value;
    }
    const std::int64_t columns = t.is("layout", "single") ? d / 2 : d, c = i[1] % columns;
    const bool is_sin = t.table == "sin" || (t.table == "sin-cos" && i[1] < columns);
    if (!t.is("layout", "axis-half")) {
        return wave_of(is_sin, t.is("layout", "interleaved") ? c / 2 : c % (d / 2));
    }
    std::size_t a = 0;
    std::int64_t before = in_front;
    if (c / 2 < in_front || c / 2 >= in_front + pairs) return wave_of(is_sin, c / 2);
    while (c / 2 - before >= pairs_of(axes[a])) before += pairs_of(axes[a++]);
    return wave_of(is_sin, before + (c - 2 * before) % pairs_of(axes[a]));
}

Exact rope_mixed(const Drawn& t, const Index& i) {
    const std::string axes = t.p.word("axes");
    const std::int64_t d = t.whole("d"), heads = t.whole("heads");
    // Values of one table are asked for in succession, so the last numbers are cached.
    static std::string last;
    static std::vector<double> turns;
    const std::string now = fmt::format("{} {}", heads, t.whole("seed"));
    if (std::exchange(last, now) != now) turns = uniform_numbers(t, heads);
    const auto frequency = [&](std::int64_t a, std::int64_t head, std::int64_t pair) {
        const Exact angle = two_pi() * turns[static_cast<std::size_t>(head)] +
                            (pair < d / 4 ? Exact(0) : two_pi() / 4);
        const Exact size = power(t.real("base"), number(4 * (pair % (d / 4))), number(d));
        const Exact exact = size * (a == 0 ? cos(angle) : sin(angle));
        return Exact(exhaustive::nearest(DType::float64, exact.get()));
    };
    if (t.table == "inv-freq") return frequency(i[0], i[1], i[2]);
    const std::int64_t width = t.whole("width");
    Exact angle = 0;
    for (std::int64_t a = 0; a < 2; ++a) {
        const std::size_t of_axis = axes[static_cast<std::size_t>(a)] == 'x' ? 1 : 0;
        const std::int64_t at = of_axis == 1 ? i[1] % width : i[1] / width;
        const auto listed = [&](const char* name) {
            const std::vector<double>& list = t.p.reals(name);
            return list[list.size() == 1 ? 0 : of_axis];
        };
        const std::int64_t pair = t.table == "freqs-cis"          ? i[2]
                                  : t.is("layout", "interleaved") ? i[2] / 2
                                                                  : i[2] % (d / 2);
        angle = angle + std::fma(listed("step"), static_cast<double>(at), listed("start")) *
                            frequency(a, i[0], pair);
    }
    const bool is_sin = t.table == "sin" || (t.table == "freqs-cis" && i[3] == 1);
    return is_sin ? sin(angle) : cos(angle);
}

Exact detr(const Drawn& t, const Index& i) {
    const bool is_video = t.p.has("frames");
    const std::string usual = is_video ? "tyx" : "yx";
    const std::string axes = t.p.has("axes") ? t.p.word("axes") : usual;
    const std::int64_t n = t.whole("num-pos-feats"), x = i.back(), y = i[i.size() - 2];
    std::int64_t h = t.whole("height"), w = t.whole("width");
    if (t.p.has("valid")) {
        const std::string size(fields(t.p.word("valid"), ',')[static_cast<std::size_t>(i[0])]);
        h = std::stoll(size), w = std::stoll(size.substr(size.find('x') + 1));
    }
    const std::int64_t channel = i[i.size() - 3], c = channel % n;
    const char axis = axes[static_cast<std::size_t>(channel / n)];
    std::int64_t count = 0, last = 0;
    if (axis == 'y' && x < w) count = std::min(y + 1, h), last = h;
    if (axis == 'x' && y < h) count = std::min(x + 1, w), last = w;
    if (axis == 't' && x < w && y < h) count = i[1] + 1, last = t.whole("frames");
    auto place = static_cast<double>(count);
    if (t.p.flag("normalize")) {
        place += t.real("offset");
        place /= static_cast<double>(last) + t.real("eps");
        place *= t.real("scale");
    }
    const bool halves = t.is("layout", "halves"), second = halves ? c >= (n + 1) / 2 : c % 2 == 1;
    const std::int64_t pair = halves ? c % ((n + 1) / 2) : c / 2;
    const std::vector<double>& all = t.p.reals("temperature");
    const double temperature = all.size() == 1 ? all[0] : all[usual.find(axis)];
    const Exact angle =
        place *
        power(temperature, number(t.is("pairing", "per-channel") ? c : 2 * pair), number(n));
    return second ? cos(angle) : sin(angle);
}

/// Returns the exact result of an operation rounded to float32.
Exact single(const Exact& exact) { return exhaustive::nearest(DType::float32, exact.get()); }

/// Returns the value as flash-attention computes it, with every operation rounded to float32.
Exact xpos_of_float32(const Drawn& t, const Index& i, std::int64_t m) {
    const std::int64_t d = t.whole("d");
    const Exact part = single(number(2 * m) / number(d));
    const Exact w = single(Exact(1) / single(pow(single(t.real("base")), part)));
    const Exact angle = single(number(i[0]) * w);
    const Exact share = single(Exact(t.real("gamma")) * number(d));
    const Exact zeta = single(single(number(2 * m) + share) / single(number(d) + share));
    const Exact e = single(single(number(i[0]) - t.real("centre")) / single(t.real("scale-base")));
    const Exact scale = single(pow(zeta, e));
    if (t.table == "scale") return scale;
    const Exact wave = single(t.table.starts_with("cos") ? cos(angle) : sin(angle));
    return single(t.table.ends_with("-k") ? wave / scale : wave * scale);
}

Exact xpos(const Drawn& t, const Index& i) {
    const std::int64_t d = t.whole("d");
    const std::int64_t m = t.table == "scale"              ? i[1]
                           : t.is("layout", "interleaved") ? i[1] / 2
                                                           : i[1] % (d / 2);
    if (t.is("arith", "float32")) return xpos_of_float32(t, i, m);
    const Exact gamma = t.real("gamma");
    const Exact zeta = (number(2 * m) / number(d) + gamma) / (gamma + 1);
    const Exact e = (number(i[0]) - t.real("centre")) / t.real("scale-base");
    const Exact scale = pow(zeta, t.table.ends_with("-k") ? -e : e);
    if (t.table == "scale") return scale;
    const Exact angle = number(i[0]) * power(t.real("base"), number(2 * m), number(d));
    return (t.table.starts_with("cos") ? cos(angle) : sin(angle)) * scale;
}

Exact mrope(const Drawn& t, const Index& i) {
    const std::int64_t d = t.whole("d"), pairs = d / 2;
    std::int64_t token = t.table == "ids" ? i[1] : i[0], start = 0;
    Index at;
    for (const std::string_view part : fields(t.p.word("sequence"), ',')) {
        const bool is_text = part.starts_with("text");
        Index size;
        for (const std::string_view extent : fields(part.substr(part.find(':') + 1), 'x')) {
            size.push_back(std::stoll(std::string(extent)));
        }
        while (size.size() < 3) size.insert(size.begin(), 1);
        const std::int64_t tokens = size[0] * size[1] * size[2];
        if (token < tokens) {
            at = {token / (size[1] * size[2]), token / size[2] % size[1], token % size[2]};
            at[0] = static_cast<std::int64_t>(
                std::floor(t.real("frame-step") * static_cast<double>(at[0])));
            if (is_text) at = {token, token, token};
            for (std::int64_t& x : at) x += start;
            break;
        }
        token -= tokens;
        const std::int64_t side = std::max(size[1], size[2]);
        const auto last = static_cast<std::int64_t>(
            std::floor(t.real("frame-step") * static_cast<double>(size[0] - 1)));
        start += t.is("next", "max") ? std::max(last + 1, side) : side;
    }
    if (t.table == "ids") return number(at[static_cast<std::size_t>(i[0])]);
    const std::vector<std::int64_t>& sections = t.p.integers("sections");
    const std::int64_t c = i[1];
    const std::int64_t m = t.table == "freqs-cis"          ? c
                           : t.is("layout", "interleaved") ? c / 2
                                                           : c % pairs;
    std::size_t axis = m < sections[0] ? 0 : m < sections[0] + sections[1] ? 1 : 2;
    if (t.is("order", "interleaved")) {
        axis = static_cast<std::size_t>(m % 3);
        if (m / 3 >= sections[axis]) axis = 0;
    }
    if (t.is("order", "alternating")) {
        axis = m >= 2 * sections[1] ? 0 : 1 + static_cast<std::size_t>(m % 2);
    }
    const auto w = [&](std::int64_t pair) {
        return power(t.real("base"), number(2 * pair), number(d));
    };
    return turned(t, number(at[axis]), w, pairs, i);
}

/// Returns the drawn numbers, which another table of the same command holds.
std::vector<double> drawn_numbers(const Drawn& t, std::string_view table) {
    const Encoding& encoding = *find_encoding("random-fourier");
    const Table numbers = make_table(encoding, *find_table(encoding, table), t.p, DType::float64);
    return read_rows(numbers, {0, numbers.shape.rows()});
}

Exact random_fourier(const Drawn& t, const Index& i) {
    // Values of one table are asked for in succession, so the last numbers are cached.
    static std::string last;
    static std::vector<double> weights, phases;
    std::string key;
    for (const Parameters::Entry& entry : t.p.entries()) key += to_string(entry) + " ";
    if (key != last) {
        weights = drawn_numbers(t, "weights");
        phases = t.is("phase-init", "none") ? std::vector<double>{} : drawn_numbers(t, "phases");
        last = key;
    }
    const std::string axes = t.p.word("axes");
    const std::int64_t count = std::ssize(axes), n = std::ssize(weights) / count;
    const bool both = t.is("function", "both");
    const Index at = axes == "x" ? Index{0, 0, i[0]}
                     : axes.find('t') != axes.npos
                         ? point(t, i[0])
                         : Index{0, i[0] / t.whole("width"), i[0] % t.whole("width")};
    const auto x = [&](std::int64_t a) {
        const std::size_t rank = all_axes.find(axes[static_cast<std::size_t>(a)]);
        return coordinate(t, at[rank], t.whole(extents[rank]));
    };
    std::int64_t c = i[1];
    const std::int64_t waves = both ? 2 * n : n;
    if (t.is("raw", "before") && c < count) return x(c);
    if (t.is("raw", "before")) c -= count;
    if (c >= waves) return x(c - waves);
    const bool halves = t.is("layout", "halves");
    const std::int64_t k = !both ? c : halves ? c % n : c / 2;
    Exact sum = phases.empty() ? Exact() : Exact(phases[static_cast<std::size_t>(k)]);
    for (std::int64_t a = 0; a < count; ++a) {
        sum = sum + x(a) * weights[static_cast<std::size_t>(a * n + k)];
    }
    const Exact angle = sum * t.real("freq-scale");
    if (!both) return t.is("function", "sin") ? sin(angle) : cos(angle);
    return wave(t, halves ? c >= n : c % 2 == 1, angle);
}

/// The formula of an encoding, written from its page. `tables` are the tables it is for; "" means
/// all.
struct Formula {
    std::string_view encoding;
    Exact (*at)(const Drawn&, const Index&);
    std::string_view tables = "";
};

constexpr std::array formulas{
    Formula{"alibi", alibi},
    Formula{"binary", binary},
    Formula{"buckets", buckets, "index"},
    Formula{"deberta", deberta},
    Formula{"detr", detr},
    Formula{"formula", formula},
    Formula{"fourier", fourier},
    Formula{"gpsa", gpsa},
    Formula{"grid", grid},
    Formula{"index", index},
    Formula{"kerple", kerple},
    Formula{"mrope", mrope, "cos sin freqs-cis ids"},
    Formula{"normalized", normalized},
    Formula{"periodic", periodic},
    Formula{"random-fourier", random_fourier, "encoding"},
    Formula{"relative", relative},
    Formula{"relpos", relpos, "index"},
    Formula{"rope", rope},
    Formula{"rope-grid", rope_grid},
    Formula{"rope-mixed", rope_mixed},
    Formula{"sandwich", sandwich},
    Formula{"segments", segments, "same mask segment within"},
    Formula{"shaw", shaw, "index"},
    Formula{"sinusoid", sinusoid},
    Formula{"swin", swin, "index"},
    Formula{"swin-v2", swin_v2, "coords index"},
    Formula{"t5", t5, "bucket"},
    Formula{"transformer-xl", transformer_xl},
    Formula{"xpos", xpos},
};

/// Encodings without a formula here: drawn numbers, which tests of their own check bit by bit, and
/// fire, whose bound test_fire.cpp checks.
constexpr std::string_view without_formula = "fire learned learned-grid";

/// Options that leave out values, or rearrange or spoil them, get their defaults.
constexpr std::string_view fixed = "keep-channels arith standardize mask config layer-type";

/// True if the option gets its default. Only xpos has a formula of float32 arithmetic.
bool is_fixed_of(const Encoding& encoding, std::string_view name) {
    return std::ranges::count(words(fixed), name) > 0 &&
           !(encoding.name == "xpos" && name == "arith");
}

/// Gives half of the numbers three more decimals, and texts of coordinates and frequencies decimals
/// of their own.
void vary(Parameters& p, std::mt19937_64& random) {
    const auto any = [&](double low, double high) {
        return std::uniform_real_distribution(low, high)(random);
    };
    for (const char* name : {"base", "freq-scale", "out-scale", "alpha", "max-bias", "start",
                             "step", "factor", "gamma", "scale-base"}) {
        const bool is_here = std::ranges::any_of(p.entries(), [&](const Parameters::Entry& entry) {
            return entry.spec->name == name && entry.spec->type == ParameterType::real;
        });
        if (!is_here || !p.has(name) || any(0, 1) < 0.5) continue;
        if (!std::holds_alternative<double>(p.value(name))) continue;
        p.set(name, fmt::format("{:.5g}", p.real(name) * any(0.8, 1.25)), Origin::user);
    }
    for (const Parameters::Entry& entry : std::vector(p.entries())) {
        if (entry.spec->name == "coords" && entry.spec->type == ParameterType::text &&
            any(0, 1) < 0.7) {
            p.set("coords",
                  any(0, 1) < 0.5 ? fmt::format("center:{:.3g}", any(-3, 3))
                                  : fmt::format("linspace:{:.3g}:{:.2g}", any(-3, 3), any(-9, 9)),
                  Origin::user);
        }
        if (entry.spec->name == "freqs" && entry.spec->type == ParameterType::text &&
            any(0, 1) < 0.5) {
            p.set("freqs", fmt::format("linear:{:.3g}:{:.3g}:7", any(-2, 2), any(0, 40)),
                  Origin::user);
        }
    }
}

bool is_view(const Parameters::Entry& entry) { return entry.spec->name == "view"; }

/// Returns the extents in the default view, for which the formulas are written.
Index usual_extents(const trials::Command& command) {
    Parameters p = command.parameters;
    const auto view = std::ranges::find_if(p.entries(), is_view);
    if (view != p.entries().end()) p.set("view", view->spec->default_value, Origin::user);
    p.evaluate_expressions();
    return command.encoding->plan(p, command.table->name).shape.extents();
}

void compare(Tally& tally, const Formula& formula, const trials::Command& command,
             const Parameters& resolved, std::int64_t most) {
    const Table table = trials::made_by(command);
    const Drawn drawn{resolved, command.table->name, table.shape};
    const std::vector<double> values = read_rows(table, {0, table.shape.rows()});
    const Index usual = usual_extents(command);
    // Channels come first only if there are channels: --view leaves the table angles as it is.
    const Index own = table.shape.extents();
    const bool is_transposed = own.size() > 1 && find_axis(table.axes, AxisKind::channel) == 0;
    // A step that has no common divisor with the number of values reaches all columns.
    std::size_t every = std::max<std::size_t>(1, values.size() / static_cast<std::size_t>(most));
    while (std::gcd(every, values.size()) > 1) ++every;
    for (std::size_t i = 0; i < values.size(); i += every) {
        auto n = static_cast<std::int64_t>(i);
        if (is_transposed) {
            const std::int64_t rows = std::ssize(values) / own[0];
            n = n % rows * own[0] + n / rows;
        }
        const Index at = index_of(n, usual);
        const Exact exact = without_roundings(formula.at(drawn, at));
        const double expected = is_floating(table.dtype)
                                    ? exhaustive::nearest(table.dtype, exact.get())
                                    : mpfr_get_d(exact.get(), MPFR_RNDN);
        ++tally.values;
        if (values[i] == expected) continue;
        if (tally.wrong++ > 0) continue;
        tally.first_wrong =
            fmt::format("{} ({}) element {}: {} is not {}", trials::text_of(command),
                        info(table.dtype).name, i, values[i], expected);
    }
    ++tally.tables;
}

/// The parameters for pairs of choices: small extents, and the values that a choice needs.
constexpr std::array<std::pair<std::string_view, const char*>, 18> small_numbers{{
    {"len", "6"},
    {"d", "12"},
    {"height", "4"},
    {"width", "3"},
    {"heads", "5"},
    {"num-pos-feats", "6"},
    {"max-distance", "20"},
    {"factor", "4"},
    {"original-max-position-embeddings", "4"},
    {"max-position-embeddings", "5"},
    {"short-factor", "1,1,2,3,4,5"},
    {"long-factor", "1,2,3,5,8,13"},
    {"freqs", "1,9"},
    {"sections", "2,2,2"},
    {"bits", "4"},
    {"window", "0"},
    {"depth", "2"},
    {"frames", "2"},
}};

void set_small(Parameters& p, std::string_view name) {
    const auto number =
        std::ranges::find(small_numbers, name, &decltype(small_numbers)::value_type::first);
    if (number == small_numbers.end()) return;
    p.set(name, number->second, Origin::user);
}

/// Plans the table. If a message asks for another parameter, adds it.
Plan planned(trials::Command& command) {
    for (int attempt = 0;; ++attempt) {
        try {
            Parameters parameters = command.parameters;
            parameters.evaluate_expressions();
            return command.encoding->plan(parameters, command.table->name);
        } catch (const UsageError& error) {
            const std::string_view message = error.what();
            std::string_view name;
            for (const std::string_view before :
                 std::array<std::string_view, 2>{"needs --", "without --"}) {
                const std::size_t at = message.find(before);
                if (at != message.npos) name = message.substr(at + before.size());
            }
            if (name.empty() || attempt == 4) throw;
            set_small(command.parameters,
                      name.substr(0, name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-")));
        }
    }
}

std::vector<std::string_view> choices_of(const ParameterSpec& spec) {
    if (spec.type == ParameterType::flag) return {"false", "true"};
    return spec.type == ParameterType::word ? words(spec.choices) : std::vector<std::string_view>{};
}

/// Returns the formula for these choices; null for other orders of axes, and for float32.
const Formula* formula_of(const trials::Command& command) {
    const auto formula = std::ranges::find(formulas, command.encoding->name, &Formula::encoding);
    if (formula == formulas.end()) return nullptr;
    const std::vector<std::string_view> known = words(formula->tables);
    if (!known.empty() && std::ranges::count(known, command.table->name) == 0) return nullptr;
    for (const Parameters::Entry& entry : command.parameters.entries()) {
        const bool is_fixed = is_fixed_of(*command.encoding, entry.spec->name);
        if (is_fixed && !is_default(entry)) return nullptr;
    }
    return &*formula;
}

}  // namespace

Pairs check_pairs(const Encoding& encoding) {
    trials::Command plain{};
    plain.encoding = &encoding;
    plain.parameters = Parameters(encoding.parameters);
    for (const Parameters::Entry& entry : std::vector(plain.parameters.entries())) {
        const std::string_view name = entry.spec->name;
        if (entry.spec->is_extent() || name == "d" || name == "num-pos-feats" ||
            name == "sections") {
            if (!entry.spec->default_value.empty()) set_small(plain.parameters, entry.spec->name);
        }
    }
    Pairs pairs;
    const auto look = [&](trials::Command command) {
        ++pairs.looked_at;
        try {
            const Plan plan = planned(command);
            const Formula* formula = formula_of(command);
            Tally tally;
            if (formula == nullptr) {
                const Table table = trials::made_by(command);
                read_rows(table, {0, table.shape.rows()});
                ++pairs.without_formula;
                return;
            }
            constexpr std::int64_t most_of_a_table = 20;
            compare(tally, *formula, command, plan.parameters, most_of_a_table);
            ++pairs.compared;
            if (tally.wrong > 0 && pairs.wrong++ == 0) pairs.first_wrong = tally.first_wrong;
        } catch (const UsageError& error) {
            ++pairs.refused;
            const std::string_view message = error.what();
            if (message == "no formula here") --pairs.refused, ++pairs.without_formula;
            pairs.messages.insert(std::string(message));
        }
    };
    const auto entries = plain.parameters.entries();
    for (std::size_t a = 0; a < entries.size(); ++a) {
        for (std::size_t b = a + 1; b < entries.size(); ++b) {
            for (const std::string_view one : choices_of(*entries[a].spec)) {
                for (const std::string_view other : choices_of(*entries[b].spec)) {
                    for (const TableSpec& table : encoding.tables) {
                        trials::Command command = plain;
                        command.table = &table;
                        command.dtype = is_floating(table.dtype) ? DType::float64 : table.dtype;
                        command.parameters.set(entries[a].spec->name, one, Origin::user);
                        command.parameters.set(entries[b].spec->name, other, Origin::user);
                        look(command);
                    }
                }
            }
        }
    }
    return pairs;
}

std::vector<std::string_view> checked_encodings() {
    std::vector<std::string_view> names;
    for (const Formula& formula : formulas) names.push_back(formula.encoding);
    return names;
}

std::vector<std::string_view> unchecked_encodings() { return words(without_formula); }

Tally check(std::string_view encoding, std::int64_t values, std::mt19937_64& random) {
    const Formula& formula = *std::ranges::find(formulas, encoding, &Formula::encoding);
    constexpr std::int64_t most_of_a_table = 1000;
    constexpr std::array dtypes{DType::float32, DType::float64, DType::float16, DType::bfloat16};
    Tally tally;
    for (int attempt = 0; tally.values < values && attempt < 1000000; ++attempt) {
        trials::Command command = trials::drawn_command(*find_encoding(encoding), random);
        const std::vector<std::string_view> known = words(formula.tables);
        if (!known.empty() && std::ranges::count(known, command.table->name) == 0) {
            command.table = find_table(*command.encoding, known.front());
        }
        command.dtype = is_floating(command.table->dtype) ? dtypes[random() % dtypes.size()]
                                                          : command.table->dtype;
        try {
            for (const Parameters::Entry& entry : std::vector(command.parameters.entries())) {
                const std::string_view name = entry.spec->name;
                if (!is_fixed_of(*command.encoding, name) || entry.origin != Origin::user) {
                    continue;
                }
                command.parameters.set(
                    name,
                    entry.spec->default_value.empty()
                        ? (entry.spec->type == ParameterType::flag ? "false" : "none")
                        : entry.spec->default_value,
                    Origin::user);
            }
            vary(command.parameters, random);
            Parameters parameters = command.parameters;
            parameters.evaluate_expressions();
            const Plan plan = command.encoding->plan(parameters, command.table->name);
            compare(tally, formula, command, plan.parameters, most_of_a_table);
        } catch (const UsageError&) {
            ++tally.refused;
        }
    }
    return tally;
}

}  // namespace pegen::formulas
