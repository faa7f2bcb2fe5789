#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/completion/words.h"
#include "cli/help/help.h"
#include "cli/print.h"
#include "cli/text_layout.h"
#include "core/error.h"
#include "core/names.h"

namespace pegen::cli {
namespace {

/// A shell and its completion script. The script calls `pe-gen completion next -- WORDS...`. The
/// first line of the output is "files" or "words"; the second line is the text before the name of a
/// file. Each further line has a word, a space, and the summary of the word.
struct Shell {
    std::string_view name;
    std::string_view summary;
    std::string_view script;
};

// Bash splits words at '=' and ':', and replaces only the last piece.
constexpr std::string_view bash_script = R"(# bash completion of pe-gen
_pe_gen() {
    local program=${1/#\~/$HOME} current=${COMP_WORDS[COMP_CWORD]} word joined= i
    local -a typed=() answer=()
    for ((i = 1; i <= COMP_CWORD; ++i)); do
        word=${COMP_WORDS[i]}
        if ((${#typed[@]})) && [[ $joined || $word == [=:]* ]]; then
            typed[${#typed[@]} - 1]+=$word
        else
            typed+=("$word")
        fi
        [[ $word == *[=:] ]] && joined=1 || joined=
    done
    [[ $current == [=:] ]] && current=
    local whole=${typed[${#typed[@]} - 1]}
    local offset=$((${#whole} - ${#current}))
    mapfile -t answer < <("$program" completion next -- "${typed[@]}" 2>/dev/null)
    COMPREPLY=()
    for word in "${answer[@]:2}"; do
        word=${word%% *}
        COMPREPLY+=("${word:offset}")
    done
    if [[ ${answer[0]} == files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r word; do
            COMPREPLY+=("$word")
        done < <(compgen -f -- "$current")
    fi
}
complete -F _pe_gen pe-gen
)";

// -Q keeps the '~' of a path, which zsh would quote.
constexpr std::string_view zsh_script = R"(#compdef pe-gen
_pe_gen() {
    local -a answer described
    local line
    answer=("${(@f)$("${words[1]/#\~/$HOME}" completion next -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    for line in "${(@)answer[3,-1]}"; do
        described+=("${${line%% *}//:/\\:}:${line#* }")
    done
    (($#described)) && _describe 'pe-gen' described -Q
    if [[ $answer[1] == files ]]; then
        [[ -n $answer[2] ]] && compset -P '*='
        _files
    fi
}
if [[ $funcstack[1] == _pe_gen || $funcstack[1] == _pe-gen ]]; then
    _pe_gen "$@"
else
    compdef _pe_gen pe-gen
fi
)";

constexpr std::string_view fish_script = R"(# fish completion of pe-gen
function __pe_gen_next
    set -l typed (commandline -opc)
    set -l current (commandline -ct | string unescape)
    set -l program (string replace -r '^~' $HOME -- $typed[1])
    set -e typed[1]
    set -l answer ($program completion next -- $typed "$current" 2>/dev/null)
    test (count $answer) -ge 2; or return
    if test $answer[1] = files
        set -l path (string replace -- "$answer[2]" '' "$current")
        for file in (__fish_complete_path "$path")
            echo "$answer[2]$file"
        end
    end
    set -e answer[1..2]
    test (count $answer) -gt 0; and string replace ' ' \t -- $answer
end
complete -c pe-gen -f -a '(__pe_gen_next)'
)";

// Other commands keep the completer that was there before. A name that is not one bare word is
// quoted.
constexpr std::string_view nushell_script = R"(# nushell completion of pe-gen
let pe_gen_others = $env.config.completions.external.completer?
$env.config.completions.external.enable = true
$env.config.completions.external.completer = {|spans|
    if ($spans.0 | path basename) != "pe-gen" {
        return (if $pe_gen_others == null { null } else { do $pe_gen_others $spans })
    }
    let program = if ($spans.0 | str contains "/") { $spans.0 | path expand } else { $spans.0 }
    let answer = ^$program completion next -- ...($spans | skip 1) e> /dev/null | lines
    let words = $answer | skip 2 | each {|line|
        let parts = $line | split row -n 2 " "
        {value: $parts.0, description: ($parts.1? | default "")}
    }
    if $answer.0? != "files" { return $words }
    let before = $answer.1? | default ""
    let path = $spans | last | str substring ($before | str length)..
    $words | append (try { ls -a ($"($path)*" | into glob) } catch { [] } | each {|file|
        let name = $before + $file.name + (if $file.type == dir { "/" } else { "" })
        {value: (if $name =~ '[\s"''`(){}|;]' { $name | to json } else { $name }), description: ""}
    })
}
)";

// PowerShell completes what follows the last ',' of a word, so the answer is cut to that piece. It
// would split an answer that has a ',' itself, so that is quoted.
constexpr std::string_view powershell_script = R"(# PowerShell completion of pe-gen
Register-ArgumentCompleter -Native -CommandName pe-gen -ScriptBlock {
    param($piece, $command, $cursor)
    $elements = @($command.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursor })
    $typed = @(foreach ($element in $elements) {
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value }
        else { $element.Extent.Text }
    })
    if ($elements[-1].Extent.EndOffset -lt $cursor) { $typed += '' }
    $whole = $typed[-1]
    $offset = [Math]::Max(0, $whole.Length - $piece.Length)
    $status = $global:LASTEXITCODE
    $answer = @(& $typed[0] completion next '--' $typed[1..($typed.Count - 1)] 2>$null)
    $global:LASTEXITCODE = $status
    if ($answer.Count -lt 2) { return '' }
    $found = @(foreach ($line in $answer | Select-Object -Skip 2) {
        $word, $summary = $line -split ' ', 2
        $text = $word.Substring([Math]::Min($offset, $word.Length))
        if ($offset -eq 0 -and $text -match '[\s,;(){}"''`|&<>@$#]') { $text = "'" + $text.Replace("'", "''") + "'" }
        if (-not $summary) { $summary = $word }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $summary)
    })
    if ($answer[0] -eq 'files') {
        $before = $answer[1]
        $path = $whole.Substring([Math]::Min($before.Length, $whole.Length))
        $found += @(foreach ($file in [System.Management.Automation.CompletionCompleters]::CompleteFilename($path)) {
            $text = ($before + $file.CompletionText).Substring([Math]::Min($offset, $before.Length))
            [System.Management.Automation.CompletionResult]::new(
                $text, $file.ListItemText, $file.ResultType, $file.ToolTip)
        })
    }
    if ($found) { $found } else { '' }
}
)";

constexpr std::array shells{
    Shell{"bash", "eval \"$(pe-gen completion bash)\" in ~/.bashrc", bash_script},
    Shell{"zsh", "eval \"$(pe-gen completion zsh)\" in ~/.zshrc, after compinit", zsh_script},
    Shell{"fish", "pe-gen completion fish | source, in config.fish", fish_script},
    Shell{"nushell",
          "pe-gen completion nushell | save ($nu.user-autoload-dirs.0 | path join pe-gen.nu)",
          nushell_script},
    Shell{"powershell",
          "pe-gen completion powershell | Out-String | Invoke-Expression, in $PROFILE; for 7.3 or "
          "later",
          powershell_script},
};

ExitStatus print_next(std::span<const std::string_view> words) {
    if (words.size() < 2 || words.front() != "--") {
        throw UsageError("completion next: needs words, as in pe-gen completion next -- sinus");
    }
    const Candidates all = completed_words(words.subspan(1));
    std::string text = fmt::format("{}\n{}\n", all.are_files ? "files" : "words", all.before_file);
    for (const Candidate& candidate : all.words) {
        text += fmt::format("{} {}\n", candidate.word, candidate.summary);
    }
    return print(text);
}

}  // namespace

Usage completion_usage(std::span<const std::string_view>, HelpLength) {
    Operands operands{.title = "Shells"};
    for (const Shell& shell : shells) operands.words.push_back({shell.name, shell.summary});
    Usage usage = command_usage("completion", {"completion bash", "completion next -- sinus"}, {},
                                std::move(operands));
    usage.remark =
        "make install installs all but PowerShell's. completion next prints what the last word may "
        "become, for other shells and editors.";
    return usage;
}

ExitStatus run_completion(std::span<const std::string_view> arguments) {
    if (!arguments.empty() && arguments.front() == "next") return print_next(arguments.subspan(1));
    const std::string_view name = arguments.empty() ? "" : arguments.front();
    const auto shell = std::ranges::find(shells, name, &Shell::name);
    if (shell == shells.end() || arguments.size() > 1) {
        std::vector<std::string_view> names;
        for (const Shell& known : shells) names.push_back(known.name);
        throw UsageError(fmt::format("completion{}{}: must be one of {}{}",
                                     arguments.empty() ? "" : " ", joined(arguments, " "),
                                     joined(names, ", "), did_you_mean(name, names)));
    }
    return print(shell->script);
}

}  // namespace pegen::cli
