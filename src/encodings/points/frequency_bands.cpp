#include "encodings/points/frequency_bands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expression.h"
#include "core/names.h"
#include "core/number.h"
#include "core/to_size.h"
#include "numerics/coordinates.h"

namespace pegen::encodings {
namespace {

using numerics::Frequencies;
using numerics::Ratio;
using numerics::Real;
using Fields = std::vector<std::string_view>;

constexpr std::int64_t most_frequencies = 1 << 16;
constexpr std::int64_t largest_exponent = 1000;

std::int64_t parse_count(std::string_view text) {
    const std::int64_t count = parse_integer(text, "--freqs");
    if (count >= 1 && count <= most_frequencies) return count;
    refuse("freqs", text, "the number of frequencies must be between 1 and 65536");
}

Frequencies powers_of_two(const Fields& numbers) {
    const bool has_both = numbers.size() == 2;
    const std::int64_t low = has_both ? parse_integer(numbers.front(), "--freqs") : 0;
    const std::int64_t high = parse_integer(numbers.back(), "--freqs");
    if (low < -largest_exponent || high > largest_exponent || low >= high) {
        refuse("freqs", fmt::format("pow2:{}", fmt::join(numbers, ":")),
               has_both ? "needs -1000 <= LO < HI <= 1000: 2^k for LO <= k < HI"
                        : "needs a K between 1 and 1000: 2^k for 0 <= k < K");
    }
    std::vector<Ratio> ratios;
    for (std::int64_t k = low; k < high; ++k) {
        ratios.push_back({std::ldexp(1.0, static_cast<int>(k)), 1});
    }
    return Frequencies(ratios);
}

Frequencies linear(const Fields& numbers) {
    const double low = parse_real(numbers[0], "--freqs");
    const double high = parse_real(numbers[1], "--freqs");
    const std::int64_t count = parse_count(numbers[2]);
    return Frequencies([along = numerics::Coordinates::between(low, high, count)] {
        std::vector<Real> frequencies;
        for (std::int64_t k = 0; k < along.size(); ++k) frequencies.push_back(along.at(k));
        return frequencies;
    });
}

Frequencies logspace(const Fields& numbers) {
    const double low = parse_real(numbers[0], "--freqs");
    const double high = parse_real(numbers[1], "--freqs");
    const std::int64_t count = parse_count(numbers[2]);
    if (!(low > 0 && high > 0)) {
        refuse("freqs", fmt::format("logspace:{}", fmt::join(numbers, ":")),
               "LO and HI must be positive");
    }
    return Frequencies([low, high, count] {
        std::vector<Real> frequencies{low};
        for (std::int64_t k = 1; k + 1 < count; ++k) {
            const Real exponent = Real(static_cast<double>(k)) / static_cast<double>(count - 1);
            frequencies.push_back(low * pow(Real(high) / low, exponent));
        }
        if (count > 1) frequencies.emplace_back(high);
        return frequencies;
    });
}

Frequencies geometric(const Fields& numbers) {
    const double base = parse_real(numbers[0], "--freqs");
    const std::int64_t count = parse_count(numbers[1]);
    if (!(base > 0)) {
        refuse("freqs", fmt::format("geometric:{}", fmt::join(numbers, ":")),
               "BASE must be positive");
    }
    return Frequencies(
        {.base = base, .step = -1, .width = count, .shift = 0, .scale = 1, .count = count});
}

/// Reads a number; "(1/3)" as an exact quotient.
Ratio parse_ratio(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (text.starts_with('(') && text.ends_with(')') && slash != text.npos) {
        const std::string_view numerator = text.substr(1, slash - 1);
        const std::string_view denominator = text.substr(slash + 1, text.size() - slash - 2);
        if (!is_expression(numerator) && !is_expression(denominator)) {
            const Ratio ratio{parse_real(numerator, "--freqs"), parse_real(denominator, "--freqs")};
            if (ratio.denominator != 0) return ratio;
        }
    }
    return {parse_real(text, "--freqs"), 1};
}

/// Throws: UsageError for a whole number that may be meant as a count.
void check_not_count(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return;
    const std::int64_t number = parse_integer(text, "--freqs");
    if (number < 2 || number > largest_exponent) return;
    refuse("freqs", text,
           fmt::format("may mean {0} frequencies or one: write pow2:{0} for 1, 2, 4 ..., or "
                       "linear:{0}:{0}:1 for the frequency {0} alone",
                       number));
}

Frequencies listed(std::string_view text) {
    check_not_count(text);
    std::vector<Ratio> ratios;
    for (const std::string_view number : fields(text, ',')) ratios.push_back(parse_ratio(number));
    if (std::ssize(ratios) > most_frequencies) {
        refuse("freqs", fmt::format("with {} numbers", ratios.size()),
               "must be at most 65536 of them");
    }
    return Frequencies(ratios);
}

struct Form {
    std::string_view name;
    std::size_t fewest_numbers;
    std::size_t most_numbers;
    std::string_view shape;
    Frequencies (*parse)(const Fields& numbers);
};

constexpr std::array forms{Form{"pow2", 1, 2, "pow2:K or pow2:LO:HI", powers_of_two},
                           Form{"linear", 3, 3, "linear:LO:HI:K", linear},
                           Form{"logspace", 3, 3, "logspace:LO:HI:K", logspace},
                           Form{"geometric", 2, 2, "geometric:BASE:K", geometric}};

/// True if the text is the begin of a form that has not all of its numbers. A slash behind it
/// divides.
bool is_begun(std::string_view text) {
    const Fields parts = fields(text, ':');
    const auto form = std::ranges::find(forms, parts.front(), &Form::name);
    return form != forms.end() && parts.size() <= form->fewest_numbers;
}

/// A list may begin with a name, too: pi,2*pi.
bool is_word(std::string_view text) {
    const bool begins_with_letter = !text.empty() && text[0] >= 'a' && text[0] <= 'z';
    return text.find(':') != text.npos ||
           (begins_with_letter && text.find_first_of(",*+^(") == text.npos && text != "pi");
}

}  // namespace

std::vector<std::string_view> frequencies_of_axes(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text[i] != '/' || depth > 0 || is_begun(text.substr(begin, i - begin))) continue;
        parts.push_back(text.substr(begin, i - begin));
        begin = i + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
}

Frequencies parse_frequency_bands(std::string_view text) {
    if (!is_word(text)) return listed(text);
    Fields parts = fields(text, ':');
    const auto form = std::ranges::find(forms, parts.front(), &Form::name);
    if (form == forms.end()) {
        std::vector<std::string_view> names;
        for (const Form& known : forms) names.push_back(known.name);
        refuse("freqs", text,
               fmt::format("must be numbers, or begin with one of {}{}", fmt::join(names, ", "),
                           did_you_mean(parts.front(), names)));
    }
    parts.erase(parts.begin());
    if (parts.size() < form->fewest_numbers || parts.size() > form->most_numbers) {
        refuse("freqs", text, fmt::format("must be {}", form->shape));
    }
    return form->parse(parts);
}

Frequencies scaled(const Frequencies& frequencies, double factor) {
    return product(frequencies,
                   Frequencies(std::vector<Ratio>(to_size(frequencies.size()), {factor, 1})));
}

}  // namespace pegen::encodings
