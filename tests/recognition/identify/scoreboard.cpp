#include "recognition/identify/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace pegen::trials {
namespace {

constexpr std::array<std::string_view, 6> names{"right",   "same here", "ambiguous",
                                                "unnamed", "missed",    "wrong"};

std::string_view name_of(Outcome outcome) { return names[static_cast<std::size_t>(outcome)]; }

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

}  // namespace

void Scoreboard::add(const std::string& kind, const std::string& name, const Judgement& judgement) {
    Row& row = rows_[kind];
    ++row.outcomes[static_cast<std::size_t>(judgement.outcome)];
    row.seconds.push_back(judgement.seconds);
    answers_.push_back({fmt::format("{}: {}", kind, name), judgement.answer});
    if (judgement.outcome >= Outcome::unnamed) {
        failures_.push_back(fmt::format("{}: {}: {}\n{}", name_of(judgement.outcome), kind, name,
                                        judgement.answer));
    }
}

std::string Scoreboard::text() const {
    std::string text = fmt::format("{:<26}{:>6}", "kind", "tried");
    for (const std::string_view name : names) text += fmt::format("{:>11}", name);
    text += "  median time\n";
    for (const auto& [kind, row] : rows_) {
        text += fmt::format("{:<26}{:>6}", kind, row.seconds.size());
        for (const int count : row.outcomes) text += fmt::format("{:>11}", count);
        text += fmt::format("{:>10.0f} ms\n", 1000 * median(row.seconds));
    }
    return text;
}

int Scoreboard::count(Outcome outcome) const {
    return std::accumulate(rows_.begin(), rows_.end(), 0, [=](int sum, const auto& row) {
        return sum + row.second.outcomes[static_cast<std::size_t>(outcome)];
    });
}

}  // namespace pegen::trials
