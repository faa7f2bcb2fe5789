#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/folder.h"
#include "encodings/npy_file.h"
#include "encodings/registry.h"
#include "inspect/properties/property.h"
#include "program.h"

using pegen::testing::content;
using pegen::testing::Folder;
using pegen::testing::put;

namespace {

struct Refusal {
    std::vector<std::string> arguments;
    const char* message;
};

/// The last line: "verdict   fails: rotation".
std::string verdict_of(const std::string& report) {
    const std::size_t end = report.rfind('\n', report.size() - 2);
    return report.substr(end + 1);
}

}  // namespace

TEST_CASE("check: the status and the last line say whether promises are kept") {
    const ProgramRun kept = run_program("check sinusoid --d 16 --len 40");
    CHECK(kept.status == 0);
    CHECK(verdict_of(kept.output) ==
          "verdict   holds: unique, bounded, rotation, offset, spacing\n");
    const ProgramRun broken = run_program("check note1 --d 16 --len 40");
    CHECK(broken.status == 1);
    CHECK(verdict_of(broken.output) == "verdict   fails: rotation, offset, spacing\n");
    CHECK(run_program("check note1 --d 16 --len 40 --require unique,bounded").status == 0);
    const ProgramRun pairs = run_program("check sinusoid --d 16 --len 40 --require relative");
    CHECK(pairs.status == 1);
    CHECK(verdict_of(pairs.output) == "verdict   fails: relative (does not apply)\n");
    const ProgramRun quiet = run_program("check -q note1");
    CHECK(quiet.status == 2);
    CHECK((run_program("check note1 --d 16 -q").output).empty());
    CHECK(run_program("check note1 --d 16 -q").status == 1);
}

TEST_CASE("check: everything that applies is asked of a file") {
    const Folder folder;
    REQUIRE(folder.run("sinusoid --d 8 --len 30 --npy a.npy").status == 0);
    CHECK(verdict_of(folder.run("check a.npy").output) ==
          "verdict   holds: unique, bounded, rotation, offset, spacing\n");
    CHECK(folder.run("check - <a.npy").status == 0);
    REQUIRE(folder.run("sinusoid --d 8 --len 30 --arith float32 --npy b.npy").status == 0);
    CHECK(folder.run("check b.npy").status == 1);
    CHECK(folder.run("check b.npy --tolerance 1e-5").status == 0);
    CHECK(folder.run("check b.npy --require unique").status == 0);
    REQUIRE(folder.run("learned --d 8 --len 30 --npy c.npy").status == 0);
    CHECK(verdict_of(folder.run("check c.npy").output) ==
          "verdict   fails: rotation, offset, spacing\n");
    REQUIRE(folder.run("alibi --len 9 --npy d.npy").status == 0);
    CHECK(verdict_of(folder.run("check d.npy --require relative").output) ==
          "verdict   holds: relative\n");
    CHECK(folder.run("check d.npy").errors ==
          "pe-gen: d.npy: is read as positions and channels; --require relative reads its last two "
          "axes as queries and keys\n");
    CHECK(folder.run("check a.npy").errors == "");
    REQUIRE(folder.run("index --len 9 --npy e.npy").status == 0);
    CHECK(verdict_of(folder.run("check e.npy").output) == "verdict   fails: offset\n");
}

TEST_CASE("check: a file of any shape and dtype is measured or said to be none") {
    const Folder folder;
    const auto verdict = [&](const char* descr, const char* shape, const std::string& elements) {
        put(folder.path("a.npy"), npy_file(descr, "False", shape, elements));
        const ProgramRun run = folder.run("check a.npy");
        CHECK(run.errors.empty());
        return verdict_of(run.output);
    };
    const std::string nothing = "verdict   nothing is promised or asked for that applies\n";
    CHECK(verdict("<f4", "(0, 8)", "") == nothing);
    CHECK(verdict("<f4", "(5, 0)", "") == nothing);
    CHECK(verdict("<f4", "()", std::string(4, '\0')) == nothing);
    CHECK(verdict("<f4", "(1, 2)", std::string(8, '\0')) == "verdict   holds: unique, bounded\n");
    CHECK(verdict("|b1", "(3,)", std::string("\0\1\0", 3)) == "verdict   fails: unique\n");
    CHECK(verdict("<f2", "(2, 1)", std::string("\0\x7e\0\x7c", 4)) == "verdict   fails: bounded\n");
    // 1e300 and so on: their squares are infinite.
    std::string large;
    for (const double value : {1e300, 2e300, 3e300, -1e300}) {
        large += std::string(reinterpret_cast<const char*>(&value), sizeof value);
    }
    CHECK(verdict("<f8", "(4, 1)", large) == "verdict   holds: unique\n");
}

TEST_CASE("check: the report has the same bytes for any number of threads") {
    for (const char* table : {"sinusoid --d 64 --len 30000", "learned --d 48 --len 3000",
                              "detr --num-pos-feats 8", "bloom"}) {
        CAPTURE(table);
        const std::string one =
            run_program("check " + std::string(table) + " --json --threads 1").output;
        CHECK(one.size() > 1000);
        CHECK(run_program("check " + std::string(table) + " --json --threads 2").output == one);
        CHECK(run_program("check " + std::string(table) + " --json --threads 7").output == one);
    }
}

TEST_CASE("check: JSON has every property with its verdict and numbers") {
    const auto json =
        nlohmann::json::parse(run_program("check note1 --d 8 --len 20 --json").output);
    CHECK(json["name"] == "note1 --len 20 --d 8");
    CHECK(json["shape"] == nlohmann::json{20, 8});
    CHECK(json["holds"] == false);
    CHECK(json["failed"] == nlohmann::json{"rotation", "offset", "spacing"});
    REQUIRE(json["properties"].size() == pegen::all_properties().size());
    for (std::size_t i = 0; i < json["properties"].size(); ++i) {
        CHECK(json["properties"][i]["name"] == pegen::all_properties()[i]->name);
        CHECK(json["properties"][i]["numbers"].is_object());
    }
    CHECK(json["properties"][2]["verdict"] == "fails");
    CHECK(json["properties"][2]["asked"] == true);
    CHECK(json["properties"][2]["numbers"]["residual"] > 1);
    CHECK(json["properties"][4]["verdict"] == "measured");
    CHECK(json["properties"][4]["numbers"]["offsets"].size() ==
          json["properties"][4]["numbers"]["shares"].size());
    CHECK(json["properties"][6]["verdict"] == "does not apply");
}

TEST_CASE("check: draws the table it measures or nothing") {
    const Folder folder;
    CHECK(
        folder.run("check sinusoid --d 8 --len 20 --figsize 3x2 --png a.png --svg b.svg").status ==
        0);
    CHECK(content(folder.path("b.svg")).find("Dot Product") != std::string::npos);
    CHECK(folder.run("info a.png").output ==
          "format    png\npixels    300x200\ncommand   pe-gen sinusoid --len 20 --d 8 --plot "
          "similarity --figsize 3x2 --png a.png\n");
    CHECK(folder.run("check note1 --d 8 --len 20 --plot offsets --svg c.svg").status == 1);
    CHECK(content(folder.path("c.svg")).find("Offset between Positions") != std::string::npos);
    CHECK(folder.run("check alibi --len 8 --svg d.svg").status == 0);
    CHECK(folder.run("check detr --num-pos-feats 4 --svg f.svg").status == 0);
    CHECK(content(folder.path("f.svg")).find("Dot Product") == std::string::npos);
    CHECK(folder.run("check sinusoid --d 8 --len 20 --pdf g.pdf").status == 0);
    CHECK(folder.run("info g.pdf").output.find("--plot similarity --pdf g.pdf\n") !=
          std::string::npos);
    CHECK(folder.run("check sinusoid --d 8 --len 20 --png e.png >/dev/full").status == 4);
    CHECK(folder.run("check sinusoid --d 8 --len 20000 --png e.png").status == 2);
    REQUIRE(folder.run("sinusoid --d 8 --len 20 --npy t.npy").status == 0);
    CHECK(folder.run("check t.npy --png t.npy").status == 2);
    CHECK(folder.names() ==
          std::set<std::string>{"a.png", "b.svg", "c.svg", "d.svg", "f.svg", "g.pdf", "t.npy"});
}

TEST_CASE("check: concatenation is addition in float32 and float64") {
    const ProgramRun run = run_program("check concat --seed 3");
    CHECK(run.status == 0);
    CHECK(
        run.output.starts_with("x         learned --len 20 --d 16 --seed 3: (20, 16)\n"
                               "p         learned --len 20 --d 16 --seed 4: (20, 16)\n"
                               "W         learned --len 16 --d 32 --seed 5: (16, 32)\n"));
    const auto json = nlohmann::json::parse(run_program("check concat --seed 3 --json").output);
    CHECK(json["holds"] == true);
    CHECK(json["blocks"]["largest"] > 0);
    CHECK(json["blocks"]["largest"] < json["blocks"]["bound"]);
    CHECK(json["identity"]["differing"] == 0);
    const auto wide =
        nlohmann::json::parse(run_program("check concat --d 5 --n 3 --dtype f64 --json").output);
    CHECK(wide["blocks"]["bound"] < 1e-12);
    CHECK(wide["identity"].is_null());
    CHECK(wide["w"]["shape"] == nlohmann::json{5, 8});
}

TEST_CASE("check: words and positions and weights may be files") {
    const Folder folder;
    REQUIRE(folder.run("learned --len 7 --d 6 --npy x.npy").status == 0);
    REQUIRE(folder.run("learned --len 4 --d 10 --npy w.npy").status == 0);
    const ProgramRun run = folder.run("check concat --x x.npy --w w.npy -- sinusoid --d 4 --len 7");
    CHECK(run.status == 0);
    CHECK(
        run.output.starts_with("x         x.npy: (7, 6)\n"
                               "p         sinusoid --d 4 --len 7: (7, 4)\n"
                               "W         w.npy: (4, 10)\n"));
    CHECK(folder.run("check concat --x - <x.npy").status == 0);
    CHECK(folder.run("check concat --w w.npy").status == 0);
    CHECK(folder.run("check concat --x x.npy --p w.npy").errors ==
          "pe-gen: check concat: x.npy has 7 rows, w.npy has 4; each word needs a position\n");
    CHECK(folder.run("check concat --x x.npy --w w.npy -- sinusoid --d 8 --len 7").errors ==
          "pe-gen: check concat: w.npy has 10 columns; must have 6 + 8 = 14\n");
}

TEST_CASE("check: wrong commands are refused with the remedy") {
    const std::initializer_list<Refusal> refusals{
        {{"check"}, "check: needs a table, as in pe-gen check sinusoid --d 64 --len 200"},
        {{"check", "--json", "sinusoid"},
         "--json: the table comes first, as in pe-gen check sinusoid --json"},
        {{"check", "sinusodi"},
         "'sinusodi': no such encoding, preset or command; did you mean 'sinusoid'?"},
        {{"check", "sinusoid", "--d", "7"},
         "--d 7: must be even with --odd error; use 6, 8 or --odd exact"},
        {{"check", "sinusoid", "--require", "rotatoin"},
         "--require rotatoin: must name some of unique, bounded, rotation, offset, decay, spacing, "
         "relative; did you mean 'rotation'?"},
        {{"check", "sinusoid", "--require", "decay"},
         "--require decay: decay is a measurement and has no verdict; leave it out"},
        {{"check", "sinusoid", "whisper"}, "unexpected argument 'whisper'; check takes one table"},
        {{"check", "sinusoid", "--table", "all"}, "--table: check takes one table; name one"},
        {{"check", "sinusoid", "--png", "-"},
         "--png -: standard output has the report; name a file"},
        {{"check", "sinusoid", "--svg", "/dev/stdout"},
         "--svg /dev/stdout: standard output has the report; name a file"},
        {{"check", "sinusoid", "--tolerance", "-1"}, "--tolerance -1: must be at least 0"},
        {{"check", "concat", "sinusoid"},
         "unexpected argument 'sinusoid'; an encoding stands after '--', as in pe-gen check concat "
         "-- "
         "sinusoid --d 16 --len 20"},
        {{"check", "concat", "--p", "p.npy", "--", "sinusoid"},
         "check concat: the positions are --p FILE or one encoding after '--'"},
        {{"check", "concat", "--len", "3", "--", "sinusoid", "--len", "4"},
         "--len 3: p has 4; leave it out"},
        {{"check", "concat", "--len", "100000", "--d", "10000"},
         "check concat: 100000 x 10000 x 20000 products; 2^34 at most, so take fewer"},
        {{"check", "concat", "--", "alibi"},
         "alibi: shape (8, 64, 64): must have two axes, and values"},
    };
    for (const auto& [arguments, message] : refusals) {
        const ProgramRun run = run_in_process(arguments);
        CHECK(run.status == 2);
        CHECK(run.errors == message);
    }
    CHECK(run_in_process({"check", "none.npy"}).status == 4);
}

TEST_CASE("check: its help has every property and its options") {
    const ProgramRun run = run_program("check --help");
    CHECK(run.status == 0);
    for (const pegen::Property* property : pegen::all_properties()) {
        CHECK(run.output.find("\n  " + std::string(property->name) + " ") != std::string::npos);
    }
    CHECK(run.output.find("--require TEXT") != std::string::npos);
    CHECK(run_program("check sinusoid --help").output == run.output);
    CHECK(run_program("check concat --help").output.find("--w FILE") != std::string::npos);
}

TEST_CASE("check: rotary cosines are checked with their sines, unless they are chosen") {
    for (const std::string name : {"rope", "rope-grid", "llama3.1"}) {
        CAPTURE(name);
        const ProgramRun run = run_program("check " + name + " --d 16");
        CHECK(run.status == 0);
        CHECK(run.output.find("--table sin-cos") != std::string::npos);
        CHECK(run.output.find("verdict   holds: unique, bounded, rotation, offset, spacing\n") !=
              std::string::npos);
        CHECK(run.errors ==
              "pe-gen: checks the table sin-cos: cos alone turns no pair of channels\n");
        const ProgramRun chosen = run_program("check " + name + " --d 16 --table cos");
        CHECK(chosen.errors.empty());
        CHECK(chosen.output.find("it serves to turn queries and keys") != std::string::npos);
        CHECK(run_program("check " + name + " --d 16 --table cos --require rotation").status == 1);
    }
}

/// A rotary encoding with parameters for a small table.
struct Rotary {
    std::string name, parameters;
};

const std::vector<Rotary>& rotary_encodings() {
    static const std::vector<Rotary> all{{"rope", "--d 16 --len 20"},
                                         {"rope-grid", "--d 16 --height 5 --width 6"},
                                         {"mrope", "--d 16 --sections 2,3,3"},
                                         {"xpos", "--d 16 --len 20"}};
    return all;
}

TEST_CASE("check: no table that turns queries and keys fails what only added tables have") {
    for (const auto& [name, parameters] : rotary_encodings()) {
        for (const pegen::TableSpec& table : pegen::find_encoding(name)->tables) {
            const std::string words =
                name + " " + parameters + " --table " + std::string(table.name);
            CAPTURE(words);
            const ProgramRun run = run_program("check " + words + " --json");
            CHECK(run.status == 0);
            const auto report = nlohmann::json::parse(run.output);
            for (const auto& property : report["properties"]) {
                const std::string of = property["name"];
                if (of == "unique" || of == "bounded" || of == "relative") continue;
                CAPTURE(of);
                CHECK(property["verdict"] != "fails");
                if (table.scored_by.empty()) continue;
                CHECK(property["verdict"] == "does not apply");
                const std::string text = property["text"];
                CHECK(text.find("not added to embeddings") != text.npos);
                const bool is_named = text.find("--table sin-cos has them") != text.npos;
                CHECK(is_named == (table.scored_by == "sin-cos"));
            }
        }
    }
}

TEST_CASE("similarity: every rotary table is drawn as scores or refused with what can be drawn") {
    for (const auto& [name, parameters] : rotary_encodings()) {
        for (const pegen::TableSpec& table : pegen::find_encoding(name)->tables) {
            const std::string words =
                name + " " + parameters + " --table " + std::string(table.name) + " --title t";
            CAPTURE(words);
            const auto picture = [&](const std::string& of) {
                const ProgramRun run = run_program(of + " --plot similarity --svg -");
                return run.status == 0 ? run.output.substr(run.output.find("</metadata>"))
                                       : run.errors;
            };
            const std::string drawn = picture(words);
            if (table.scored_by == "none") {
                CHECK(drawn == "pe-gen: the table " + std::string(table.name) +
                                   " serves to turn queries and keys, and its rows have no dot "
                                   "products that attention sees; use --plot heatmap or --plot "
                                   "waves\n");
                CHECK(run_program(words + " --plot heatmap --svg -").status == 0);
            } else if (!table.scored_by.empty()) {
                CHECK(drawn ==
                      picture(name + " " + parameters +
                              " --table sin-cos --dtype float64 --title t --colorbar-label Score"));
            } else if (table.name != "sin-cos" && table.name != "cos-sin") {
                CHECK(drawn.find("this figure is over positions") != drawn.npos);
            }
        }
    }
}

TEST_CASE("similarity: a table by heads, frequencies or axes is none over positions") {
    for (const std::string table :
         {"alibi --table slopes", "sinusoid --table frequencies", "sinusoid --table wavelengths",
          "rope --table inv-freq", "random-fourier --table weights"}) {
        CAPTURE(table);
        for (const std::string plot : {"similarity", "offsets"}) {
            const ProgramRun run = run_program(table + " --svg - --plot " + plot);
            CHECK(run.status == 2);
            CHECK(run.errors.starts_with("pe-gen: a table by "));
        }
        CHECK(run_program(table + " --svg - --plot waves").status == 0);
        CHECK(run_program(table + " --svg - --plot heatmap").status == 0);
    }
}

TEST_CASE("similarity: that of rotary cosines or sines is the score of a constant query and key") {
    const auto svg = [](const std::string& arguments) {
        const ProgramRun run = run_program(arguments + " --d 16 --title t --svg -");
        return run.status == 0 ? run.output.substr(run.output.find("</metadata>")) : run.errors;
    };
    for (const std::string plot : {"similarity", "offsets"}) {
        const std::string label = plot == "offsets" ? " --ylabel Score" : " --colorbar-label Score";
        const std::string both =
            svg("rope --len 20 --table sin-cos --dtype float64 --plot " + plot + label);
        CHECK(svg("rope --len 20 --plot " + plot) == both);
        CHECK(svg("rope --len 20 --table sin --layout single --plot " + plot) == both);
        for (const std::string name : {"mrope --sections 2,3,3", "xpos"}) {
            CHECK(svg(name + " --plot " + plot).find("serves to turn queries and keys") !=
                  std::string::npos);
        }
    }
}
