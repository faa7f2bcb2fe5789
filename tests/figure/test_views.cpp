#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <numeric>

#include "core/error.h"
#include "figure/fake_table.h"
#include "figure/views.h"

using namespace pegen;

namespace {

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;
using Values = std::vector<double>;

/// Returns the kind of the axis with this name.
AxisKind kind_of(std::string_view name) {
    if (name == "batch") return AxisKind::batch;
    if (name == "channel") return AxisKind::channel;
    if (name == "head") return AxisKind::head;
    if (name == "position") return AxisKind::position;
    if (name == "height" || name == "width") return AxisKind::pixel;
    if (name == "function") return AxisKind::function;
    if (name == "frequency") return AxisKind::frequency;
    return AxisKind::other;
}

/// 0, 1, 2, ... in a table of `shape`, whose axes have these names and labels like "The head".
/// Keeps the ranges of rows that are read.
struct Counting {
    Counting(const Shape& shape, const std::vector<std::string>& names) {
        table.shape = shape;
        table.dtype = DType::float64;
        for (const std::string& name : names) {
            table.axes.push_back({kind_of(name), name, "The " + name});
        }
        table.title = "Title";
        table.value_label = "Values";
        table.provenance.encoding = "counting";
        const std::int64_t columns = shape.columns();
        table.rows = rows_like(
            table, [=, asked = asked,
                    rows = rounded({[=](RowRange range, std::span<double> out) {
                                        std::iota(out.begin(), out.end(),
                                                  static_cast<double>(range.first * columns));
                                    },
                                    shape.rows(), columns},
                                   DType::float64)](RowRange range, std::span<std::byte> out) {
                asked->emplace_back(range.first, range.count);
                rows(range, out);
            });
    }

    std::shared_ptr<Ranges> asked = std::make_shared<Ranges>();
    Table table;
};

std::vector<View> views(const Counting& counting, std::vector<std::int64_t> select = {}) {
    return views_of(counting.table, select);
}

Values all_values(const View& view) { return read_rows(view.table, {0, view.table.shape.rows()}); }

Values count_from(double first, std::size_t count) {
    Values values(count);
    std::iota(values.begin(), values.end(), first);
    return values;
}

void check_axes(const View& view, const char* rows, const char* columns) {
    REQUIRE(view.table.axes.size() == 2);
    CHECK(view.table.axes[0].label == rows);
    CHECK(view.table.axes[1].label == columns);
}

std::string refusal(const Counting& counting, std::vector<std::int64_t> select = {}) {
    try {
        views(counting, std::move(select));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("views: a table of two axes is its own view") {
    const auto view = views(Counting({3, 4}, {"position", "channel"}));
    REQUIRE(view.size() == 1);
    CHECK(view[0].title.empty());
    CHECK(view[0].table.shape == Shape{3, 4});
    CHECK(all_values(view[0]) == count_from(0, 12));
    check_axes(view[0], "The position", "The channel");
    // The same axes would have a meaning in a table of three axes, but not in this one.
    check_axes(views(Counting({3, 4}, {"batch", "channel"}))[0], "The batch", "The channel");
    check_axes(views(Counting({3, 4}, {"channel", "head"}))[0], "The channel", "The head");
    CHECK(views(Counting({3, 4}, {"head", "channel"})).size() == 1);
}

TEST_CASE("views: one axis is a column, no axis a single value") {
    const auto column = views(Counting({5}, {"frequency"}));
    CHECK(column[0].table.shape == Shape{5, 1});
    CHECK(all_values(column[0]) == count_from(0, 5));
    check_axes(column[0], "The frequency", "");
    const auto value = views(Counting({}, {}));
    CHECK(value[0].table.shape == Shape{1, 1});
    CHECK(all_values(value[0]) == Values{0});
    check_axes(value[0], "", "");
}

TEST_CASE("views: title, value label, dtype and provenance are those of the table") {
    const Counting counting({2, 2, 2, 2}, {"batch", "head", "query", "key"});
    for (const View& view : views(counting, {0})) {
        CHECK(view.table.title == "Title, batch 0");
        CHECK(view.table.value_label == "Values");
        CHECK(view.table.dtype == DType::float64);
        CHECK(view.table.provenance.encoding == "counting");
    }
}

TEST_CASE("views: the title names the indices that are taken, but none of a single one") {
    const auto title = [](const Counting& counting, std::vector<std::int64_t> select) {
        return views(counting, std::move(select)).front().table.title;
    };
    CHECK(title(Counting({4, 2, 2}, {"head", "query", "key"}), {3}) == "Title, head 3");
    CHECK(title(Counting({1, 4, 2, 2}, {"batch", "head", "query", "key"}), {0, 3}) ==
          "Title, head 3");
    CHECK(title(Counting({2, 4, 2, 2}, {"batch", "head", "query", "key"}), {1}) ==
          "Title, batch 1");
    CHECK(title(Counting({2, 4, 2, 2}, {"batch", "head", "query", "key"}), {}) == "Title, batch 0");
    Counting untitled({4, 2, 2}, {"head", "query", "key"});
    untitled.table.title.clear();
    CHECK(title(untitled, {3}).empty());
}

TEST_CASE("views: leading axes are merged") {
    const auto view = views(Counting({2, 3, 4}, {"height", "width", "channel"}));
    REQUIRE(view.size() == 1);
    CHECK(view[0].table.shape == Shape{6, 4});
    CHECK(all_values(view[0]) == count_from(0, 24));
    check_axes(view[0], "height \u00d7 width", "The channel");
    CHECK(view[0].table.axes[0].name == "height x width");
    CHECK(read_rows(view[0].table, {3, 2}) == count_from(12, 8));
}

TEST_CASE("views: merged pixels are the points of a grid, other merged axes of no kind") {
    const auto axis = [](const std::vector<std::string>& names) {
        return views(Counting({2, 3, 4}, names))[0].table.axes[0];
    };
    CHECK(axis({"height", "width", "channel"}).kind == AxisKind::point);
    CHECK(axis({"height", "width", "channel"}).extents == std::vector<std::int64_t>{2, 3});
    CHECK(axis({"height", "width", "channel"}).is_merged);
    CHECK_FALSE(axis({"frequency", "position", "channel"}).is_merged);
    CHECK(axis({"frequency", "position", "channel"}).kind == AxisKind::other);
    CHECK(axis({"frequency", "position", "channel"}).extents.empty());
}

TEST_CASE("views: the axes that rows are merged from are known, except those of one index") {
    const auto merged = [](const Shape& shape, const std::vector<std::string>& names) {
        std::vector<std::string> found;
        const View view = views(Counting(shape, names))[0];
        for (const Axis& axis : view.merged_into_rows) found.push_back(axis.name);
        return found;
    };
    using Names = std::vector<std::string>;
    CHECK(merged({2, 3, 4}, {"frequency", "position", "channel"}) ==
          Names{"frequency", "position"});
    CHECK(merged({1, 3, 4}, {"frequency", "position", "channel"}) == Names{"position"});
    CHECK(merged({3, 4}, {"position", "channel"}).empty());
    CHECK(merged({2, 3, 4}, {"channel", "height", "width"}).empty());
}

TEST_CASE("views: kinds of axes count, names do not") {
    Counting counting({2, 3, 4}, {"head", "query", "key"});
    counting.table.axes[0].name = "heads";
    CHECK(views(counting).size() == 2);
    CHECK(views(counting)[1].title == "heads 1");
    counting.table.axes[0] = {.kind = AxisKind::other, .name = "head"};
    CHECK(views(counting).size() == 1);
}

TEST_CASE("views: each function has a panel that is called by its name") {
    Counting counting({2, 3, 4}, {"function", "position", "channel"});
    counting.table.axes[0].index_names = {"cos", "sin"};
    const auto panels = views(counting);
    REQUIRE(panels.size() == 2);
    CHECK(panels[0].title == "cos");
    CHECK(panels[1].title == "sin");
    CHECK(all_values(panels[1]) == count_from(12, 12));
    check_axes(panels[1], "The position", "The channel");
}

TEST_CASE("views: heads of functions have a panel each") {
    Counting counting({2, 3, 2, 4}, {"function", "head", "query", "key"});
    counting.table.axes[0].index_names = {"cos", "sin"};
    const auto panels = views(counting);
    REQUIRE(panels.size() == 6);
    CHECK(panels[0].title == "cos, head 0");
    CHECK(panels[5].title == "sin, head 2");
    CHECK(all_values(panels[5]) == count_from(40, 8));
    CHECK(refusal(Counting({2, 70, 2, 4}, {"function", "head", "query", "key"})) ==
          "a table of shape (2, 70, 2, 4): 2 functions x 70 heads: at most 128 panels in one "
          "figure; use --select I");
}

TEST_CASE("views: axes of a file have no meaning") {
    const auto view = views(Counting({2, 3, 4, 5}, {"axis0", "axis1", "axis2", "axis3"}));
    REQUIRE(view.size() == 1);
    CHECK(view[0].table.shape == Shape{24, 5});
    check_axes(view[0], "axis0 \u00d7 axis1 \u00d7 axis2", "The axis3");
}

TEST_CASE("views: of a batch of pictures the first is shown, channel by channel") {
    const Counting counting({2, 3, 4, 5}, {"batch", "channel", "height", "width"});
    const auto view = views(counting);
    REQUIRE(view.size() == 1);
    CHECK(view[0].table.shape == Shape{3, 20});
    check_axes(view[0], "The channel", "height \u00d7 width");
    CHECK(all_values(view[0]) == count_from(0, 60));
    const auto second = views(counting, {1});
    CHECK(second[0].table.shape == Shape{3, 20});
    CHECK(read_rows(second[0].table, {1, 2}) == count_from(80, 40));
    const auto one_channel = views(counting, {1, 2});
    CHECK(one_channel[0].table.shape == Shape{4, 5});
    check_axes(one_channel[0], "The height", "The width");
    CHECK(all_values(one_channel[0]) == count_from(100, 20));
}

TEST_CASE("views: a batch of sequences is a sequence") {
    const auto view = views(Counting({2, 3, 4}, {"batch", "position", "channel"}));
    CHECK(view[0].table.shape == Shape{3, 4});
    check_axes(view[0], "The position", "The channel");
}

TEST_CASE("views: each head has a panel") {
    const Counting counting({3, 2, 4}, {"head", "query", "key"});
    const auto panels = views(counting);
    REQUIRE(panels.size() == 3);
    for (std::size_t head = 0; head < 3; ++head) {
        CHECK(panels[head].title == fmt::format("head {}", head));
        CHECK(panels[head].table.shape == Shape{2, 4});
        CHECK(all_values(panels[head]) == count_from(static_cast<double>(8 * head), 8));
        check_axes(panels[head], "The query", "The key");
    }
    const auto one = views(counting, {2});
    REQUIRE(one.size() == 1);
    CHECK(one[0].title.empty());
    CHECK(all_values(one[0]) == count_from(16, 8));
}

TEST_CASE("views: heads within a batch, and axes within heads") {
    const Counting counting({2, 3, 2, 2, 4}, {"batch", "head", "height", "width", "channel"});
    const auto panels = views(counting, {1});
    REQUIRE(panels.size() == 3);
    CHECK(panels[2].table.shape == Shape{4, 4});
    check_axes(panels[2], "height \u00d7 width", "The channel");
    CHECK(all_values(panels[2]) == count_from(48 + 32, 16));
    CHECK(views(counting).size() == 3);
    CHECK(all_values(views(counting)[1]) == count_from(16, 16));
}

TEST_CASE("views: a single head needs no title") {
    const auto view = views(Counting({1, 2, 4}, {"head", "query", "key"}));
    REQUIRE(view.size() == 1);
    CHECK(view[0].title.empty());
    CHECK(view[0].table.shape == Shape{2, 4});
}

TEST_CASE("views: nothing is read until rows are, and then no others") {
    const Counting counting({2, 3, std::int64_t{1} << 20, std::int64_t{1} << 15},
                            {"batch", "channel", "height", "width"});
    views(counting);
    views(counting, {1});
    CHECK(counting.asked->empty());
    const Counting small({2, 3, 4, 5}, {"batch", "channel", "height", "width"});
    read_rows(views(small, {1})[0].table, {1, 2});
    CHECK(*small.asked == Ranges{{12 + 4, 8}});
}

TEST_CASE("views: refused selections name the axis and its range") {
    CHECK(refusal(Counting({400, 128}, {"position", "channel"}), {3}) ==
          "--select 3: the table (400, 128) has no leading axes to select from");
    CHECK(refusal(Counting({7}, {"frequency"}), {3}) ==
          "--select 3: the table (7,) has no leading axes to select from");
    const Counting heads({4, 5, 6}, {"head", "query", "key"});
    CHECK(refusal(heads, {3}) == "accepted");
    CHECK(refusal(heads, {7}) == "--select 7: head must be 0 to 3");
    CHECK(refusal(heads, {4}) == "--select 4: head must be 0 to 3");
    CHECK(refusal(heads, {-1}) == "--select -1: head must be 0 to 3");
    CHECK(refusal(heads, {3, 1}) ==
          "--select 3,1: the table (4, 5, 6) has 1 leading axis to select from");
    const Counting batch({2, 4, 5, 6}, {"batch", "head", "query", "key"});
    CHECK(refusal(batch, {1, 4}) == "--select 1,4: head must be 0 to 3");
    CHECK(refusal(batch, {1, 2, 3}) ==
          "--select 1,2,3: the table (2, 4, 5, 6) has 2 leading axes to select from");
}

TEST_CASE("views: too many heads are too many panels") {
    CHECK(refusal(Counting({128, 5, 6}, {"head", "query", "key"})) == "accepted");
    CHECK(refusal(Counting({160, 5, 6}, {"head", "query", "key"})) ==
          "a table of shape (160, 5, 6): 160 heads: at most 128 panels in one figure; use --select "
          "I");
    const Counting batch({2, 129, 5, 6}, {"batch", "head", "query", "key"});
    const std::string start =
        "a table of shape (2, 129, 5, 6): 129 heads: at most 128 panels in one ";
    CHECK(refusal(batch) == start + "figure; use --select 0,I");
    CHECK(refusal(batch, {1}) == start + "figure; use --select 1,I");
    CHECK(refusal(batch, {1, 128}) == "accepted");
}

TEST_CASE("views: an empty table has none") {
    const std::string rule = ": has no values to draw";
    CHECK(refusal(Counting({0, 3, 4}, {"batch", "position", "channel"})) ==
          "a table of shape (0, 3, 4)" + rule);
    CHECK(refusal(Counting({0, 3, 4}, {"head", "query", "key"})) ==
          "a table of shape (0, 3, 4)" + rule);
    CHECK(refusal(Counting({3, 0}, {"position", "channel"})) == "a table of shape (3, 0)" + rule);
}
