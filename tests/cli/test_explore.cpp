#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/explore/replies.h"
#include "encodings/registry.h"
#include "files/npy.h"
#include "files/open_file.h"
#include "files/read_png.h"
#include "files/temporary_folder.h"
#include "http/client.h"
#include "http/guard.h"
#include "program.h"

using namespace pegen;
using namespace pegen::testing;
using nlohmann::json;

namespace {

http::Reply reply_to(const std::string& target, const std::string& file = "") {
    http::Request request = *http::parsed_target(target);
    request.is_post = !file.empty();
    request.body = file;
    return cli::answer(request);
}

json json_of(const std::string& target) {
    const http::Reply reply = reply_to(target);
    CAPTURE(reply.body.substr(0, 300));
    CHECK(reply.status == 200);
    return json::parse(reply.body);
}

/// A reply that begins with a line of JSON, followed by other data.
struct Frame {
    json head;
    std::string rest;
};

Frame frame_of(const http::Reply& reply) {
    CAPTURE(reply.body.substr(0, 300));
    REQUIRE(reply.status == 200);
    const std::size_t end = reply.body.find('\n');
    return {json::parse(reply.body.substr(0, end)), reply.body.substr(end + 1)};
}

/// Returns the refusal of a request as "STATUS OPTION: MESSAGE".
std::string refusal_of(const std::string& target, const std::string& file = "") {
    const http::Reply reply = reply_to(target, file);
    const json error = json::parse(reply.body);
    return std::to_string(reply.status) + " " + error["option"].dump() + ": " +
           error["message"].get<std::string>();
}

std::string file_of(const std::string& arguments, const std::string& format) {
    const TemporaryFolder folder;
    REQUIRE(run_program(arguments + " --" + format + " t", folder.path("")).status == 0);
    return content(folder.path("t"));
}

std::string npy_of(const std::string& arguments) { return file_of(arguments, "npy"); }

json arrays_in(const std::string& file) {
    return json::parse(reply_to("/arrays?named=a.file", file).body)["arrays"];
}

/// A process of `pe-gen explore`.
class Explorer {
  public:
    explicit Explorer(const std::string& arguments) {
        int ends[2];
        REQUIRE(::pipe(ends) == 0);
        child_ = ::fork();
        if (child_ == 0) {
            ::dup2(ends[1], STDOUT_FILENO);
            ::close(ends[0]);
            ::close(ends[1]);
            const std::string command = "exec '" PEGEN_PROGRAM "' explore --no-open " + arguments;
            ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
            ::_exit(127);
        }
        ::close(ends[1]);
        for (char c; ::read(ends[0], &c, 1) == 1 && c != '\n';) address_ += c;
        ::close(ends[0]);
    }
    Explorer(const Explorer&) = delete;
    Explorer& operator=(const Explorer&) = delete;
    ~Explorer() {
        if (child_ > 0) end(SIGKILL);
    }

    const std::string& address() const { return address_; }
    int port() const { return std::stoi(address_.substr(address_.find(':', 6) + 1)); }

    /// Ends the process. Returns the signal that ended it, or 0.
    int end(int signal) {
        ::kill(child_, signal);
        int status = 0;
        ::waitpid(std::exchange(child_, 0), &status, 0);
        return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }

  private:
    pid_t child_ = 0;
    std::string address_;
};

}  // namespace

TEST_CASE("explore: it says its address, answers there and ends by Ctrl-C") {
    Explorer explorer("fairseq --d 64 --title 'a b'");
    CHECK(explorer.address() ==
          "http://127.0.0.1:" + std::to_string(explorer.port()) + "/#fairseq?d=64&title=a%20b");
    const std::string page = get(explorer.port(), "/");
    CHECK(status_of(page) == 200);
    CHECK(page.find("text/html") != page.npos);
    const json specs = json::parse(content_of(get(explorer.port(), "/specs")));
    CHECK(specs["start"] == "sinusoid");
    // The answers do not reveal which files exist.
    for (const char* where :
         {"/draw/", "/draw/sinusoid?beside=", "/draw/sinusoid?plot=wavelengths&with="}) {
        const std::string reply = get(explorer.port(), std::string(where) + "%2Fetc%2Fpasswd");
        CHECK(status_of(reply) == 400);
        CHECK(reply.find("/etc/passwd': no such encoding, preset or command") != reply.npos);
    }
    CHECK(explorer.end(SIGINT) == SIGINT);
}

TEST_CASE("explore: a file of the command is given to the page, as NPY") {
    const TemporaryFolder folder;
    REQUIRE(run_program("rope --len 4 --d 8 --npz 'a b.npz'", folder.path("")).status == 0);
    for (const char* name : {"", "fairseq "}) {
        const std::string path = "'" + folder.path("a b.npz") + ":cos'";
        Explorer explorer(name + path + " --d 8");
        CHECK(explorer.address().ends_with("?d=8&file=a%20b.npz%3Acos"));
        const std::string reply = get(explorer.port(), "/given");
        CHECK(status_of(reply) == 200);
        CHECK(content_of(reply) == npy_of("rope --len 4 --d 8 --table cos"));
    }
    CHECK(status_of(get(Explorer("fairseq").port(), "/given")) == 404);
}

TEST_CASE("explore: what the page could not show is refused at once") {
    for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
             {"fairsec", "'fairsec': no such encoding, preset or command; did you mean 'fairseq'"},
             {"fairseq --dd 4", "--dd: unknown option"},
             {"rope --config config.json", "--config: names a file, which a page does not"},
             {"sinusoid --npy a.npy", "--npy: names a file, which a page does not"},
             {"sinusoid --port 70000", "--port 70000: must be between 0 and 65535"},
             {"sinusoid --d x", "--d x: "},
             {"sinusoid extra", "unexpected argument 'extra'"},
             {"sinusoid a.npy b.npy", "unexpected argument 'b.npy'"},
             {"--host=0.0.0.0",
              "--host: unknown option of explore; the page is served to this machine alone"},
             {"sinusoid --bind ::", "type ssh -L 8000:127.0.0.1:8000 THIS-MACHINE there"},
             {"shaw --seed 6", "--seed: has no effect on the table index, only on"},
             {"--port 0 --threads=1 sinusoid --d 7x", "--d 7x: "},
             {"plot", "plot: is made of files, which a page does not name"}}) {
        // A server that starts by mistake would never end, hence the timeout.
        const ProgramRun run =
            run_shell("timeout 60 '" PEGEN_PROGRAM "' explore --no-open " + arguments, ".");
        const std::string& shown = arguments;
        CAPTURE(shown);
        CAPTURE(run.output);
        CHECK(run.status == 2);
        CHECK(run.output.find(message) != std::string::npos);
    }
}

TEST_CASE("explore: the page allows its own script and style only, by their hashes") {
    const http::Reply reply = reply_to("/");
    CHECK(reply.type == "text/html; charset=utf-8");
    REQUIRE(reply.headers.size() == 1);
    const std::string& policy = reply.headers[0].second;
    CHECK(policy.starts_with("default-src 'none'; script-src 'sha256-"));
    CHECK(policy.find("unsafe") == policy.npos);
    CHECK(policy.find("frame-ancestors 'none'") != policy.npos);
    for (const char* remote : {"http:", "https:", "//cdn", "@import", "url("}) {
        CAPTURE(remote);
        CHECK(reply.body.find(std::string("src=\"") + remote) == reply.body.npos);
        CHECK(reply.body.find(std::string("href=\"") + remote) == reply.body.npos);
    }
    CHECK(reply.body.find("{style}") == reply.body.npos);
    CHECK(reply.body.find("{script}") == reply.body.npos);
}

TEST_CASE("explore: the page gets every encoding and preset, and no parameter that names a file") {
    const json specs = json_of("/specs");
    CHECK(specs["encodings"].size() == all_encodings().size());
    CHECK(specs["presets"].size() == all_presets().size());
    for (std::size_t i = 0; i < all_encodings().size(); ++i) {
        std::vector<std::string> names, wanted;
        for (const json& parameter : specs["encodings"][i]["parameters"]) {
            names.push_back(parameter["name"]);
        }
        for (const ParameterSpec& spec : all_encodings()[i]->parameters) {
            if (spec.type != ParameterType::path) wanted.emplace_back(spec.name);
        }
        CHECK(names == wanted);
    }
    std::set<std::string> of_figure;
    for (const json& parameter : specs["figure"]) {
        CHECK(parameter["type"] != "path");
        of_figure.insert(parameter["name"]);
    }
    CHECK(of_figure.contains("cmap"));
    CHECK(!of_figure.contains("show-size"));  // of figures in a terminal
    CHECK(!of_figure.contains("animate"));    // the page draws stills
    for (const json& preset : specs["presets"]) {
        if (preset["name"] != "fairseq") continue;
        CHECK(preset["settings"]["zero-row"] == "1");
        CHECK(preset["note"].get<std::string>().find("padding") != std::string::npos);
    }
}

TEST_CASE("explore: every encoding and preset is drawn and described") {
    const auto check = [](std::string_view name) {
        CAPTURE(name);
        const Frame frame = frame_of(reply_to("/draw/" + std::string(name)));
        CHECK(frame.head["pictures"].size() == 1);
        CHECK(frame.head["pictures"][0]["bytes"] == frame.rest.size());
        CHECK(frame.head["axes"].size() == frame.head["shape"].size());
        for (std::size_t i = 0; i < frame.head["axes"].size(); ++i) {
            CHECK(frame.head["axes"][i]["size"] == frame.head["shape"][i]);
        }
        CHECK(reply_to("/about/" + std::string(name)).status == 200);
    };
    for (const Encoding* encoding : all_encodings()) check(encoding->name);
    for (const Preset& preset : all_presets()) check(preset.name);
}

TEST_CASE("explore: the picture's command makes the file that is downloaded") {
    const TemporaryFolder folder;
    const std::string query = "?d=12&len=20&cmap=viridis&figsize=3x2&reverse=true";
    const Frame frame = frame_of(reply_to("/draw/whisper" + query));
    const std::string command = frame.head["command"];
    CHECK(command ==
          "pe-gen whisper --len 20 --d 12 --reverse --cmap viridis --figsize 3x2 --png "
          "whisper.png");
    REQUIRE(run_program(command.substr(7), folder.path("")).status == 0);
    const http::Reply file = reply_to("/file/png/whisper" + query);
    CHECK(file.body == content(folder.path("whisper.png")));
    CHECK(file.headers == std::vector<http::Field>{
                              {"Content-Disposition", "attachment; filename=\"whisper.png\""}});
    const PngContents png = decode_png(std::as_bytes(std::span(file.body)), "");
    CHECK(frame.head["pictures"][0]["width"] == png.width);
    CHECK(frame.head["pictures"][0]["height"] == png.height);
    REQUIRE(frame.rest.size() == 768 + png.rgb.size() / 3);
    std::string rgb;
    for (const char pixel : frame.rest.substr(768)) {
        rgb +=
            frame.rest.substr(3 * static_cast<std::size_t>(static_cast<unsigned char>(pixel)), 3);
    }
    CHECK(std::ranges::equal(std::as_bytes(std::span(rgb)), std::as_bytes(std::span(png.rgb))));
}

TEST_CASE("explore: what was set for another table is no part of the command") {
    for (const auto& [target, command] : std::vector<std::pair<std::string, std::string>>{
             {"/draw/shaw?seed=6", "pe-gen shaw --png shaw.png"},
             {"/draw/rope?table=wavelengths&keep-channels=::2",
              "pe-gen rope --table wavelengths --png rope.png"},
             {"/draw/sinusoid?table=frequencies&view=channels-first",
              "pe-gen sinusoid --table frequencies --png sinusoid.png"}}) {
        CHECK(frame_of(reply_to(target)).head["command"] == command);
    }
    CHECK(json_of("/cell/ddpm?len=16&d=6&view=channels-last&table=frequencies&at=0")["command"] ==
          "pe-gen explain ddpm --len 16 --d 6 --table frequencies --at 0");
}

TEST_CASE("explore: a picture is drawn for the pixels that the page has") {
    const Frame wide = frame_of(reply_to("/draw/sinusoid?d=8&len=9&within=500x1000"));
    CHECK(wide.head["pictures"][0]["width"] == 500);
    CHECK(wide.head["pictures"][0]["height"] == 400);
    const Frame high = frame_of(reply_to("/draw/sinusoid?d=8&len=9&within=4000x80"));
    CHECK(high.head["pictures"][0]["height"] == 80);
    CHECK(high.head["command"] == "pe-gen sinusoid --len 9 --d 8 --png sinusoid.png");
    const auto size_of = [](const std::string& query) {
        const json picture = frame_of(reply_to("/draw/sinusoid?d=8&len=9&within=500x300&" + query))
                                 .head["pictures"][0];
        return fmt::format("{}x{}", picture["width"].get<int>(), picture["height"].get<int>());
    };
    CHECK(size_of("density=1") == "500x300");
    CHECK(size_of("density=2.5") == "500x300");
    CHECK(size_of("density=1&figsize=4x4") == "300x300");
    CHECK(size_of("density=1&for=slide") != "500x300");
    CHECK(refusal_of("/draw/sinusoid?within=63x100").starts_with("400 \"within\": "));
    CHECK(refusal_of("/draw/sinusoid?density=0").starts_with("400 \"density\": "));
    CHECK(refusal_of("/draw/sinusoid?within=100x5000").starts_with("400 \"within\": "));
}

TEST_CASE("explore: a figure on a dark page is dark, unless it has a theme") {
    const auto pixels_of = [](const std::string& query) {
        return frame_of(reply_to("/draw/sinusoid?d=8&len=9&" + query)).rest;
    };
    CHECK(pixels_of("dark=true") == pixels_of("theme=dark"));
    CHECK(pixels_of("dark=false") == pixels_of("theme=light"));
    CHECK(pixels_of("dark=true&theme=light") == pixels_of("theme=light"));
    CHECK(pixels_of("dark=true") != pixels_of("dark=false"));
}

TEST_CASE("explore: a panel says which cells its pixels show") {
    const Frame frame = frame_of(reply_to("/draw/alibi?heads=4&len=8&select=2"));
    const json& panels = frame.head["pictures"][0]["panels"];
    REQUIRE(panels.size() == 1);
    CHECK(panels[0]["base"] == 2 * 8 * 8);
    CHECK(panels[0]["rows"] == 8);
    CHECK(panels[0]["columns"] == 8);
    const Frame all = frame_of(reply_to("/draw/alibi?heads=4&len=8"));
    REQUIRE(all.head["pictures"][0]["panels"].size() == 4);
    CHECK(all.head["pictures"][0]["panels"][3]["base"] == 3 * 8 * 8);
    const Frame waves = frame_of(reply_to("/draw/sinusoid?plot=waves"));
    CHECK(waves.head["pictures"][0]["panels"].empty());
}

TEST_CASE("explore: the values are the elements of the file") {
    const Frame frame = frame_of(reply_to("/values/fairseq?d=6&len=5&dtype=float64"));
    CHECK(frame.head["shape"] == json({5, 6}));
    CHECK(frame.head["dtype"] == "float64");
    CHECK(frame.head["axes"][1]["kind"] == "channel");
    const std::string npy = npy_of("fairseq --d 6 --len 5 --dtype float64");
    CHECK(frame.rest == npy.substr(npy.size() - 5 * 6 * 8));
}

TEST_CASE("explore: curves go through a cell along the last two axes") {
    const json curves = json_of("/curves/sinusoid?d=4&len=3&dtype=float64&at=1,3")["curves"];
    REQUIRE(curves.size() == 2);
    CHECK(curves[0]["name"] == "channel 3");
    CHECK(curves[0]["values"].size() == 3);
    CHECK(curves[1]["name"] == "position 1");
    CHECK(curves[1]["values"].size() == 4);
    CHECK(curves[0]["values"][1] == curves[1]["values"][3]);
    const json of_grid = json_of("/curves/mae?d=8&height=2&width=3&at=1,1,5")["curves"];
    CHECK(of_grid == json_of("/curves/mae?d=8&height=2&width=3&at=4,5")["curves"]);
    const json both = json_of("/curves/sinusoid?d=4&len=3&at=1,3&beside=fairseq")["curves"];
    CHECK(both[0]["beside"]["name"] == "fairseq");
    CHECK(both[0]["values"] == curves[0]["values"]);
    CHECK(both[0]["beside"]["values"] ==
          json_of("/curves/fairseq?d=4&len=3&dtype=float64&at=1,3")["curves"][0]["values"]);
    const json shorter = json_of("/curves/sinusoid?d=4&len=3&at=1,3&beside=vaswani%20--len%202");
    CHECK(shorter["curves"][0]["beside"]["values"][2] == nullptr);
    const json long_one = json_of("/curves/sinusoid?d=4&len=100000&at=1,3")["curves"];
    CHECK(long_one[0]["step"] == 50);
    CHECK(long_one[0]["values"].size() == 2000);
    CHECK(json_of("/curves/sinusoid?d=8&table=frequencies&at=2")["curves"].size() == 1);
}

TEST_CASE("explore: a second encoding has the size of the first, and what separates them is said") {
    const Frame frame = frame_of(reply_to("/draw/fairseq?d=16&len=20&beside=hf-marian"));
    CHECK(frame.head["pictures"].size() == 3);
    CHECK(frame.head["pictures"][1]["label"] == "hf-marian");
    CHECK(frame.head["pictures"][2]["of"] == "difference");
    const std::string titled = "/draw/sinusoid?d=8&len=9&beside=sinusoid%20--start%202&title=";
    CHECK(frame_of(reply_to(titled + "mine")).rest != frame_of(reply_to(titled + "yours")).rest);
    const Frame wavelengths =
        frame_of(reply_to("/draw/sinusoid?d=8&len=9&beside=rope&plot=wavelengths"));
    CHECK(wavelengths.head["pictures"].size() == 2);
    const Frame shorter =
        frame_of(reply_to("/draw/mae?d=8&height=3&width=4&beside=sinusoid%20--len%205"));
    CHECK(shorter.head["pictures"][2]["panels"][0]["rows"] == 5);
    CHECK(frame.head["comparison"]["sentences"][1].get<std::string>().find(
              "of 320 values differ") != std::string::npos);
    const Frame shifted =
        frame_of(reply_to("/draw/sinusoid?d=16&len=20&beside=sinusoid%20--start%202"));
    const std::string sentence = shifted.head["comparison"]["sentences"][0];
    CHECK(sentence == "sinusoid from row 2 on is sinusoid --start 2.");
    const auto label_with = [](const std::string& options) {
        return frame_of(reply_to("/draw/sinusoid?d=8&len=9&beside=sinusoid" + options))
            .head["pictures"][1]["label"];
    };
    const std::string options = "%20--base%2012345.6789012345%20--out-scale%200.25";
    CHECK(label_with(options + "%20--start%2012") ==
          "sinusoid --base 12345.6789012345 --start 12 --out-scale 0.25");
    CHECK(label_with(options + "%20--start%20123") == "sinusoid");
    // The table of differences has no sines for the dot products of its cosines; three pictures are
    // drawn nevertheless.
    for (const char* plot : {"similarity", "offsets"}) {
        const Frame scored = frame_of(
            reply_to(fmt::format("/draw/rope?d=8&len=9&beside=rope%20--base%2010&plot={}", plot)));
        CHECK(scored.head["pictures"].size() == 3);
    }
}

TEST_CASE("explore: the colours of a difference span its own values, however small") {
    const Frame frame =
        frame_of(reply_to("/draw/sinusoid?len=9&d=8&beside=sinusoid%20--out-scale%201.001"));
    const json& picture = frame.head["pictures"][2];
    REQUIRE(picture["of"] == "difference");
    const std::size_t width = picture["width"], height = picture["height"];
    const std::string pixels = frame.rest.substr(frame.rest.size() - width * height);
    std::set<char> inside;  // away from texts
    for (std::size_t y = 2 * height / 5; y < 3 * height / 5; ++y) {
        const auto line = pixels.begin() + static_cast<std::ptrdiff_t>(y * width);
        inside.insert(line + static_cast<std::ptrdiff_t>(width / 5),
                      line + static_cast<std::ptrdiff_t>(3 * width / 5));
    }
    CHECK(inside.size() > 8);
}

TEST_CASE("explore: a file is compared in the size that it has, and is not kept") {
    const Frame frame =
        frame_of(reply_to("/draw/sinusoid", npy_of("sinusoid --d 24 --len 30 --start 2")));
    CHECK(frame.head["shape"] == json({30, 24}));
    CHECK(frame.head["pictures"].size() == 3);
    CHECK(frame.head["comparison"]["sentences"][0] == "sinusoid from row 2 on is the file.");
    CHECK(refusal_of("/draw/sinusoid", "no array").starts_with("400 null: the file: "));
    CHECK(refusal_of("/draw/sinusoid", npy_of("sinusoid --d 1024 --len 2000")) ==
          "400 null: the file has shape (2000, 1024): a page compares at most 1048576 values; "
          "pe-gen compare takes more");
    const Frame other = frame_of(reply_to("/draw/sinusoid", npy_of("alibi --heads 2 --len 4")));
    CHECK(other.head["pictures"].size() == 2);
}

TEST_CASE("explore: NPZ and safetensors with one array are compared as an NPY file is") {
    for (const std::string format : {"npz", "safetensors"}) {
        CAPTURE(format);
        const std::string table = "sinusoid --d 24 --len 30 --layout halves";
        const std::string one = file_of(table + " --table encoding", format);
        const Frame frame = frame_of(reply_to("/draw/sinusoid", one));
        const Frame expected = frame_of(reply_to("/draw/sinusoid", npy_of(table)));
        CHECK(frame.head == expected.head);
        CHECK(frame.rest == expected.rest);
        CHECK(reply_to("/identify", one).body == reply_to("/identify", npy_of(table)).body);
        const std::string several = file_of("rope --d 8 --len 4 --table cos,sin", format);
        for (const char* page : {"/draw/rope?named=a.file", "/identify?named=a.file"}) {
            CHECK(refusal_of(page, several) ==
                  "400 null: a.file: has 2 arrays; array=cos in the address names the first");
        }
    }
}

TEST_CASE(
    "explore: of a file of several arrays, the one that is named is compared and identified") {
    const std::string cos = npy_of("rope --d 8 --len 64 --table cos --dtype float32");
    for (const std::string format : {"npz", "safetensors"}) {
        CAPTURE(format);
        const std::string several =
            file_of("rope --d 8 --len 64 --table cos,sin --dtype float32", format);
        const json arrays = arrays_in(several);
        REQUIRE(arrays.size() == 2);
        CHECK(arrays[0] ==
              json{{"name", "cos"}, {"shape", {64, 8}}, {"dtype", "float32"}, {"usual", true}});
        for (const std::string name : {"cos", "sin"}) {
            CAPTURE(name);
            const std::string query = "named=a.file&array=" + name;
            const Frame frame = frame_of(reply_to("/draw/rope?table=cos&" + query, several));
            CHECK(frame.head["comparison"]["sentences"][0].get<std::string>().find(
                      "a.file:" + name) != std::string::npos);
            CHECK(reply_to("/identify?" + query, several)
                      .body.find("a.file:" + name + " is perhaps made by pe-gen rope") !=
                  std::string::npos);
        }
        const std::string draw = "/draw/rope?table=cos&named=a.file";
        CHECK(frame_of(reply_to(draw + "&array=cos", several)).rest ==
              frame_of(reply_to(draw + ":cos", cos)).rest);
        CHECK(refusal_of("/draw/rope?named=a.file&array=tan", several)
                  .starts_with("400 null: a.file: "));
    }
    CHECK(arrays_in(cos).empty());
}

TEST_CASE("explore: a file of more arrays than anybody chooses among is refused") {
    std::string header = "{";
    for (int i = 0; i < 4097; ++i) {
        header +=
            fmt::format(R"({}"a{}": {{"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}})",
                        i ? "," : "", i);
    }
    header += "}";
    std::string file;
    for (int i = 0; i < 8; ++i) file += static_cast<char>(header.size() >> 8 * i & 0xff);
    CHECK(refusal_of("/arrays?named=a.file", file + header) ==
          "400 null: a.file: has 4097 arrays: a page lists at most 4096; pe-gen info lists all");
}

TEST_CASE("explore: a plot that would keep too many values is refused") {
    CHECK(
        refusal_of("/draw/sam?d=12&height=46&width=46&plot=patches")
            .starts_with("400 \"plot\": --plot patches: takes too long for a page with 2116 rows"));
    CHECK(reply_to("/draw/sam?d=12&height=45&width=45&plot=patches").status == 200);
    CHECK(refusal_of("/draw/sinusoid?d=1024&len=4097&plot=decay")
              .starts_with(
                  "400 \"plot\": --plot decay: takes too long for a page with 4195328 values"));
}

TEST_CASE("explore: names and shapes that positions often have are usual") {
    const std::string header =
        R"({"lm_head.weight": {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]},)"
        R"( "encoder.embed_positions.weight": {"dtype": "F32", "shape": [2, 1], "data_offsets": [8, 16]},)"
        R"( "latents": {"dtype": "F32", "shape": [1, 2, 2], "data_offsets": [16, 32]},)"
        R"( "rel_pos.proj.weight": {"dtype": "F32", "shape": [2, 1], "data_offsets": [32, 40]}})";
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size() & 0xff);
    file[1] = static_cast<char>(header.size() >> 8);
    file += header + std::string(40, '\0');
    std::string usual;
    for (const json& array : arrays_in(file)) {
        if (array["usual"] == true) usual += array["name"].get<std::string>() + " ";
    }
    CHECK(usual == "encoder.embed_positions.weight latents ");
}

TEST_CASE("explore: the numbers of a text or of JSON are compared as those of an NPY file are") {
    const std::string table = "sinusoid --d 24 --len 30 --layout halves";
    const Frame expected = frame_of(reply_to("/draw/sinusoid", npy_of(table)));
    for (const std::string format : {"csv", "json"}) {
        CAPTURE(format);
        const Frame frame = frame_of(reply_to("/draw/sinusoid", file_of(table, format)));
        CHECK(frame.head == expected.head);
        CHECK(frame.rest == expected.rest);
    }
    CHECK(refusal_of("/draw/sinusoid?named=a.json", R"({"weight_map": {"x": "a.safetensors"}})") ==
          "400 null: a.json: is an index of files beside it; name it by its path");
}

TEST_CASE("explore: beside another table a cell has the value of both") {
    const json own = json_of("/cell/sinusoid?d=16&len=20&at=3,5&beside=vaswani%20--start%202");
    CHECK(own["value"] == json_of("/cell/sinusoid?d=16&len=20&at=3,5")["value"]);
    const json other = json_of("/cell/vaswani?d=16&len=20&start=2&at=3,5");
    CHECK(own["beside"]["name"] == "vaswani --start 2");
    const auto float64_of = [](const json& cell) {
        for (const json& held : cell["dtypes"]) {
            if (held["dtype"] == "float64") return held["value"].get<std::string>();
        }
        return std::string();
    };
    CHECK(std::stod(own["beside"]["value"].get<std::string>()) == std::stod(float64_of(other)));
    CHECK(std::stod(own["beside"]["difference"].get<std::string>()) ==
          std::stod(float64_of(own)) - std::stod(float64_of(other)));

    const std::string file = npy_of("sinusoid --d 8 --len 20 --start 2");
    const http::Reply reply = reply_to("/cell/sinusoid?at=3,5", file);
    REQUIRE(reply.status == 200);
    const json of_file = json::parse(reply.body)["beside"];
    CHECK(of_file["name"] == "the file");
    const json held = json_of("/cell/sinusoid?d=8&len=20&at=5,5")["dtypes"][1]["value"];
    CHECK(std::stof(of_file["value"].get<std::string>()) == std::stof(held.get<std::string>()));
    const json outside = json::parse(reply_to("/cell/sinusoid?d=16&at=3,9", file).body);
    CHECK(outside["beside"] ==
          json{{"name", "the file"}, {"value", nullptr}, {"difference", nullptr}});
}

TEST_CASE("explore: the start that makes the rows of a file is named, and what another file is") {
    const Frame shifted =
        frame_of(reply_to("/draw/fairseq", npy_of("fairseq --d 24 --len 30 --start 2")));
    CHECK(shifted.head["comparison"]["is_command_known"] == true);
    CHECK(shifted.head["comparison"]["sentences"].back() ==
          "the file is made by pe-gen fairseq --len 30 --d 24 --start 2.");
    const std::string other = npy_of("sinusoid --d 24 --len 30 --layout halves");
    CHECK(frame_of(reply_to("/draw/fairseq", other)).head["comparison"]["is_command_known"] ==
          false);
    CHECK(json::parse(reply_to("/identify", other).body)["sentence"] ==
          "the file is made by pe-gen sinusoid --len 30 --d 24 --layout halves, also called "
          "hf-marian, tf-tutorial, rope --table sin-cos.");
    CHECK(refusal_of("/identify", "no array").starts_with("400 null: the file: "));
    CHECK(refusal_of("/identify?named=mine.npy", "no array").starts_with("400 null: mine.npy: "));
    CHECK(frame_of(reply_to("/draw/fairseq?start=2&named=mine.npy", npy_of("fairseq --start 2")))
              .head["comparison"]["sentences"][0]
              .get<std::string>()
              .starts_with("fairseq --start 2 and mine.npy are the same table"));
    http::Request request = *http::parsed_target("/identify");
    request.is_post = true;
    request.body = other;
    request.is_given_up = [] { return true; };
    CHECK(cli::answer(request).status == 503);
    request.is_given_up = [] { return false; };
    request.arrival -= std::chrono::seconds(11);  // it has waited for a thread
    CHECK(cli::answer(request).status == 503);
}

TEST_CASE("explore: a request that cannot be met says the option that it is about") {
    for (const auto& [target, refusal] : std::vector<std::pair<std::string, std::string>>{
             {"/draw/sinusoid?d=7",
              "400 \"d\": --d 7: must be even with --odd error; use 6, 8 or --odd exact"},
             {"/draw/sinusoid?len=0x", "400 \"len\": --len 0x: integers are decimal"},
             {"/draw/sinusoid?cmap=jet", "400 \"cmap\": --cmap jet: must be one of "},
             {"/draw/sinusoid?foo=1", "400 \"foo\": --foo: unknown option"},
             {"/draw/sinusoid?npy=a.npy",
              "400 \"npy\": --npy: names a file, which a page does not"},
             {"/draw/rope?config=/etc/passwd", "400 \"config\": --config: names a file"},
             {"/draw/sinusoid?positions-file=-", "400 \"positions-file\": --positions-file: names"},
             {"/draw/sinusoid?font=/etc/passwd", "400 \"font\": --font: names a file"},
             {"/draw/sinusoid?output=a.png", "400 \"output\": --output: names a file"},
             {"/draw/sinusoid?emit=c", "400 \"emit\": --emit: is not for a page"},
             {"/draw/sinusoid?threads=4", "400 \"threads\": --threads: is not for a page"},
             {"/draw/sinusoid?version=true", "400 \"version\": --version: is not for a page"},
             {"/draw/rope?table=cos,sin", "400 \"table\": --table cos,sin: a page shows one table"},
             {"/draw/rope?table=all", "400 \"table\": --table all: a page shows one table"},
             {"/draw/plot", "400 null: plot: is made of files, which a page does not name"},
             {"/draw/concat", "400 null: concat: is made of files, which a page does not name"},
             {"/draw/nope", "400 null: 'nope': no such encoding"},
             {"/draw/sinusoid?beside=plot", "400 null: plot: is made of files"},
             {"/draw/sinusoid?beside=rope%20--config%20/etc/passwd",
              "400 null: rope --config /etc/passwd: --config: names a file"},
             {"/draw/sinusoid?beside=%20", "400 null: beside: needs the name of an encoding"},
             {"/draw/sinusoid?beside=vaswani%20--d%207", "400 null: vaswani --d 7: --d 7: "},
             {"/curves/sinusoid?at=99999,3",
              "400 \"at\": --at 99999,3: the axis position has indices 0 to"},
             {"/curves/sinusoid?at=-1,3",
              "400 \"at\": --at -1,3: the axis position has indices 0 to"},
             {"/curves/sinusoid", "400 \"at\": --at '': must be 2 indices"},
             {"/file/npz/sinusoid", "400 null: npz: is no format of a file of one table"},
             {"/file/show/sinusoid", "400 null: show: is no format of a file of one table"},
             {"/draw", "404 null: there is nothing at this address"},
             {"/draw/sinusoid/x", "404 null: there is nothing at this address"},
             {"/../etc/passwd", "404 null: there is nothing at this address"}}) {
        const std::string& asked = target;
        CAPTURE(asked);
        const std::string actual = refusal_of(target);
        CAPTURE(actual);
        CHECK(actual.starts_with(refusal));
    }
    CHECK(refusal_of("/values/sinusoid", "file") == "405 null: takes no file: use GET");
}

TEST_CASE("explore: a page asks for a bounded number of values and pixels") {
    for (const auto& [target, refusal] : std::vector<std::pair<std::string, std::string>>{
             {"/draw/sinusoid?len=1000000000&d=128", "has more than the 16777216 values"},
             {"/draw/sinusoid?d=2&len=9007199254740992", "has more than the 16777216 values"},
             {"/values/sinusoid?len=100000&d=128", "has more than the 4194304 values"},
             {"/file/csv/sinusoid?len=100000&d=128", "has more than the 4194304 values"},
             {"/draw/sinusoid?len=100000&d=128&beside=vaswani", "has more than the 1048576 values"},
             {"/draw/learned?burn=1048575&len=16384&d=1024", "takes too long for a page"},
             {"/cell/learned?burn=1048575&len=16384&d=1024&at=0,0", "takes too long for a page"},
             {"/draw/random-fourier?height=4096&width=4096&d=1048576&keep-channels=0", "takes too"},
             {"/draw/sandwich?heads=1&len=4096&key-len=4096&d=1048576", "takes too long"},
             {"/curves/fire?heads=1&len=1&key-len=16777216&width=65536&at=0,0,0", "takes too long"},
             {"/draw/sinusoid?len=16384&d=1024&plot=similarity", "takes too long for a page"},
             {"/file/svg/sinusoid?len=16384&d=256&plot=offsets", "takes too long for a page"},
             {"/draw/sinusoid?d=262144&len=16", "more than the 32768 columns or channels"},
             {"/draw/sinusoid?d=65536&len=16&keep-channels=0",
              "more than the 32768 columns or channels"},
             {"/draw/rope?d=65536&len=16&view=channels-first",
              "more than the 32768 columns or channels"},
             {"/cell/kerple?len=1&key-len=262144&at=0,0,0",
              "more than the 32768 columns or channels"},
             {"/draw/sandwich?heads=1&len=4&key-len=16&d=65536",
              "more than the 32768 columns or channels"},
             {"/draw/sinusoid?plot=wavelengths&with=rope%20--d%20262144;rope%20--d%20262144",
              "--with: takes too long for a page"},
             {"/draw/sinusoid?dpi=10000", "a page draws at most 16777216 pixels"},
             {"/file/png/sinusoid?figsize=1000x1000", "a page draws at most 16777216 pixels"},
             {"/draw/sinusoid?len=16384&d=16&plot=similarity&no-axes=true",
              "a page draws at most 16777216 pixels"},
             {"/file/svg/sinusoid?len=8000&d=16&plot=similarity&no-axes=true",
              "a page draws at most 16777216 pixels"},
             {"/draw/sinusoid?cell=4096", "a page draws at most 16777216 pixels"}}) {
        const std::string& asked = target;
        CAPTURE(asked);
        const std::string actual = refusal_of(target);
        CAPTURE(actual);
        CHECK(actual.starts_with("400 "));
        CHECK(actual.find(refusal) != std::string::npos);
    }
}

TEST_CASE("explore: what nobody waits for is given up") {
    const std::string file = npy_of("random-fourier --d 8 --height 4 --width 4");
    for (const char* target :
         {"/draw/sinusoid?len=20000&d=512", "/draw/sinusoid?len=20000&d=512&view=channels-first",
          "/cell/fire?heads=1&len=1&key-len=32768&width=1&at=0,0,0",
          "/curves/kerple?heads=1&len=1&key-len=32768&kind=power&dtype=float64&at=0,0,0",
          "/draw/xpos?len=1&d=32768&dtype=float64", "/identify"}) {
        CAPTURE(target);
        http::Request request = *http::parsed_target(target);
        request.is_post = std::string_view(target) == "/identify";
        if (request.is_post) request.body = file;
        std::atomic<int> asked = 0;
        request.is_given_up = [&] { return ++asked > 3; };
        const http::Reply reply = cli::answer(request);
        CHECK(reply.status == 503);
        CHECK(asked < 10);
    }
}
