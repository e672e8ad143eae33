"""Scripts for shells, made of the commands and their options.

In: ``Command`` values.
Out: text that bash, zsh or fish reads.
Next: completion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tangentlite.values import immutable


@immutable
class Option:
    """An option, or an argument where ``words`` is empty: ``kind`` is "file", "target" or nothing."""

    words: tuple[str, ...]
    told: str
    takes: bool
    choices: tuple[str, ...] = ()
    kind: str = ""


@immutable
class Command:
    """A command with its options and arguments."""

    name: str
    told: str
    options: tuple[Option, ...]
    places: tuple[Option, ...]

    @property
    def has_target(self) -> bool:
        """Whether it takes FILE.py:function."""
        return any(place.kind == "target" for place in self.places)

    @property
    def words(self) -> list[str]:
        """All that may be written, besides files."""
        options = [word for option in self.options for word in option.words]
        return options + [choice for place in self.places for choice in place.choices]


BASH = """\
# Completion of tangentlite for bash: source <(tangentlite completion bash)
_tangentlite_target() {
    local name
    if [[ $1 == *:* ]]; then
        for name in $(tangentlite completion --names "${1%%:*}" 2>/dev/null); do
            [[ $name == "${1#*:}"* ]] || continue
            if [[ $COMP_WORDBREAKS == *:* ]]; then COMPREPLY+=("$name"); else COMPREPLY+=("${1%%:*}:$name"); fi
        done
        return
    fi
    compopt -o nospace 2>/dev/null
    while IFS= read -r name; do
        if [[ -d $name ]]; then COMPREPLY+=("$name/"); elif [[ $name == *.py ]]; then COMPREPLY+=("$name:"); fi
    done < <(compgen -f -- "$1")
}

_tangentlite() {
    local line="${COMP_LINE:0:COMP_POINT}" command="" previous words i
    local word="${line##*[[:space:]]}"
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
            @COMMANDS@) command="${COMP_WORDS[i]}"; break ;;
        esac
    done
    previous="${COMP_WORDS[COMP_CWORD-1]}"
    case "$command $previous" in
@VALUES@
    esac
    case "$command" in
@WORDS@
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    case "$command" in
        @TARGETS@) [[ $word == -* ]] || _tangentlite_target "$word" ;;
    esac
}
complete -F _tangentlite tangentlite
"""


def bash(commands: Sequence[Command]) -> str:
    """The script for bash."""
    names = [command.name for command in commands]
    words = [f'        "") words="{" ".join([*names, "--help", "--version"])}" ;;']
    values = []
    for command in commands:
        words.append(f'        {command.name}) words="{" ".join(command.words)}" ;;')
        for option in command.options:
            values += [_bash_value(command, option)] if option.takes else []
    holes = {
        "@COMMANDS@": "|".join(names),
        "@VALUES@": "\n".join(values),
        "@WORDS@": "\n".join(words),
        "@TARGETS@": "|".join(c.name for c in commands if c.has_target) or '"-"',
    }
    return _filled(BASH, holes)


def _bash_value(command: Command, option: Option) -> str:
    cases = "|".join(f'"{command.name} {word}"' for word in option.words)
    if option.choices:
        found = f'COMPREPLY=($(compgen -W "{" ".join(option.choices)}" -- "$word")); '
    else:
        found = 'COMPREPLY=($(compgen -f -- "$word")); ' if option.kind == "file" else ""
    return f"        {cases}) {found}return ;;"


ZSH = """\
#compdef tangentlite
# Completion of tangentlite for zsh: tangentlite completion zsh > "${fpath[1]}/_tangentlite"
_tangentlite_target() {
    if compset -P '*:'; then
        local -a names
        names=(${(f)"$(tangentlite completion --names "${IPREFIX%:}" 2>/dev/null)"})
        compadd -a names
    else
        _files -g '*.py' -S ':'
    fi
}

_tangentlite() {
    local context state line
    typeset -A opt_args
    _arguments -C '(-h --help)'{-h,--help}'[show help]' '--version[show the version]' \\
        '1:command:((@COMMANDS@))' '*::argument:->rest'
    case $line[1] in
@CASES@
    esac
}
compdef _tangentlite tangentlite
"""


def zsh(commands: Sequence[Command]) -> str:
    """The script for zsh."""
    names = " ".join(f"{c.name}\\:{_quoted(_bare(c.told))}" for c in commands)
    cases = []
    for command in commands:
        options = [_zsh_option(option) for option in command.options]
        places = [_zsh_place(k + 1, place) for k, place in enumerate(command.places)]
        joined = " \\\n            ".join(["_arguments", *options, *places])
        cases.append(f"        {command.name})\n            {joined} ;;")
    return _filled(ZSH, {"@COMMANDS@": names, "@CASES@": "\n".join(cases)})


def _zsh_option(option: Option) -> str:
    told = _bare(option.told)
    value = ""
    if option.takes:
        value = f":value:({' '.join(option.choices)})" if option.choices else ":value:"
        value += "_files" if option.kind == "file" else ""
    words = option.words[0] if len(option.words) == 1 else "{" + ",".join(option.words) + "}"
    star = "'*'" if option.takes else ""
    return f"{star}{words}'[{told}]{value}'"


def _zsh_place(number: int, place: Option) -> str:
    if place.choices:
        return f"'{number}:argument:({' '.join(place.choices)})'"
    return (
        f"'{number}:FILE.py\\:function:_tangentlite_target'"
        if place.kind
        else f"'{number}:argument:'"
    )


FISH = """\
# Completion of tangentlite for fish: tangentlite completion fish > ~/.config/fish/completions/tangentlite.fish
function __tangentlite_target
    set -l token (commandline -ct)
    if string match -q '*:*' -- $token
        set -l file (string split -m 1 : -- $token)[1]
        for name in (tangentlite completion --names $file 2>/dev/null)
            echo $file:$name
        end
    else
        for file in $token*.py
            echo $file:
        end
        __fish_complete_directories $token
    end
end

complete -c tangentlite -f
complete -c tangentlite -n __fish_use_subcommand -s h -l help -d 'show help'
complete -c tangentlite -n __fish_use_subcommand -l version -d 'show the version'
@LINES@
"""


def fish(commands: Sequence[Command]) -> str:
    """The script for fish."""
    lines = []
    for command in commands:
        start = "complete -c tangentlite -n"
        lines.append(f"{start} __fish_use_subcommand -a {command.name} -d {_quoted(command.told)}")
        start += f" '__fish_seen_subcommand_from {command.name}'"
        for place in command.places:
            given = " ".join(place.choices) or ("(__tangentlite_target)" if place.kind else "")
            lines += [f"{start} -a '{given}'"] if given else []
        lines += [f"{start} {_fish_option(option)}" for option in command.options]
    return _filled(FISH, {"@LINES@": "\n".join(lines)})


def _fish_option(option: Option) -> str:
    words = [f"-l {w[2:]}" if w.startswith("--") else f"-s {w[1:]}" for w in option.words]
    if option.takes:
        words.append("-r -F" if option.kind == "file" else "-x")
    words += [f"-a {_quoted(' '.join(option.choices))}"] if option.choices else []
    return " ".join([*words, f"-d {_quoted(option.told)}"])


def _filled(script: str, holes: dict[str, str]) -> str:
    for hole, text in holes.items():
        script = script.replace(hole, text)
    return script


def _bare(text: str) -> str:
    """Text without what means something to zsh."""
    return "".join(c for c in text if c not in "'\"[]:`\\$")


def _quoted(text: str) -> str:
    """Text as one word of a shell.

    >>> _quoted("it's")
    "'its'"
    """
    return "'" + "".join(c for c in text if c not in "'\\\\") + "'"


SCRIPTS: dict[str, Callable[[Sequence[Command]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
