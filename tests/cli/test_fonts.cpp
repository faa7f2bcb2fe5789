#include <dlfcn.h>
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "figure/small_font.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen::testing;

namespace {

/// True if there is fontconfig. Without it there is nothing to test here.
bool has_fontconfig() { return dlopen("libfontconfig.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr; }

/// A machine whose installed fonts are "Small One", which has 位, "Small Two", which has 置, and
/// "Small Three", which has 編.
class Machine {
  public:
    Machine() {
        std::filesystem::create_directory(folder_.path("fonts"));
        put(folder_.path("fonts/a.ttc"), small_collection(0x4f4d, 0x7f6e));
        put(folder_.path("fonts/b.otf"),
            small_cff_font({.program = square_program()}, 0x7de8, "Small Three"));
        put(folder_.path("fonts.conf"),
            "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig><dir>" +
                folder_.path("fonts") + "</dir><cachedir>" + folder_.path("cache") +
                "</cachedir></fontconfig>");
    }

    /// Runs pe-gen sinusoid with more arguments.
    ProgramRun run(const std::string& arguments) const {
        return pe_gen("sinusoid --len 8 --d 4 " + arguments);
    }

    ProgramRun pe_gen(const std::string& arguments) const {
        return run_shell("FONTCONFIG_FILE=" + folder_.path("fonts.conf") + " LC_ALL=C.UTF-8 " +
                             PEGEN_PROGRAM + " " + arguments,
                         folder_.path(""));
    }

    std::string file(const std::string& name) const { return content(folder_.path(name)); }
    void put_file(const std::string& name, const std::string& bytes) const {
        put(folder_.path(name), bytes);
    }
    void remove(const std::string& name) const { std::filesystem::remove(folder_.path(name)); }

  private:
    TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("fonts: an installed one is found by its family, its full name and in a file") {
    if (!has_fontconfig()) return;
    const Machine machine;
    CHECK(machine.run("--title 置 --font 'Small Two' --png a.png").status == 0);
    CHECK(machine.run("--title 置 --font small-two --png b.png").status == 0);
    CHECK(machine.run("--title 置 --font 'Small Two Regular' --png c.png").status == 0);
    CHECK(machine.run("--title 置 --font fonts/a.ttc#1 --png d.png").status == 0);
    const auto pixels = [&](const std::string& name) {
        const std::string png = machine.file(name);
        return png.substr(png.find("IDAT"));
    };
    for (const char* name : {"b.png", "c.png", "d.png"}) CHECK(pixels(name) == pixels("a.png"));
    CHECK(machine.run("--title 置 --font 'Small One' --png e.png").status == 2);
    CHECK(machine.pe_gen("info a.png").output.find("--font 'Small Two'") != std::string::npos);
}

TEST_CASE("fonts: a name that no font has is answered with the nearest ones") {
    if (!has_fontconfig()) return;
    const Machine machine;
    const auto refused = [&](const std::string& name) {
        const ProgramRun run = machine.run("--title 置 --png a.png --font '" + name + "'");
        CHECK(run.status == 2);
        const std::string start =
            "pe-gen: --font " + name + ": no installed font has this name, and no file; ";
        REQUIRE(run.output.starts_with(start));
        return run.output.substr(start.size());
    };
    CHECK(refused("Small Tow") == "did you mean 'Small Two'?\n");
    CHECK(refused("Small") == "there are Small One, Small Three, Small Two\n");
    CHECK(refused("SimHei") == "`fc-list : family` lists those that there are\n");
}

TEST_CASE("fonts: without --font the first font with the characters is used and named") {
    if (!has_fontconfig()) return;
    const Machine machine;
    const ProgramRun found = machine.run("--title 置 --png a.png");
    CHECK(found.status == 0);
    CHECK(found.output ==
          "pe-gen: --font: the texts are in Small Two, which is installed here, since the built-in "
          "font lacks some of their characters\n");
    CHECK(machine.run("--title 置 --png b.png --font 'Small Two'").output == "");
    CHECK(machine.file("a.png") == machine.file("b.png"));
    CHECK(machine.run("--title 編 --pdf a.pdf").status == 0);

    const std::string lacks = "pe-gen: --title: the built-in font, DejaVu Sans, lacks ";
    CHECK(machine.run("--title 位置 --png c.png").output ==
          lacks + "'位', U+4F4D, and no installed font has it; give the file of one with --font\n");
    CHECK(machine.run("--title 置 --png c.png --font builtin").output ==
          lacks + "'置', U+7F6E; give a font that has it with --font\n");
    CHECK(machine.run("--title שלום --png c.png").output ==
          "pe-gen: --title: contains Hebrew, which is written from right to left and cannot be "
          "drawn\n");
}

TEST_CASE("fonts: an SVG is the same on every machine, and names a font that is not installed") {
    if (!has_fontconfig()) return;
    const Machine machine;
    CHECK(machine.run("--title 置 --svg a.svg").output == "");
    CHECK(machine.file("a.svg").find("<g font-family=\"'DejaVu Sans', sans-serif\" ") !=
          std::string::npos);
    const ProgramRun unknown = machine.run("--title 置 --svg b.svg --font SimHei");
    CHECK(unknown.status == 0);
    CHECK(unknown.output.ends_with("; the viewer of the file may have it\n"));
    CHECK(machine.file("b.svg").find("<g font-family=\"'SimHei', 'DejaVu Sans', sans-serif\" ") !=
          std::string::npos);
    CHECK(machine.run("--title 置 --svg c.svg --font missing.ttf").status == 4);
    CHECK(machine.run("--title 置 --svg c.svg --font fonts/a.ttc#7").status == 2);
}

TEST_CASE("fonts: batch says that a figure was made with another one") {
    if (!has_fontconfig()) return;
    const Machine machine;
    machine.put_file("jobs.json",
                     R"({"jobs": [{"encoding": "sinusoid", "d": 4, "len": 8, "title": "置",)"
                     R"( "png": "a.png"}]})");
    CHECK(machine.pe_gen("batch jobs.json -q").status == 0);
    CHECK(machine.pe_gen("batch jobs.json --check").status == 0);
    machine.remove("fonts/a.ttc");
    machine.put_file("fonts/c.ttf", small_font(square(), 0x7f6e, "Small Four"));
    const ProgramRun check = machine.pe_gen("batch jobs.json --check");
    CHECK(check.status == 1);
    CHECK(check.output.find("out of date: a.png: font: 'Small Two' -> 'Small Four'\n") !=
          std::string::npos);
}
