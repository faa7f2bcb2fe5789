#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen::testing;
using nlohmann::json;

namespace {

/// Returns the text between the script tags of this id.
std::string script_of(const std::string& page, const std::string& id) {
    const std::size_t tag = page.find(" id=\"" + id + "\">");
    REQUIRE(tag != page.npos);
    const std::size_t begin = page.find('>', tag) + 1;
    return page.substr(begin, page.find("</script>", begin) - begin);
}

std::string from_base64(const std::string& text) {
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
        if (c == '=') break;
        bits = bits << 6 | static_cast<unsigned>(digits.find(c));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    return bytes;
}

std::string page_of(const std::string& arguments) {
    const ProgramRun run = run_program(arguments + " --html -");
    REQUIRE(run.status == 0);
    return run.output;
}

}  // namespace

TEST_CASE("html: the page holds the elements and says what they are") {
    const TemporaryFolder folder;
    for (const std::string dtype : {"float32", "float64", "float16", "bfloat16"}) {
        CAPTURE(dtype);
        const std::string table = "fairseq --d 6 --len 5 --start 3 --dtype " + dtype;
        const std::string page = page_of(table + " --cmap gray --vmin -2");
        const json head = json::parse(script_of(page, "head"));
        CHECK(head["dtype"] == dtype);
        CHECK(head["shape"] == json({5, 6}));
        CHECK(head["axes"][0]["positions"] == json({{"start", 3.0}, {"step", 1.0}}));
        CHECK(head["limits"][0] == -2);
        CHECK(head["colours"].get<std::string>().size() == 256 * 6);
        CHECK(head["colours"].get<std::string>().starts_with("000000010101"));
        CHECK(head["formula"].get<std::string>().find("sin(") != std::string::npos);
        CHECK(head["command"].get<std::string>().starts_with("pe-gen fairseq --len 5 --d 6"));
        REQUIRE(run_program(table + " --npy t.npy", folder.path("")).status == 0);
        const std::string npy = content(folder.path("t.npy"));
        const std::string elements = from_base64(script_of(page, "elements"));
        CHECK(elements == npy.substr(npy.size() - elements.size()));
        CHECK(elements.size() >= 5 * 6 * 2);
    }
}

TEST_CASE("html: a table of integers and of several axes, in C order") {
    const json head = json::parse(script_of(page_of("swin --table index --dtype int32"), "head"));
    CHECK(head["dtype"] == "int32");
    const json biases = json::parse(script_of(page_of("alibi --heads 2 --len 3"), "head"));
    CHECK(biases["shape"] == json({2, 3, 3}));
    CHECK(biases["axes"].size() == 3);
}

TEST_CASE("html: no text of the user's ends a tag") {
    const std::string evil = "</script><script>alert(1)</script><!-- \"'&";
    const std::string page =
        page_of("sinusoid --d 4 --len 3 --title " +
                ("'</script><script>alert(1)</script><!-- \"'\\''&'" + std::string()));
    CHECK(page.find("alert(1)</script>") == page.npos);
    CHECK(page.find("<script>alert") == page.npos);
    CHECK(json::parse(script_of(page, "head"))["title"] == evil);
}

TEST_CASE("html: the page loads nothing, and allows its own script and style only") {
    const std::string page = page_of("sinusoid --d 4 --len 3");
    CHECK(page.find("content=\"default-src 'none'; script-src 'sha256-") != page.npos);
    for (const char* loading : {" src=", "@import", "url(", "connect-src", "unsafe-"}) {
        CAPTURE(loading);
        CHECK(page.find(loading) == page.npos);
    }
    CHECK(page.find("{script}") == page.npos);
}

TEST_CASE("html: the same command gives the same bytes") {
    const std::string arguments = "rope --d 64 --len 3000 --table sin --threads ";
    CHECK(page_of(arguments + "1") == page_of(arguments + "2"));
}

TEST_CASE("html: what a page cannot hold is refused") {
    const auto refusal_of = [](const std::string& arguments) {
        const ProgramRun run = run_program(arguments);
        CHECK(run.status == 2);
        return run.errors;
    };
    CHECK(refusal_of("sinusoid --d 1024 --len 4097 --html -") ==
          "pe-gen: --html: a page holds at most 2^22 values, and the table has 4195328; make it "
          "smaller, or use --png for a figure, --npy for the values\n");
    CHECK(refusal_of("sinusoid --figsize 3x2 --html -") ==
          "pe-gen: --figsize: has no effect without --png or --svg or --pdf\n");
    CHECK(refusal_of("sinusoid --title \x01 --html -") ==
          "pe-gen: --title: contains U+0001, which a page cannot show\n");
    CHECK(refusal_of("sinusoid --title \xef\xbf\xbf --html -") ==
          "pe-gen: --title: contains U+FFFF, which a page cannot show\n");
}
