#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "cli/process.h"
#include "core/signals.h"
#include "encodings/registry.h"
#include "figure/plot.h"
#include "files/npy.h"
#include "files/temporary_folder.h"
#include "program.h"

using namespace pegen;
using pegen::testing::content;
using pegen::testing::put;
using pegen::testing::TemporaryFolder;

namespace {

struct Refusal {
    const char* arguments;
    int status;
    const char* message;  ///< without "pe-gen: "
};

void check_refusals(std::initializer_list<Refusal> refusals) {
    for (const Refusal& refusal : refusals) {
        CAPTURE(refusal.arguments);
        const TemporaryFolder folder;
        const ProgramRun run = run_program(refusal.arguments, folder.path(""));
        CHECK(run.status == refusal.status);
        CHECK(run.errors == std::string("pe-gen: ") + refusal.message + "\n");
        CHECK(run.output.empty());
        CHECK(folder.names().empty());
    }
}

/// Returns the texts of a figure, each followed by "|".
std::string texts_in(const std::string& svg) {
    std::string texts;
    for (std::size_t at = 0; (at = svg.find("<text ", at)) != std::string::npos;) {
        const std::size_t begin = svg.find('>', at) + 1;
        at = svg.find("</text>", begin);
        texts += svg.substr(begin, at - begin) + "|";
    }
    return texts;
}

using Words = std::vector<std::string>;

Words operator+(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// Options that make every table of the encoding small.
Words small_extents(const Encoding& encoding, std::string_view settings = "") {
    // If the points have one axis, the table has no height.
    const bool has_one_axis = settings.find("--axes x ") != settings.npos;
    Words options;
    for (const ParameterSpec& spec : encoding.parameters) {
        const bool is_height = spec.name == "height";
        if (spec.name == "len" || spec.name == "width" || (is_height && !has_one_axis)) {
            options.push_back(fmt::format("--{}", spec.name));
            options.emplace_back(is_height ? "4" : "8");
        }
    }
    return options;
}

/// Every encoding and every preset, with the options that make its tables small.
struct SmallTable {
    std::string name;
    const Encoding* encoding;
    Words options;

    Words command() const { return Words{name} + options; }
};

std::vector<SmallTable> all_small_tables() {
    std::vector<SmallTable> tables;
    const auto add = [&](std::string_view name, const Encoding* encoding,
                         std::string_view settings) {
        tables.push_back({std::string(name), encoding, small_extents(*encoding, settings)});
    };
    for (const Encoding* encoding : all_encodings()) add(encoding->name, encoding, "");
    for (const Preset& preset : all_presets()) add(preset.name, preset.encoding, preset.settings);
    return tables;
}

bool is_one_line(const std::string& text) {
    return !text.empty() && text.find('\n') == std::string::npos;
}

/// Draws a figure to an SVG file and returns the run. Adds --select if the first message asks for
/// it.
ProgramRun draw(const Words& command, const std::string& path) {
    const Words drawn = command + Words{"--svg", path};
    ProgramRun run = run_in_process(drawn);
    if (run.status == 2 && run.errors.find("--select") != std::string::npos) {
        run = run_in_process(drawn + Words{"--select", "0"});
    }
    return run;
}

}  // namespace

TEST_CASE("program: the first command of the README draws a figure and prints nothing") {
    const TemporaryFolder folder;
    const ProgramRun run = run_program("sinusoid --d 128 --len 400 --png out.png", folder.path(""));
    CHECK(run.status == 0);
    CHECK(run.output.empty());
    CHECK(run.errors.empty());
    CHECK(folder.names() == std::set<std::string>{"out.png"});
    CHECK(content(folder.path("out.png")).starts_with("\x89PNG\r\n\x1a\n"));
}

TEST_CASE("program: the texts of the figure are those of the notes") {
    CHECK(texts_in(run_program("sinusoid --d 128 --len 400 --svg -").output) ==
          "0|20|40|60|80|100|120|0|50|100|150|200|250|300|350|"
          "\u22121.00|\u22120.75|\u22120.50|\u22120.25|0.00|0.25|0.50|0.75|1.00|"
          "Embedding Dimension(d_model)|Sequence Position(max_len)|Positional Encoding Values|"
          "Positional Encoding (d_model=128, max_len=400)|");
}

TEST_CASE("program: a preset's figure has the preset's options, unless others are given") {
    CHECK(texts_in(run_program("note0 --svg -").output) ==
          "0|50|100|150|200|250|300|350|0|50|100|");
    CHECK(texts_in(run_program("note0 --no-colorbar=false --svg -").output)
              .ends_with("|Positional Encoding Values|"));
    CHECK(texts_in(run_program("note0 --title own --svg -").output).ends_with("|own|"));
    CHECK(texts_in(run_program("note0 --plot waves --svg -").output).find("note0: ") !=
          std::string::npos);
}

TEST_CASE("program: the words of attention are on the axes of its figure") {
    const Words words{"attention", "alibi", "--heads", "1", "--words", "the cat sat", "--svg", "-"};
    CHECK(texts_in(run_in_process(words).output).starts_with("the|cat|sat|the|cat|sat|"));
    CHECK(run_in_process(words + Words{"--tokens", "4"}).errors.find("--words 'the cat sat'") !=
          std::string::npos);
}

TEST_CASE("program: the bytes do not depend on the number of threads") {
    for (const auto& [d, len] : {std::pair(384, 3000), std::pair(34, 9000)}) {
        const std::string table =
            fmt::format("sinusoid --d {} --len {} --npy - --threads ", d, len);
        const std::string one = run_program(table + "1").output;
        CHECK(std::ssize(one) == 128 + 4 * d * len);
        CHECK((run_program(table + "2").output == one));
        CHECK((run_program(table + "7").output == one));
    }
}

TEST_CASE("program: threads that the environment asks for in vain are done without") {
    const std::string table = "learned --len 1000 --npy -";
    const std::string expected = run_program(table).output;
    for (const std::string environment :
         {"OMP_STACKSIZE=16k", "OMP_STACKSIZE=100G", "OMP_STACKSIZE=100000000",
          "GOMP_STACKSIZE=100000000", "GOMP_CPU_AFFINITY=63", "GOMP_CPU_AFFINITY=0,4095",
          "OMP_STACKSIZE=' 1 k '", "OMP_PLACES=threads", "OMP_PROC_BIND=true", "OMP_THREAD_LIMIT=1",
          "OMP_DYNAMIC=true"}) {
        CAPTURE(environment);
        const ProgramRun run =
            run_program("--version >/dev/null; " + environment + " '" PEGEN_PROGRAM "' " + table);
        CHECK(run.status == 0);
        CHECK((run.output == expected));
        if (!environment.ends_with("' 1 k '")) CHECK(run.errors.empty());
    }
}

TEST_CASE("program: without an output the table is printed as NumPy prints it") {
    const ProgramRun run = run_program("sinusoid --d 4 --len 3");
    CHECK(run.status == 0);
    CHECK(run.output ==
          "[[ 0.          1.          0.          1.        ]\n"
          " [ 0.84147096  0.5403023   0.00999983  0.99995   ]\n"
          " [ 0.9092974  -0.41614684  0.01999867  0.9998    ]]\n");
}

TEST_CASE("program: one run writes every format and all hold the same table") {
    const TemporaryFolder folder;
    const ProgramRun run = run_program(
        "whisper --d 6 --len 5 --npy t.npy --json t.json --csv t.csv --no-header --text t.txt",
        folder.path(""));
    CHECK(run.status == 0);
    CHECK(folder.names() == std::set<std::string>{"t.csv", "t.json", "t.npy", "t.txt"});
    const Table table = read_npy(folder.path("t.npy"));
    CHECK(table.shape == Shape{5, 6});
    const std::vector<double> values = read_rows(table, {0, 5});
    const auto json = nlohmann::json::parse(content(folder.path("t.json")));
    CHECK(json["encoding"] == "sinusoid");
    CHECK(json["preset"] == "whisper");
    CHECK(json["parameters"]["layout"] == "halves");
    CHECK(json["parameters"]["base"] == 10000);
    CHECK(json["axes"] == nlohmann::json{"position", "channel"});
    std::istringstream csv(content(folder.path("t.csv")));
    for (std::size_t row = 0; row < 5; ++row) {
        for (std::size_t channel = 0; channel < 6; ++channel) {
            const double value = values[row * 6 + channel];
            CHECK(json["data"][row][channel].get<float>() == value);
            float number = 0;
            csv >> number;
            csv.ignore(1);
            CHECK(number == value);
        }
    }
}

TEST_CASE("program: the extension chooses the format of --output") {
    const TemporaryFolder folder;
    CHECK(run_program("index --len 3 -o a.npy", folder.path("")).status == 0);
    CHECK(run_program("index --len 3 --npy b.npy", folder.path("")).status == 0);
    CHECK(content(folder.path("a.npy")) == content(folder.path("b.npy")));
}

TEST_CASE("program: a lone hyphen is standard output") {
    const TemporaryFolder folder;
    CHECK(run_program("index --len 3 --npy a.npy", folder.path("")).status == 0);
    CHECK(run_program("index --len 3 --npy -").output == content(folder.path("a.npy")));
}

TEST_CASE("program: a huge table starts at once and stops with its reader") {
    const ProgramRun run =
        run_program("sinusoid --d 512 --len 1000000000 --npy - | head -c 3000000 | wc -c");
    CHECK(run.output == "3000000\n");
    CHECK(run.errors == "");
}

TEST_CASE("program: a reader that goes ends the program by SIGPIPE, and no file is left") {
    const TemporaryFolder folder;
    const ProgramRun run = run_shell(
        "{ '" PEGEN_PROGRAM "' sinusoid --npy - --csv a.csv; echo $? >&3; } 3>status | true",
        folder.path(""));
    CHECK(run.output == "");
    CHECK(content(folder.path("status")) == "141\n");
    CHECK(folder.names() == std::set<std::string>{"status"});
}

TEST_CASE("program: where SIGPIPE is ignored, a reader that goes is a failure like any other") {
    const TemporaryFolder folder;
    const ProgramRun run = run_shell("trap '' PIPE; { '" PEGEN_PROGRAM
                                     "' sinusoid --npy -; echo $? >&3; } 3>status | true",
                                     folder.path(""));
    CHECK(run.output == "pe-gen: standard output: cannot write: Broken pipe\n");
    CHECK(content(folder.path("status")) == "4\n");
}

TEST_CASE("program: a repeated option counts for the last time it is given") {
    CHECK(run_program("index --len 3 --len 2").output == run_program("index --len 2").output);
}

TEST_CASE("program: names may be written with underscores and by their aliases") {
    const std::string expected = run_program("hf-marian --d 5 --len 4").output;
    CHECK(run_program("hf_marian --d_model 5 --max_len 4").output == expected);
    CHECK(run_program("hf-marian --hidden-size=5 --n-positions=4 --odd exact").output == expected);
    CHECK(run_program("sinusoid --dim 5 --length 4 --odd exact --layout halves").output ==
          expected);
}

TEST_CASE("program: the options of figures are for each figure, and in the help once") {
    const TemporaryFolder folder;
    const ProgramRun run =
        run_program("index --len 3 --cell 5 --png a.png --svg a.svg", folder.path(""));
    CHECK(run.status == 0);
    CHECK(content(folder.path("a.png")).substr(16, 8) == std::string("\0\0\0\5\0\0\0\17", 8));
    CHECK(content(folder.path("a.svg")).find("viewBox=\"0 0 5 15\"") != std::string::npos);
    const std::string help = run_program("index --help all").output;
    CHECK(help.find("--svg FILE") != std::string::npos);
    CHECK(help.find("Figure options") == help.rfind("Figure options"));
    CHECK(run_program("list").output.find("\n  svg ") != std::string::npos);
}

TEST_CASE("program: a figure is shown without escape sequences where there is no terminal") {
    const ProgramRun run = run_program("sinusoid --d 8 --len 6 --show --show-size 40x10");
    CHECK(run.status == 0);
    CHECK(std::count(run.output.begin(), run.output.end(), '\n') == 10);
    CHECK(run.output.find('\x1b') == std::string::npos);
    CHECK(run_program("sinusoid --len 6 --show --show-colors 256").output.find("\x1b[") !=
          std::string::npos);
    for (const auto& [arguments, message] : std::vector<std::pair<std::string, std::string>>{
             {"--show --figsize 3x3", "--figsize: has no effect without --png or --svg or --pdf"},
             {"--png a.png --show-size 80x24", "--show-size: has no effect without --show"},
             {"--show=x", "--show x: must be true or false"},
             {"--show --npy -", "--npy - and --show both need standard output"}}) {
        CHECK(run_program("sinusoid " + arguments).errors.find(message) != std::string::npos);
    }
}

TEST_CASE("program: every plot of every encoding is drawn or refused with a reason") {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.svg");
    for (const SmallTable& table : all_small_tables()) {
        // A preset has the same axes as its encoding, so it is skipped.
        if (find_preset(table.name)) continue;
        for (const Plot* plot : all_plots()) {
            CAPTURE(table.name);
            CAPTURE(plot->name);
            const ProgramRun run =
                draw(table.command() + Words{"--plot", std::string(plot->name)}, path);
            CAPTURE(run.errors);
            if (run.status == 0) {
                CHECK(texts_in(content(path)).find_first_of("{}") == std::string::npos);
                continue;
            }
            CHECK(plot != all_plots().front());
            CHECK(run.status == 2);
            CHECK(is_one_line(run.errors));
            // The message names an option that helps, or the encoding lacks the table that the plot
            // shows.
            const bool has_subject = find_table(*table.encoding, plot->name) != nullptr;
            const bool names_option = run.errors.find("--") != std::string::npos;
            CHECK((names_option || (plot->name == "wavelengths" && !has_subject)));
        }
    }
}

TEST_CASE("program: every table of every encoding is drawn, and no text has a brace left") {
    const TemporaryFolder folder;
    const std::string path = folder.path("a.svg");
    for (const Encoding* encoding : all_encodings()) {
        const Words command = Words{std::string(encoding->name)} + small_extents(*encoding);
        for (const TableSpec& table : encoding->tables) {
            CAPTURE(encoding->name);
            CAPTURE(table.name);
            const ProgramRun run = draw(command + Words{"--table", std::string(table.name)}, path);
            CAPTURE(run.errors);
            CHECK(run.status == 0);
            CHECK(texts_in(content(path)).find_first_of("{}") == std::string::npos);
        }
    }
}

TEST_CASE("program: info gives back the command of every encoding's and preset's files") {
    const TemporaryFolder folder;
    const std::string npy = folder.path("a.npy"), json = folder.path("a.json"),
                      png = folder.path("a.png");
    for (const SmallTable& table : all_small_tables()) {
        CAPTURE(table.name);
        const Words outputs{"--npy", npy, "--json", json, "--png", png, "--figsize", "3x3"};
        ProgramRun run = run_in_process(table.command() + outputs);
        if (run.errors.find("--select") != std::string::npos) {
            run = run_in_process(table.command() + outputs + Words{"--select", "0"});
        }
        CAPTURE(run.errors);
        REQUIRE(run.status == 0);
        for (const std::string& path : {npy, json, png}) {
            const ProgramRun info = run_in_process({"info", path});
            CHECK(info.status == 0);
            const bool has_command =
                info.output.find("pe-gen " + table.name + " --") != std::string::npos;
            CHECK(has_command == (path != npy));
        }
        const ProgramRun diff = run_in_process(Words{"diff", npy, "--"} + table.command());
        CHECK(diff.status == 0);
        CHECK(diff.output.find("equal: all values are the same") != std::string::npos);
    }
}

TEST_CASE("program: signals have no effect once the files of a command are in their places") {
    const TemporaryFolder folder;
    const std::string npy = folder.path("a.npy"), png = folder.path("a.png");
    for (const Words& command :
         {Words{"index", "--len", "3", "--npy", npy}, Words{"diff", npy, npy, "--png", png},
          Words{"check", "sinusoid", "--d", "4", "--len", "9", "--png", png}}) {
        CAPTURE(command.front());
        const ProgramRun run = run_in_process(command);
        CHECK(run.status == 0);
        CHECK(run.ignores_signals);
    }
    CHECK_FALSE(run_in_process({"list"}).ignores_signals);
}

TEST_CASE("program: an exception that nobody foresaw is a failure as others are") {
    const auto failure_of = [](const auto& exception) {
        try {
            throw exception;
        } catch (...) {
            return cli::current_failure();
        }
    };
    CHECK(failure_of(std::logic_error("no such\nthing")).message ==
          "a fault of pe-gen's: no such\\x0athing");
    CHECK(failure_of(std::logic_error("")).status == cli::ExitStatus::fault);
    CHECK(failure_of(7).status == cli::ExitStatus::fault);
    CHECK_THROWS_AS(failure_of(PostponedSignals::Waiting()), PostponedSignals::Waiting);
}

TEST_CASE("program: a standard error that cannot be written changes nothing else") {
    for (const char* command :
         {"sinusiod", "info none.npy", "rope --config config.json", "batch good.json",
          "batch bad.json", "batch bad.json --check", "index --npy /dev/full"}) {
        CAPTURE(command);
        const auto run_with = [&](const std::string& redirection) {
            const TemporaryFolder folder;
            put(folder.path("config.json"), R"({"model_type": "llama", "hidden_size": 64,
                "num_attention_heads": 2, "max_position_embeddings": 8})");
            put(folder.path("good.json"), R"({"jobs": [{"encoding": "index", "npy": "a.npy"}]})");
            put(folder.path("bad.json"), R"({"jobs": [{"encoding": "index", "npy": "a.npy"},
                {"encoding": "sinusoid", "d": 3, "npy": "b.npy"}]})");
            const ProgramRun run = run_program(command + redirection, folder.path(""));
            return std::tuple(run.status, run.output, folder.names());
        };
        const auto expected = run_with("");
        CHECK(std::get<0>(expected) < 70);
        CHECK(run_with(" 2>/dev/full") == expected);
        CHECK(run_with(" 2>&-") == expected);
    }
}

TEST_CASE("program: in a folder that has been removed, no command is aborted") {
    const TemporaryFolder folder;
    put(folder.path("m.json"), R"({"jobs": [{"encoding": "index", "npy": "a.npy"}]})");
    for (const auto& [arguments, status] : std::vector<std::pair<std::string, int>>{
             {"index", 0},
             {"index --npy a.npy", 4},
             {"index --npy a.npy --csv b.csv", 4},
             {"index --npy a.npy --csv ../b.csv", 4},
             {"index --npy a --csv ./a", 4},
             {"index --npy a.npy --csv b.csv --dry-run", 0},
             {"index --npy a.npy --no-clobber", 4},
             {"index --npz a.npz", 4},
             {"check sinusoid --len 8 --png a.png", 4},
             {"info a.npy", 4},
             {"diff a.npy b.npy --png c.png", 4},
             {"batch m.json", 4},
             {"batch - <\"$OLDPWD\"/m.json", 4},
             {"batch - --check <\"$OLDPWD\"/m.json", 1},
             {"batch - --dry-run <\"$OLDPWD\"/m.json", 0},
         }) {
        const std::string typed = arguments;
        CAPTURE(typed);
        const ProgramRun run = run_program(
            "--version && mkdir gone && cd gone && rmdir ../gone && '" PEGEN_PROGRAM "' " + typed,
            folder.path(""));
        CHECK(run.status == status);
        CHECK(std::ranges::count(run.errors, '\n') == (status > 1));
        CHECK(folder.names() == std::set<std::string>{"m.json"});
    }
}

TEST_CASE("program: an empty value is a value") {
    const TemporaryFolder folder;
    for (const char* title : {"--title ''", "--title="}) {
        CHECK(run_program(std::string("index --png a.png ") + title, folder.path("")).status == 0);
    }
    CHECK(folder.names() == std::set<std::string>{"a.png"});
}

TEST_CASE("program: negative numbers are values") {
    CHECK(run_program("index --start -2 --len 2").output == "[[-2.]\n [-1.]]\n");
    CHECK(run_program("index --start -.5 --len 1").output == "[[-0.5]]\n");
    CHECK(run_program("index --positions -1,0").output == "[[-1.]\n [ 0.]]\n");
}

TEST_CASE("program: an unknown name is refused, and the nearest one is suggested") {
    check_refusals({
        {"sinusiod --d 4", 2,
         "'sinusiod': no such encoding, preset or command; did you mean 'sinusoid'?"},
        {"xyzzy", 2, "'xyzzy': no such encoding, preset or command; see pe-gen list"},
        {"sinusoid --lne 4", 2, "--lne: unknown option; did you mean '--len'?"},
        {"sinusoid --layout halfs", 2,
         "--layout halfs: must be one of interleaved, halves; did you mean 'halves'?"},
        {"sinusoid --dtype float", 2,
         "--dtype float: must be one of float32, float64, float16, bfloat16, int32, int64, f32, "
         "f64, f16, bf16, i32, i64, fp32, fp64, fp16; did you mean 'float32', 'float64' or "
         "'float16'?"},
        {"t5 --len 3 --seed 1", 2, "--seed: has no effect on the table bucket, only on bias"},
        {"shaw --key-table k.npy", 2,
         "--key-table: has no effect on the table index, only on key, value, key-gathered, "
         "value-gathered"},
        {"t5 --dtype float16", 2,
         "--dtype float16: the table bucket holds integers; use int64 or int32"},
        {"sinusoid --table wavelength", 2,
         "--table wavelength: must be one of encoding, frequencies, wavelengths; did you mean "
         "'wavelengths'?"},
    });
}

TEST_CASE("program: what is missing or superfluous is named") {
    check_refusals({
        {"", 2, "nothing to do; try pe-gen sinusoid --d 10 --len 4, or pe-gen --help"},
        {"--d 4 sinusoid", 2, "--d: the encoding comes first, as in pe-gen sinusoid --d"},
        {"sinusoid --d", 2, "--d: needs a value"},
        {"sinusoid --npy --csv x", 2, "--npy: needs a value"},
        {"sinusoid foo", 2, "unexpected argument 'foo'; options begin with --"},
        {"sinusoid --npy ''", 2, "--npy '': needs the name of a file"},
        {"detr --mask ''", 2, "--mask '': needs the name of a file"},
        {"sinusoid -o table", 2,
         "--output table: the name must end in one of .npy .npz .safetensors .json .csv .txt .png "
         ".svg .pdf .html .htm .h .c .hpp .cpp .rs .py .swift"},
        {"sinusoid -o -", 2,
         "--output -: standard output has no extension; use --npy - or the like"},
        {"sinusoid -o /dev/stdout", 2,
         "--output /dev/stdout: standard output has no extension; use --npy - or the like"},
        {"sinusoid --cmap gray --npy x.npy", 2,
         "--cmap: has no effect without --png or --svg or --pdf or --html or --show"},
        {"sinusoid --npy a --csv ./a", 2,
         "a is named for both npy and csv; give each its own file"},
        {"sinusoid --npy - --csv -", 2, "--npy - and --csv - both need standard output"},
        {"describe", 2,
         "describe: needs one name, as in pe-gen describe sinusoid, or --config config.json"},
        {"list sinusoid", 2,
         "list sinusoid: must be one of encodings, presets, mechanisms, models, formats, "
         "languages, "
         "colormaps, plots; or did you mean pe-gen describe sinusoid?"},
        {"list cmaps", 2,
         "list cmaps: must be one of encodings, presets, mechanisms, models, formats, languages, "
         "colormaps, plots"},
    });
}

TEST_CASE("program: bad values are refused with the rule") {
    check_refusals({
        {"sinusoid --d 63", 2, "--d 63: must be even with --odd error; use 62, 64 or --odd exact"},
        {"sinusoid --len 010", 2, "--len 010: integers are decimal; leave out the leading zero"},
        {"sinusoid --len 0", 2, "--len 0: must be at least 1"},
        {"sinusoid --base nan", 2, "--base nan: must be finite"},
        {"sinusoid --base -1", 2, "--base -1: must be greater than 0"},
        {"sinusoid --d 9223372036854775808", 2,
         "--d 9223372036854775808: too large for an integer"},
        {"sinusoid --len 9007199254740992 --d 512 --npy x", 2,
         "the table in bytes: 9007199254740992 x 2048 is too large; sizes end at 2^63 - 1"},
        {"sinusoid --threads 0", 2, "--threads 0: must be at least 1"},
        {"sinusoid --reverse=maybe", 2, "--reverse maybe: must be true or false"},
    });
}

TEST_CASE("program: a message is one line whatever was typed") {
    const ProgramRun run = run_program("\"$(printf 'a\\nb\\033c')\"");
    CHECK(run.status == 2);
    CHECK(run.errors ==
          "pe-gen: 'a\\x0ab\\x1bc': no such encoding, preset or command; see pe-gen list\n");
}

TEST_CASE("program: files that cannot be written are refused and leave nothing") {
    check_refusals({
        {"sinusoid --npy no/such/folder/t.npy", 4,
         "no/such/folder/t.npy: the folder no does not exist"},
        {"sinusoid --npy /dev/full", 4, "/dev/full: cannot write: No space left on device"},
        {"sinusoid --npy - >/dev/full", 4,
         "standard output: cannot write: No space left on device"},
        {"list >/dev/full", 4, "standard output: cannot write: No space left on device"},
        {"index --len 3 >&-", 4, "standard output: cannot write: Bad file descriptor"},
    });
}

TEST_CASE("program: a binary format is not written to a terminal") {
    const TemporaryFolder folder;
    for (const char* path : {"-", "/dev/stdout", "$terminal"}) {
        const TerminalRun run = run_on_terminal(
            "'" PEGEN_PROGRAM "' index --npy " + std::string(path) + " >&2", folder.path(""));
        CHECK(run.status == 2);
        CHECK(run.sent.find("a terminal cannot show npy; redirect") != std::string::npos);
    }
}

TEST_CASE("program: when one output fails no other is written") {
    const TemporaryFolder folder;
    put(folder.path("old.npy"), "old");
    const ProgramRun run =
        run_program("sinusoid --npy old.npy --csv new.csv --json /dev/full", folder.path(""));
    CHECK(run.status == 4);
    CHECK(content(folder.path("old.npy")) == "old");
    CHECK(folder.names() == std::set<std::string>{"old.npy"});
}

TEST_CASE("program: a file size limit is a failure like any other") {
    const TemporaryFolder folder;
    const ProgramRun run =
        run_program("index --len 1 -q; ulimit -f 8; '" PEGEN_PROGRAM "' sinusoid --npy big.npy",
                    folder.path(""));
    CHECK(run.status == 4);
    CHECK(run.errors == "pe-gen: big.npy: needs 1.0 MB: File too large\n");
    CHECK(folder.names().empty());
}

TEST_CASE("program: a file size limit that cannot be foreseen is a failure, too") {
    const TemporaryFolder folder;
    const ProgramRun run =
        run_program("index --len 1 -q; ulimit -f 8; '" PEGEN_PROGRAM "' sinusoid --csv big.csv",
                    folder.path(""));
    CHECK(run.status == 4);
    CHECK(run.errors == "pe-gen: big.csv: cannot write: File too large\n");
    CHECK(folder.names().empty());
}

TEST_CASE("program: a table larger than the disk is refused at once and leaves no file") {
    const TemporaryFolder folder;
    const ProgramRun run = run_program(
        "sinusoid --d 128 --len 9007199254740992 --npy big.npy "
        "--csv big.csv",
        folder.path(""));
    CHECK(run.status == 4);
    CHECK(run.errors.starts_with("pe-gen: big.npy: needs 4.6 EB, "));
    CHECK(run.errors.ends_with(" are free: No space left on device\n"));
    CHECK(folder.names().empty());
}

TEST_CASE("program: no-clobber keeps what is there") {
    const TemporaryFolder folder;
    put(folder.path("old.npy"), "old");
    const ProgramRun run = run_program("sinusoid --npy old.npy --no-clobber", folder.path(""));
    CHECK(run.status == 4);
    CHECK(run.errors == "pe-gen: old.npy: exists, and --no-clobber was given\n");
    CHECK(content(folder.path("old.npy")) == "old");
}

TEST_CASE("program: waits for all files or for none, not for both") {
    const TemporaryFolder folder;
    CHECK(run_program("sinusoid --npy a.npy --sync", folder.path("")).status == 0);
    CHECK(run_program("sinusoid --npy a.npy --no-sync", folder.path("")).status == 0);
    const ProgramRun run = run_program("sinusoid --npy b.npy --sync --no-sync", folder.path(""));
    CHECK(run.status == 2);
    CHECK(run.errors == "pe-gen: --sync: does not go together with --no-sync; leave one out\n");
    CHECK(folder.names() == std::set<std::string>{"a.npy"});
}

TEST_CASE("program: dry-run says what would be made and makes nothing") {
    const TemporaryFolder folder;
    const ProgramRun run =
        run_program("whisper --d 384 --len 1500 --npy w.npy --dry-run", folder.path(""));
    CHECK(run.status == 0);
    CHECK(run.output.find("shape       (1500, 384)\n") != std::string::npos);
    CHECK(run.output.find("npy         w.npy, 2304128 bytes\n") != std::string::npos);
    CHECK(folder.names().empty());
}

TEST_CASE("program: list and describe know every encoding and preset") {
    const std::string text = run_program("list").output;
    const auto json = nlohmann::json::parse(run_program("list --json").output);
    CHECK(json["encodings"].size() == all_encodings().size());
    CHECK(json["presets"].size() == all_presets().size());
    for (const Encoding* encoding : all_encodings()) {
        CHECK(text.find("  " + std::string(encoding->name)) != std::string::npos);
        CHECK(run_program("describe " + std::string(encoding->name)).status == 0);
    }
    for (const Preset& preset : all_presets()) {
        CHECK(text.find("    " + std::string(preset.name)) != std::string::npos);
        const ProgramRun run = run_program("describe " + std::string(preset.name));
        CHECK(run.status == 0);
        CHECK(run.output.find(preset.source.substr(0, 20)) != std::string::npos);
    }
}

TEST_CASE("program: positions may come from standard input") {
    const TemporaryFolder folder;
    put(folder.path("days.txt"), "day\n0\n2.5\n1e3\n");
    const std::string command = "whisper --d 6 --dtype float64 --csv - --positions-file ";
    CHECK(run_program(command + "- < days.txt", folder.path("")).output ==
          run_program(command + "days.txt", folder.path("")).output);
    put(folder.path("days.npy"), "\x93NUMPY");
    CHECK(run_program(command + "- < days.npy", folder.path("")).errors ==
          "pe-gen: -: is an NPY file, where a text is read; give it as FILE.npy\n");
}

TEST_CASE("program: compare says in one sentence how two tables differ") {
    const auto answer = [](const std::string& arguments) {
        const std::string text = run_program("compare " + arguments).output;
        return text.substr(0, text.find('\n'));
    };
    CHECK(answer("mae jepa --d 16 --height 4 --width 4") ==
          "mae is jepa, with its two halves exchanged.");
    CHECK(answer("vaswani hf-marian --d 16 --len 20") ==
          "vaswani is hf-marian, with its two halves interleaved.");
    CHECK(answer("opennmt tensor2tensor --d 16 --len 20") ==
          "opennmt is tensor2tensor from row 1 on.");
    CHECK(answer("tensor2tensor opennmt --d 16 --len 20") ==
          "tensor2tensor from row 1 on is opennmt.");
    CHECK(answer("simple-vit big-vision") ==
          "simple-vit and big-vision are the same table: all 100352 values are equal.");
    CHECK(
        answer("marian hf-marian --d 16 --len 40")
            .starts_with("marian and hf-marian are different tables: they stay different under any "
                         "order"));
    CHECK(answer("rt-detr mae --d 16 --height 3 --width 5") ==
          "rt-detr is mae, whose tokens go by rows.");
    CHECK(answer("mae loftr --d 4 --height 4 --width 4") ==
          "mae from position (1, 1) on is loftr.");
    CHECK(answer("detr tatp22 --d 128 --height 7 --width 9 --start 1") ==
          "detr and tatp22 are the same table: all 8064 values are equal.");
    CHECK(answer("fairseq tensor2tensor --d 16 --len 20") ==
          "fairseq is tensor2tensor, but for row 1, which is zeros in fairseq.");
    CHECK(
        answer("nerf pytorch3d --height 2 --width 3")
            .starts_with("pytorch3d is a part of nerf, with its channels in the order 2, 6, 10,"));
    CHECK(run_program("compare mae simple-vit")
              .output.ends_with("Their settings differ in --denom-shift (0, 2).\n"));
    // One option name may be a parameter of one encoding and an alias of a parameter of the other.
    CHECK(answer("mae detr --base 20 --d 128 --height 3 --width 3")
              .starts_with("mae from position (1, 1) on is detr, with its channels in the order"));
    check_refusals(
        {{"compare mae", 2,
          "compare: needs two names or files first, as in pe-gen compare mine.npy sinusoid"},
         {"compare mae jeppa", 2,
          "'jeppa': no such encoding, preset or command; did you mean 'jepa'?"}});
}

TEST_CASE("program: compare answers or refuses for every encoding and preset") {
    for (const SmallTable& table : all_small_tables()) {
        for (const std::string& other : {table.name, std::string("binary")}) {
            const std::string arguments =
                fmt::format("compare {} {} {}", table.name, other, fmt::join(table.options, " "));
            CAPTURE(arguments);
            const ProgramRun run = run_program(arguments);
            CAPTURE(run.errors);
            CHECK((run.status == 0 || run.status == 2));
            CHECK(run.errors.empty() == (run.status == 0));
            CHECK(std::ranges::count(run.errors, '\n') == (run.status == 0 ? 0 : 1));
        }
    }
}

TEST_CASE("program: the examples of the help run") {
    for (const Encoding* encoding : all_encodings()) {
        std::istringstream lines{std::string(encoding->examples)};
        for (std::string line; std::getline(lines, line);) {
            CAPTURE(line);
            const TemporaryFolder folder;
            const ProgramRun run = run_program(line, folder.path(""));
            CHECK(run.errors == "");
            CHECK(run.status == 0);
        }
    }
}

TEST_CASE("program: -- ends the options, and alone means nothing") {
    const std::string table = run_program("sinusoid --d 4 --len 3").output;
    CHECK(run_program("sinusoid --d 4 --len 3 --").output == table);
    CHECK(run_program("-- sinusoid --d 4 --len 3").output == table);
    CHECK(run_program("list --").output == run_program("list").output);
    CHECK(
        run_program("concat a b").errors ==
        "pe-gen: unexpected argument 'a'; tables stand behind --, as in pe-gen concat -- a -- b\n");
}

TEST_CASE("program: the version comes with what it is built with and of") {
    const std::string text = run_program("--version").output;
    CHECK(text.starts_with("pe-gen "));
    for (const char* part : {"\nwith       ", "\nlibraries  MPFR ", ", GMP ", ", fmt "}) {
        CHECK(text.find(part) != text.npos);
    }
    CHECK((text.find("OpenMP") != text.npos) == (PEGEN_HAS_OPENMP == 1));
    CHECK(run_program("sinusoid -V").output == run_program("--version").output);
}

TEST_CASE("program: describe --config says what a model's file asks for") {
    const TemporaryFolder folder;
    put(folder.path("config.json"),
        R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32,
            "rope_theta": 500000.0, "max_position_embeddings": 131072, "rope_scaling":
            {"rope_type": "linear", "factor": 8.0, "beta_slow": 1}})");
    const ProgramRun run = run_program("describe --config config.json", folder.path(""));
    CHECK(run.status == 0);
    CHECK(run.output ==
          "config.json: rotary positions of llama\n"
          "\n"
          "Taken\n"
          "  --pairing                           default of llama: pairing half\n"
          "  --d                                 hidden_size 4096 / num_attention_heads 32\n"
          "  --base                              rope_theta 5e+05\n"
          "  --scaling                           rope_scaling.rope_type linear\n"
          "  --factor                            rope_scaling.factor 8\n"
          "\n"
          "Ignored\n"
          "  max_position_embeddings 131072\n"
          "  rope_scaling.beta_slow 1\n"
          "\n"
          "The same without the file\n"
          "  pe-gen rope --base 5e+05 --scaling linear --factor 8\n"
          "\n"
          "Pairs\n"
          "  half: channels m and m + r/2 turn together\n"
          "\n"
          "What goes wrong\n"
          "  Hugging Face's weights have q and k rows permuted for halves; Meta's own checkpoints "
          "and GGUF\n"
          "  files of Llama pair neighbours.\n");
    const ProgramRun table =
        run_program("rope --config config.json --len 2 --npy t.npy", folder.path(""));
    CHECK(table.status == 0);
    CHECK(table.output.empty());
    CHECK(table.errors ==
          "pe-gen: config.json: took default of llama: pairing half, hidden_size 4096 / "
          "num_attention_heads 32, rope_theta 5e+05, rope_scaling.rope_type linear, "
          "rope_scaling.factor 8; ignored max_position_embeddings 131072, rope_scaling.beta_slow "
          "1\n");
    CHECK(run_program("rope --config config.json --len 2 --quiet --npy t.npy", folder.path(""))
              .errors.empty());
    const ProgramRun both = run_program("describe llama --config config.json", folder.path(""));
    CHECK(both.status == 2);
}

TEST_CASE("program: describe --json has what the text has") {
    using Json = nlohmann::json;
    const TemporaryFolder folder;
    put(folder.path("config.json"),
        R"({"model_type": "llama", "head_dim": 64, "rope_theta": 500000.0, "vocab_size": 8})");
    put(folder.path("bert.json"), R"({"model_type": "bert", "hidden_size": 768,
                                      "max_position_embeddings": 512})");
    const auto json_of = [&](const std::string& arguments) {
        const ProgramRun run = run_program("describe --json " + arguments, folder.path(""));
        CHECK(run.status == 0);
        return Json::parse(run.output);
    };
    const Json llama = json_of("--config config.json");
    CHECK(llama["schema"] == "pe-gen/describe-config/1");
    CHECK(llama["commands"] == Json{"pe-gen rope --d 64 --base 5e+05"});
    CHECK(llama["taken"].back() == Json{{"parameter", "base"}, {"source", "rope_theta 5e+05"}});
    const Json bert = json_of("--config bert.json");
    CHECK(bert["commands"][0] == "pe-gen bert --len 512 --d 768");
    CHECK(bert["title"] == "bert.json: bert has learned positions");
    const Json preset = json_of("whisper");
    CHECK(preset["encoding"]["name"] == "sinusoid");
    CHECK(preset["preset"]["name"] == "whisper");
    CHECK(json_of("alibi")["preset"].is_null());
    CHECK(run_program("describe resize --json").status == 2);
}

TEST_CASE("program: every command that is printed for a configuration of the tests succeeds") {
    const std::string folder = std::string(PEGEN_SOURCE_DIR) + "/tests/fuzz/corpus/config/";
    const TemporaryFolder wide;
    put(wide.path("config.json"),
        R"({"model_type": "qwen2_5_vl", "hidden_size": 512, "num_attention_heads": 8,
            "vision_config": {"hidden_size": 1280, "num_heads": 16, "patch_size": 14,
                              "spatial_merge_size": 2, "window_size": 112}})");
    std::vector<std::string> files{wide.path("config.json")};
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        files.push_back(file.path().string());
    }
    std::size_t commands = 0;
    for (const std::string& file : files) {
        for (const char* command : {"describe", "rope", "mrope", "rope-grid"}) {
            const ProgramRun run =
                run_program(fmt::format("{} --config {}{}", command, file,
                                        command == std::string("describe") ? "" : " --dry-run"));
            const std::string text = run.output + run.errors;
            // "asks for pe-gen X, but ..." says that X makes no table.
            if (text.find("asks for") != text.npos) continue;
            constexpr std::string_view name = "pe-gen ";
            for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
                std::string words = text.substr(at + name.size());
                words = words.substr(0, words.find_first_of("\n;)"));
                words = words.substr(0, words.find(", pe-gen"));
                if (words.find(" --") == words.npos || words.ends_with("--config")) continue;
                CAPTURE(file);
                CAPTURE(words);
                CHECK(run_program(words + " --dry-run").status == 0);
                ++commands;
            }
        }
    }
    CHECK(commands > 10);
}

TEST_CASE("program: describe --config names the commands of a model without rotary positions") {
    const TemporaryFolder folder;
    put(folder.path("config.json"),
        R"({"model_type": "bert", "hidden_size": 1024, "num_attention_heads": 16,
            "position_embedding_type": "absolute"})");
    const ProgramRun run = run_program("describe --config config.json", folder.path(""));
    CHECK(run.status == 0);
    CHECK(run.output ==
          "config.json: bert has learned positions\n"
          "\n"
          "Taken\n"
          "  --len                               default of bert: 512\n"
          "  --d                                 hidden_size 1024\n"
          "\n"
          "The same without the file\n"
          "  pe-gen bert --len 512 --d 1024\n"
          "\n"
          "Values\n"
          "  as before training; the trained ones are with the model's weights\n");
    CHECK(run_program("rope --config config.json", folder.path("")).status == 3);
    put(folder.path("config.json"), R"({"model_type": "bert", "hidden_size": 0})");
    const ProgramRun wrong = run_program("describe --config config.json", folder.path(""));
    CHECK(wrong.status == 3);
    CHECK(wrong.errors ==
          "pe-gen: config.json: asks for pe-gen bert --len 512 --d 0, but --d 0: must be between 1 "
          "and 1048576\n");
    CHECK(run_program("rope --config config.json", folder.path("")).errors == wrong.errors);
    put(folder.path("config.json"), R"({"_class_name": "FluxTransformer2DModel"})");
    CHECK(run_program("describe --config config.json", folder.path("")).output ==
          "config.json: FluxTransformer2DModel has positions on a grid\n"
          "\n"
          "The same without the file\n"
          "  pe-gen flux\n");
    put(folder.path("config.json"),
        R"({"_class_name": "FluxTransformer2DModel", "axes_dims_rope": [16, 55, 57]})");
    CHECK(run_program("describe --config config.json", folder.path("")).status == 3);
    put(folder.path("config.json"),
        R"({"model_type": "llava", "text_config": {"model_type": "llama", "head_dim": 64,
            "hidden_size": 64}, "vision_config": {"model_type": "clip_vision_model"}})");
    CHECK(run_program("describe --config config.json", folder.path(""))
              .output.find("\nvision_config\n  pe-gen clip-vision --len 50 --d 768\n") !=
          std::string::npos);
}

TEST_CASE("program: a table does not replace a file it is made from") {
    const TemporaryFolder folder;
    put(folder.path("a.json"), R"({"head_dim": 8})");
    const ProgramRun run =
        run_program("rope --config a.json --len 2 --json ./a.json", folder.path(""));
    CHECK(run.status == 2);
    CHECK(run.errors ==
          "pe-gen: --config a.json: would be replaced by the json of the table; choose another "
          "name\n");
    CHECK(content(folder.path("a.json")) == R"({"head_dim": 8})");
    const ProgramRun points = run_program("fourier --points p.npy --npy p.npy", folder.path(""));
    CHECK(points.errors.starts_with("pe-gen: --points p.npy: would be replaced by the npy"));
    CHECK(run_program("rope --config - --len 2 --npy -", folder.path("")).errors.find("replaced") ==
          std::string::npos);
    put(folder.path("bad.json"), R"({"head_dim": 7})");
    CHECK(run_program("rope --config bad.json", folder.path("")).status == 3);
}

TEST_CASE("program: --with compares wavelengths, and names no files") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& with) {
        const ProgramRun run =
            run_program(fmt::format("llama3 --plot wavelengths --with '{}' --png a.png", with),
                        folder.path(""));
        CHECK(run.status == 2);
        CHECK(folder.names().empty());
        return run.errors;
    };
    CHECK(refused("binary") ==
          "pe-gen: binary: has no table of wavelengths; those that have one are rope, rope-grid, "
          "sinusoid\n");
    CHECK(refused(";") == "pe-gen: --with: needs the name of an encoding or a preset\n");
    CHECK(refused("lama") ==
          "pe-gen: 'lama': no such encoding, preset or command; did you mean "
          "'llama'?\n");
    CHECK(run_program("llama3 --plot wavelengths --with llama3.1 --figsize 3x3 --png a.png",
                      folder.path(""))
              .status == 0);
}

TEST_CASE("program: a report in JSON has a schema, and the text of the report") {
    const TemporaryFolder folder;
    run_program("whisper --d 8 --len 12 --npy a.npy --png a.png -q", folder.path(""));
    run_program("rope --d 8 --len 12 --npz two.npz -q", folder.path(""));
    put(folder.path("c.json"), R"({"model_type": "llama", "rope_theta": 1e4, "head_dim": 64})");
    struct Asked {
        std::string schema, arguments;
    };
    for (const Asked& asked :
         std::vector<Asked>{{"identify", "identify a.npy"},
                            {"identify-model", "identify two.npz"},
                            {"identify-kernel", "identify --before a.npy --after a.npy"},
                            {"identify-permuted", "identify --permuted a.npy --of a.npy"},
                            {"compare", "compare a.npy fairseq"},
                            {"diff", "diff a.npy a.npy"},
                            {"check", "check a.npy"},
                            {"check-concat", "check concat"},
                            {"explain", "explain mae --at 3,5"},
                            {"describe", "describe mae"},
                            {"describe-config", "describe --config c.json"},
                            {"info", "info a.npy"},
                            {"info", "info a.png"}}) {
        CAPTURE(asked.arguments);
        if (!PEGEN_HAS_RECOGNITION && asked.schema.starts_with("identify")) continue;
        const ProgramRun text = run_program(asked.arguments, folder.path(""));
        const ProgramRun json = run_program(asked.arguments + " --json", folder.path(""));
        CHECK(json.status == text.status);
        const auto report = nlohmann::ordered_json::parse(json.output);
        CHECK(report.front() == "pe-gen/" + asked.schema + "/1");
        CHECK(report.back() == text.output);
        CHECK(report.contains("text"));
    }
}
