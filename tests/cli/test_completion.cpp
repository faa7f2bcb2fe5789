#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/completion/words.h"
#include "cli/folder.h"
#include "core/names.h"
#include "encodings/registry.h"

using namespace pegen;
using pegen::cli::Candidates;
using pegen::testing::Folder;

namespace {

Candidates completed(std::string_view line) {
    const std::vector<std::string_view> words = fields(line, ' ');
    return cli::completed_words(words);
}

std::vector<std::string> words_for(std::string_view line) {
    std::vector<std::string> words;
    for (const cli::Candidate& candidate : completed(line).words) words.push_back(candidate.word);
    return words;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
    return std::ranges::count(words, word) > 0;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("completion: the first word is a command, an encoding or a preset") {
    CHECK(words_for("sinus") == Words{"sinusoid"});
    CHECK(words_for("fairseq-") == Words{"fairseq-learned"});
    CHECK(words_for("che") == Words{"check"});
    CHECK(words_for("--v") == Words{"--version"});
    CHECK(words_for("").size() ==
          cli::all_commands().size() + all_encodings().size() + all_presets().size());
    CHECK(words_for("nothing").empty());
    CHECK_FALSE(completed("").are_files);
}

TEST_CASE("completion: options of an encoding, of which each is there once") {
    CHECK(words_for("sinusoid --den") == Words{"--denom-shift"});
    CHECK(words_for("sinusoid --denom-shift 2 --den").empty());
    CHECK(words_for("sinusoid --denom-shift=2 --den").empty());
    CHECK(words_for("sinusoid --denom_shift 2 --den").empty());
    CHECK(words_for("sinusoid --npy a.npy --np") == Words{"--npy", "--npz"});  // any number
    CHECK(words_for("sinusoid --max-l") == Words{"--max-len"});  // an alias, if there is no name
    CHECK(words_for("sinusoid --max-len 5 --le").empty());
    CHECK(has(words_for("sinusoid "), "--layout"));
    CHECK(has(words_for("sinusoid --"), "--help"));
}

TEST_CASE("completion: the values of an option, behind it or behind its '='") {
    CHECK(words_for("sinusoid --layout ") == Words{"interleaved", "halves"});
    CHECK(words_for("sinusoid --layout h") == Words{"halves"});
    CHECK(words_for("sinusoid --layout=h") == Words{"--layout=halves"});
    CHECK(words_for("sinusoid --reverse=f") == Words{"--reverse=false"});
    CHECK(words_for("rope --table inv") == Words{"inv-freq"});
    CHECK(words_for("rope --table sin,co") == Words{"sin,cos", "sin,cos-sin"});
    CHECK(words_for("rope --table=cos,sin,cos-sin,co").empty());
    CHECK(has(words_for("rope --table="), "--table=all"));
    CHECK_FALSE(has(words_for("rope --table=cos,"), "--table=cos,all"));
    CHECK(words_for("sinusoid --d ").empty());
    CHECK(completed("sinusoid --npy ").are_files);
    CHECK(completed("sinusoid --npy=a").are_files);
    CHECK(completed("sinusoid --npy=a").before_file == "--npy=");
    CHECK_FALSE(completed("sinusoid --layout ").are_files);
}

TEST_CASE("completion: commands have their own words, files and options") {
    CHECK(words_for("list pre") == Words{"presets"});
    CHECK(words_for("apply ro") == Words{"rope", "rope-grid", "rope-permute"});
    CHECK(words_for("apply rope --position-a") == Words{"--position-axis"});
    CHECK(words_for("apply rope --inverse --position-a") == Words{"--position-axis"});
    CHECK(words_for("apply --x a.npy ro").empty());
    CHECK(words_for("attention shaw --table-") == Words{"--table-k", "--table-v"});
    CHECK(words_for("check sinusoid --den") == Words{"--denom-shift"});
    CHECK(words_for("check conca") == Words{"concat"});
    CHECK(words_for("completion z") == Words{"zsh"});
    CHECK(words_for("describe fairseq fair").empty());
    CHECK(words_for("plot a.npy --cmap vir") == Words{"viridis", "viridis-r"});
    for (const char* line : {"info ", "plot ", "batch ", "identify ", "diff a.npy ", "check "}) {
        CAPTURE(line);
        CHECK(completed(line).are_files);
    }
}

TEST_CASE("completion: a table of its own stands behind --") {
    CHECK(words_for("diff a.npy -- whis") == Words{"whisper"});
    CHECK(words_for("concat -- whisper --d 4 -- binary --bit") == Words{"--bits"});
    CHECK(words_for("concat -- index --le") == Words{"--len"});
    CHECK(completed("concat -- ").are_files);
}

TEST_CASE("completion: the arrays of a file stand behind its ':'") {
    const Folder folder;
    folder.make("rope --d 4 --len 3 --table cos,sin,cos-sin --npz v.npz");
    folder.make("index --len 3 --npy one.npy");
    const std::string path = folder.path("v.npz");
    for (const std::string before : {"info ", "plot ", "identify ", "diff a.npy ",
                                     "apply rope --x=", "index --positions-file ", "compare -- "}) {
        CAPTURE(before);
        const std::string typed = before.ends_with('=') ? "--x=" + path : path;
        CHECK(words_for(before + path + ":s") == Words{typed + ":sin"});
        CHECK(words_for(before + path + ":") ==
              Words{typed + ":cos", typed + ":sin", typed + ":cos-sin"});
        CHECK_FALSE(completed(before + path + ":").are_files);
        CHECK(completed(before + path).are_files);
        CHECK(words_for(before + path + ":tan").empty());
        CHECK(completed(before + folder.path("one.npy:")).are_files);
    }
}

TEST_CASE("completion: the arrays of a file are named by their ends, if these are not ambiguous") {
    const Folder folder;
    const std::string path = folder.path("a.safetensors");
    const std::string header =
        R"({"vit.layers.0.pos_embed":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
        R"("vit.layers.0.bias":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},)"
        R"("vit.layers.1.bias":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}})";
    pegen::testing::put(path,
                        std::string{char(header.size()), 0, 0, 0, 0, 0, 0, 0} + header + "abc");
    CHECK(words_for("info " + path + ":vit.layers.0.p") == Words{path + ":vit.layers.0.pos_embed"});
    CHECK(words_for("info " + path + ":pos") == Words{path + ":pos_embed"});
    CHECK(words_for("info " + path + ":bi").empty());
    CHECK(words_for("info " + path + ":1.") == Words{path + ":1.bias"});
}

TEST_CASE("completion: nothing is suggested twice, wherever one is") {
    for (const cli::Command& command : cli::all_commands()) {
        for (const char* rest : {" ", " --"}) {
            const std::vector<std::string> words = words_for(std::string(command.name) + rest);
            CAPTURE(command.name);
            CHECK(std::set(words.begin(), words.end()).size() == words.size());
        }
    }
    for (const Encoding* encoding : all_encodings()) {
        const std::vector<std::string> words = words_for(std::string(encoding->name) + " --");
        CAPTURE(encoding->name);
        CHECK(std::set(words.begin(), words.end()).size() == words.size());
    }
}

namespace {

/// Returns a PATH on which pe-gen is the program under test.
std::string path_with_program() {
    return std::filesystem::path(PEGEN_PROGRAM).parent_path().string() + ":" + std::getenv("PATH");
}

/// A shell with a terminal of its own, to which one types.
class TypedShell {
  public:
    TypedShell(const std::vector<std::string>& command, const std::string& folder) {
        process_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
        REQUIRE(process_ >= 0);
        if (process_ > 0) return;
        std::vector<char*> words;
        for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        ::setenv("PATH", path_with_program().c_str(), 1);
        ::setenv("HOME", folder.c_str(), 1);
        ::setenv("TERM", "xterm", 1);
        if (::chdir(folder.c_str()) == 0) ::execvp(words[0], words.data());
        ::_exit(127);
    }
    TypedShell(const TypedShell&) = delete;
    TypedShell& operator=(const TypedShell&) = delete;
    ~TypedShell() {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
        ::close(terminal_);
    }

    /// Types the keys, and waits until `expected` appears. Returns false after twenty seconds.
    bool shows(std::string_view keys, std::string_view expected) {
        if (::write(terminal_, keys.data(), keys.size()) < 0) return false;
        std::string screen;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (std::chrono::steady_clock::now() < end) {
            pollfd terminal{terminal_, POLLIN, 0};
            if (::poll(&terminal, 1, 100) <= 0) continue;
            char some[4096];
            const ssize_t count = ::read(terminal_, some, sizeof some);
            if (count <= 0) return false;
            screen.append(some, static_cast<std::size_t>(count));
            if (screen.find(expected) != std::string::npos) return true;
        }
        return false;
    }

  private:
    int terminal_ = -1;
    pid_t process_ = -1;
};

struct ShellCase {
    std::string name;
    std::vector<std::string> command;
    std::string setup;
};

bool is_installed(const std::string& shell) {
    return std::system(("command -v " + shell + " >/dev/null").c_str()) == 0;
}

}  // namespace

TEST_CASE("completion: bash, zsh and fish complete what is typed on a terminal") {
    const ShellCase cases[] = {
        {"bash", {"bash", "--norc", "--noprofile", "-i"}, "eval \"$(pe-gen completion bash)\""},
        {"zsh",
         {"zsh", "-f", "-i"},
         "autoload -U compinit; compinit -u; eval \"$(pe-gen completion zsh)\""},
        {"fish", {"fish", "--private"}, "pe-gen completion fish | source"},
    };
    for (const ShellCase& shell : cases) {
        CAPTURE(shell.name);
        if (!is_installed(shell.name)) {
            MESSAGE(shell.name, " is not installed: its completion is left out");
            continue;
        }
        const Folder folder;
        folder.make("index --len 7 --npy 'a table.npy'");
        folder.make("rope --d 4 --len 3 --table cos,inv-freq --npz v.npz");
        TypedShell typed(shell.command, folder.path(""));
        REQUIRE(typed.shows("echo begi''ns\r", "begins"));
        REQUIRE(typed.shows(shell.setup + "; echo rea''dy\r", "ready"));
        CHECK(typed.shows("pe-gen ind\t--le\t2\r", "[1.]]"));
        CHECK(typed.shows("pe-gen sinusoid --d 4 --len 1 --layout h\t\r", "[[0. 0. 1. 1.]]"));
        CHECK(typed.shows("pe-gen sinusoid --d 4 --len 1 --layout=h\t\r", "[[0. 0. 1. 1.]]"));
        CHECK(typed.shows("pe-gen info a\\ t\t\r", "(7, 1)"));
        CHECK(typed.shows("pe-gen plot --npy-in=a\\ t\t--csv -\r", "6,6"));
        CHECK(typed.shows("pe-gen info v.npz:co\t\r", "(3, 4)"));
        CHECK(typed.shows("pe-gen info ~/v.npz:in\t\r", "(2,)"));
        CHECK(typed.shows("pe-gen plot --npy-in=v.npz:in\t--csv -\r", "0.01"));
    }
}

TEST_CASE("completion: nushell's completer has words, files and the completer of other commands") {
    if (!is_installed("nu")) {
        MESSAGE("nu is not installed: its completion is left out");
        return;
    }
    const Folder folder;
    folder.make("index --len 7 --npy 'a table.npy'");
    folder.make("rope --d 4 --len 3 --table cos,inv-freq --npz v.npz");
    pegen::testing::put(folder.path("pe-gen.nu"), folder.make("completion nushell"));
    const auto completed_by_nushell = [&](const std::string& words) {
        pegen::testing::put(
            folder.path("ask.nu"),
            "$env.config.completions.external.completer = {|spans| [{value: other}]}\n"
            "source pe-gen.nu\n"
            "do $env.config.completions.external.completer [" +
                words + "] | get value | str join ' '\n");
        return run_shell("PATH='" + path_with_program() + "' nu --no-config-file ask.nu",
                         folder.path(""))
            .output;
    };
    CHECK(completed_by_nushell("pe-gen sinus") == "sinusoid");
    CHECK(completed_by_nushell("pe-gen sinusoid --layout=h") == "--layout=halves");
    CHECK(completed_by_nushell("pe-gen info v.npz:co") == "v.npz:cos");
    CHECK(completed_by_nushell("pe-gen info a") == "\"a table.npy\" ask.nu");
    CHECK(completed_by_nushell("pe-gen plot --npy-in=v") == "--npy-in=v.npz");
    CHECK(completed_by_nushell("git sta") == "other");
}

TEST_CASE("completion: PowerShell's completer has words, files and the piece behind a comma") {
    if (!is_installed("pwsh")) {
        MESSAGE("pwsh is not installed: its completion is left out");
        return;
    }
    const Folder folder;
    folder.make("rope --d 4 --len 3 --table cos,inv-freq --npz v.npz");
    pegen::testing::put(folder.path("pe-gen.ps1"), folder.make("completion powershell"));
    const auto completed_by_powershell = [&](const std::string& line) {
        pegen::testing::put(folder.path("ask.ps1"),
                            ". ./pe-gen.ps1\n$line = '" + line +
                                "'\n(TabExpansion2 -inputScript $line -cursorColumn "
                                "$line.Length).CompletionMatches.CompletionText -join ' '\n");
        return run_shell("PATH='" + path_with_program() + "' pwsh -NoProfile -File ask.ps1",
                         folder.path(""))
            .output;
    };
    CHECK(completed_by_powershell("pe-gen sinus") == "sinusoid\n");
    CHECK(completed_by_powershell("pe-gen completion ").starts_with("bash zsh fish nushell"));
    CHECK(completed_by_powershell("pe-gen sinusoid --layout=h") == "--layout=halves\n");
    CHECK(completed_by_powershell("pe-gen rope --table cos,si").starts_with("sin"));
    CHECK(completed_by_powershell("pe-gen rope --table cos,").starts_with("sin"));
    CHECK(completed_by_powershell("pe-gen info v.npz:co") == "v.npz:cos\n");
    CHECK(completed_by_powershell("pe-gen plot --npy-in=v").starts_with("--npy-in="));
}

TEST_CASE("completion: a shell that is not known is refused") {
    const Folder folder;
    CHECK(folder.refusal("completion zhs") ==
          "pe-gen: completion zhs: must be one of bash, zsh, fish, nushell, powershell; did you "
          "mean 'zsh'?\n");
    CHECK(folder.refusal("completion") ==
          "pe-gen: completion: must be one of bash, zsh, fish, nushell, powershell\n");
    CHECK(folder.refusal("completion next") ==
          "pe-gen: completion next: needs words, as in pe-gen completion next -- sinus\n");
}
