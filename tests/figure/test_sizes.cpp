#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "encodings/registry.h"
#include "figure/figure.h"
#include "figure/options.h"

using namespace pegen;

namespace {

struct Subject {
    std::string name;
    std::string words;
    Options options;
};

const std::vector<Subject>& subjects() {
    static const std::vector<Subject> all{
        {"sinusoid", "--d 64 --len 100", {}},
        {"sinusoid", "--d 64 --len 100", {{"no-colorbar", "true"}}},
        {"sinusoid", "--d 64 --len 100", {{"aspect", "equal"}}},
        {"sinusoid", "--d 100 --len 64 --out-scale 1e7", {{"aspect", "equal"}}},
        {"sinusoid", "--d 64 --len 100 --out-scale 1e-7", {{"plot", "waves"}}},
        {"sinusoid", "--d 1024 --len 100", {{"plot", "waves"}}},
        {"sinusoid", "--d 64 --len 100", {{"plot", "offsets"}}},
        {"sinusoid", "--d 64 --len 100", {{"plot", "similarity"}}},
        {"sinusoid", "--d 64 --len 100", {{"plot", "wavelengths"}}},
        {"sandwich", "--heads 4", {{"plot", "steps"}}},
        {"alibi", "--form symmetric", {{"limits", "shared"}}},
        {"rope", "--d 64 --len 100", {}},
        {"grid", "--d 24 --height 30 --width 40 --depth 2", {}},
    };
    return all;
}

Figure figure_of(const Subject& subject, std::string_view inches) {
    const Encoding& encoding = *find_encoding(subject.name);
    Parameters parameters(encoding.parameters);
    parameters.set_all(subject.words, Origin::user);
    const Table table = make_table(encoding, encoding.tables.front(), parameters, DType::float32);
    Options options = subject.options;
    options.emplace_back("figsize", inches);
    return compose_figure(table, with(options));
}

bool is_number(TextRole role) {
    return role == TextRole::x_tick || role == TextRole::y_tick || role == TextRole::colorbar_tick;
}

/// Returns the texts of each role joined to one line; for tick labels only whether there are some.
std::map<TextRole, std::string> words_of(const Figure& figure) {
    std::map<TextRole, std::string> words;
    for (const PlacedText& text : figure.texts) {
        std::string& all = words[text.role];
        if (is_number(text.role)) {
            all = "numbers";
        } else {
            all += (all.empty() ? "" : " ") + text.text;
        }
    }
    return words;
}

Box box_of(const PlacedText& text) {
    InkBox ink = text_ink(text.text, text.style);
    if (text.direction == Direction::upwards) ink = turned(ink);
    return {text.x + ink.left + 0.0, text.y + ink.top + 0.0, text.x + ink.right + 0.0,
            text.y + ink.bottom + 0.0};
}

bool overlap(const Box& a, const Box& b) {
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

void check_places(const Figure& figure) {
    std::vector<Box> taken = figure.lines;
    for (const auto& [left, top, grid] : figure.grids) {
        taken.push_back({left + 0.0, top + 0.0, left + grid.width + 0.0, top + grid.height + 0.0});
    }
    for (const PlacedText& text : figure.texts) {
        CAPTURE(text.text);
        const Box box = box_of(text);
        CHECK(box.left >= 0);
        CHECK(box.top >= 0);
        CHECK(box.right <= figure.width);
        CHECK(box.bottom <= figure.height);
        CHECK(std::ranges::none_of(taken, [&](const Box& other) { return overlap(box, other); }));
        taken.push_back(box);
    }
}

double least_points(const Figure& figure) {
    double least = 100;
    for (const PlacedText& text : figure.texts) least = std::min(least, text.style.points);
    return least;
}

}  // namespace

TEST_CASE("sizes: every text stands in every figure from 4 x 3 inches on, in its full size") {
    for (const Subject& subject : subjects()) {
        CAPTURE(subject.name);
        CAPTURE(subject.words);
        const auto expected = words_of(figure_of(subject, "30x20"));
        CHECK(expected.size() >= 4);
        for (const std::string_view size : {"10x8", "6.4x4.8", "5x4", "4x4", "4x3", "12x3"}) {
            CAPTURE(size);
            const Figure figure = figure_of(subject, size);
            CHECK((words_of(figure) == expected));
            CHECK(figure.notes.empty());
            CHECK(least_points(figure) == 10);
            check_places(figure);
        }
    }
}

TEST_CASE("sizes: panels with limits of their own name them where there is room") {
    const Subject alibi{"alibi", "", {}};
    struct Case {
        const char* size;
        bool are_named;
    };
    for (const Case& one :
         {Case{"10x8", true}, {"8x5", false}, {"6.4x4.8", false}, {"3x3", false}, {"16x4", true}}) {
        CAPTURE(one.size);
        const bool are_named = one.are_named;
        const Figure figure = figure_of(alibi, one.size);
        CHECK(figure.notes.empty() == are_named);
        check_places(figure);
        const std::string titles = words_of(figure).at(TextRole::panel_title);
        CHECK(titles.starts_with(are_named ? "head 0: \u221231.5 to 0 head 1:" : "head 0 head 1"));
    }
}

TEST_CASE("sizes: every text stands in small figures, in a legible size") {
    for (const Subject& subject : subjects()) {
        CAPTURE(subject.name);
        CAPTURE(subject.words);
        const auto expected = words_of(figure_of(subject, "30x20"));
        for (const std::string_view size : {"3x12", "3x3", "3x2", "2x12", "2x1.5"}) {
            CAPTURE(size);
            const Figure figure = figure_of(subject, size);
            CHECK((words_of(figure) == expected));
            CHECK(figure.notes.empty());
            CHECK(least_points(figure) >= 6);
            check_places(figure);
        }
    }
}

TEST_CASE("sizes: in the smallest figures a note names every text that is left out") {
    for (const Subject& subject : subjects()) {
        CAPTURE(subject.name);
        CAPTURE(subject.words);
        const auto expected = words_of(figure_of(subject, "30x20"));
        for (const std::string_view size : {"1.5x1.5", "1x1", "0.5x0.5", "0.5x8", "8x0.5"}) {
            CAPTURE(size);
            // Eight panels are refused.
            if (subject.name == "alibi" && size.find("0.5") != size.npos) continue;
            const Figure figure = figure_of(subject, size);
            check_places(figure);
            const auto found = words_of(figure);
            CHECK(figure.notes.size() == figure.left_out.size());
            for (const auto& entry : expected) {
                const TextRole role = entry.first;
                const std::string& words = entry.second;
                CAPTURE(words);
                const bool is_there = found.contains(role) && found.at(role) == words;
                const bool is_noted = std::ranges::count(figure.left_out, role) > 0;
                const bool is_power = role == TextRole::x_power || role == TextRole::y_power ||
                                      role == TextRole::colorbar_power;
                CHECK((is_there || is_noted || is_power));
            }
        }
    }
}
