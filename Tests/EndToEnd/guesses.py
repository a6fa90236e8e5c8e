"""Guessed commands: each is run, or the right command is named.

Every line that a first-time user has tried is here, with what it does.
"""

import os
import re
import subprocess

from sets import long
from terminal import Terminal

QUIET = ["--adapter", "virtual-quiet"]

# What is typed, and the command that it is.
ACCEPTED = [
    ("list", "devices"), ("ls", "devices"), ("headphones", "devices"), ("device", "devices"),
    ("info", "status"), ("info aurora", "status aurora"), ("show", "status"),
    ("status -j", "status --json"), ("-j status", "status --json"),
    ("charge", "battery"), ("bat", "battery"), ("battery all", "battery"),
    ("battery aurora all", "battery aurora"),
    ("completion bash", "completions bash"), ("completions z", "completions zsh"),
    ("equalizer", "eq"), ("equaliser bass", "eq bass-boost"), ("eq flat", "eq balanced"),
    ("eq reset", "eq balanced"), ("eq off", "eq balanced"), ("eq 2", "eq bass-boost"),
    ("import nothing.txt", "eq import nothing.txt"), ("anc passthrough", "anc transparency"),
    ("setting list", "setting"), ("status all", "status --all"), ("game-mode", "setting game-mode"),
    ("-d nobody pair", "pair nobody"), ("-d nobody forget", "forget nobody"),
    ("eq set vocal", "eq vocal"), ("eq sav evening", "eq save evening"),
    ("presets", "eq list"), ("eq ls", "eq list"), ("eq -l", "eq list"), ("eq show", "eq"),
    ("eq none", "eq balanced"), ("eq default", "eq balanced"), ("eq rm nothing", "eq delete nothing"),
    ("anc status", "anc"), ("anc show", "anc"), ("get anc", "anc"), ("set anc off", "anc off"),
    ("anc normal", "anc off"), ("noise cancel", "anc noise-cancelling"),
    ("transparency on", "anc transparency"), ("transparency off", "anc off"),
    ("noise-cancelling on", "anc noise-cancelling"),
    ("volume 40 %", "volume 40"), ("volume up 10", "volume +10"), ("vol down 10", "volume -10"),
    ("mute 1", "mute on"), ("mute 0", "mute off"), ("volume 30 aurora", "volume 30 --device aurora"),
    ("play-pause", "audio play-pause"), ("audio toggle", "audio play-pause"),
    ("outputs", "audio list"), ("sinks", "audio list"), ("audio sinks", "audio list"),
    ("auracast 1", "broadcasts 1"), ("phones", "multipoint"), ("hosts", "multipoint"),
    ("history", "battery --history"), ("events --lines 0", "log --lines 0"),
    ("journal --lines 0", "log --lines 0"), ("le-audio", "doctor --le-audio"),
    ("firmware check", "firmware status"), ("firmware list", "firmware status"),
    ("touch left-hold", "touch left hold"), ("touch right-double-tap", "touch right double-tap"),
    ("audio ceiling", "audio setting volume-ceiling"),
    ("audio setting ceiling", "audio setting volume-ceiling"),
    ("wear toggle", "wear-detection on"), ("wear on", "wear-detection on"),
    ("theme nord", "config set screen.theme nord"), ("config list", "config show"),
    ("config reset theme", "config unset screen.theme"), ("config validate", "config check"),
    ("status -a", "status --all"), ("status -f plain", "status --format plain"),
    ("scan -t 1 --json", "scan --timeout 1 --json"), ("scene load nowhere", "scene nowhere"),
    ("noise off", "anc off"), ("nc on", "anc noise-cancelling"), ("transparency", "anc transparency"),
    ("adaptive --device cipher", "anc adaptive --device cipher"), ("ambient 10", "level 10"),
    ("anc 1", "anc off"), ("anc 3", "anc transparency"), ("anc prev", "anc previous"),
    ("anc help", "anc --help"), ("anc --list", "anc --help"), ("scene help", "scene --help"),
    ("eq help", "eq --help"), ("battery help", "battery --help"), ("help noise", "help anc"),
    ("help settings", "help setting"), ("help audio mic", "help audio microphone"),
    ("vol", "volume"), ("vol 40", "volume 40"), ("audio volume 40", "volume 40"),
    ("volume up", "volume +5"), ("volume down", "volume -5"), ("volume max", "volume 100"),
    ("volume min", "volume 0"), ("volume mute", "mute"), ("volume unmute", "mute off"),
    ("unmute", "mute off"), ("mute yes", "mute on"), ("mute no", "mute off"),
    ("level max", "level 10"), ("level min", "level 0"),
    ("play", "audio play"), ("pause", "audio pause"), ("next", "audio next"),
    ("previous", "audio previous"),
    ("output speakers", "audio route speakers"), ("route speakers", "audio route speakers"),
    ("audio rout speakers", "audio route speakers"),
    ("mic", "audio microphone"), ("codec", "audio profile"), ("profile", "audio profile"),
    ("ring stop", "find stop"), ("locate stop", "find stop"), ("find stop", "find stop"),
    ("find off", "find stop"),
    ("set noise-mode off", "setting noise-mode off"), ("get noise-mode", "setting noise-mode"),
    ("settings", "setting"), ("setting noise", "setting noise-mode"),
    ("set volume 40", "volume 40"), ("gestures", "touch"),
    ("audio outputs", "audio list"), ("demo config path", "--adapter virtual config path"),
    ("firmware version", "firmware status"),
    ("wear", "wear-detection"), ("wear on", "wear-detection on"),
    ("logs --lines 0", "log --lines 0"), ("log --tail 0", "log --lines 0"), ("log -n 0", "log --lines 0"),
    ("scenes", "scene"), ("scene apply nowhere", "scene nowhere"), ("apply nowhere", "scene nowhere"),
    ("power on", "power"), ("scan 1 --json", "scan --timeout 1 --json"),
    ("update nothing.fw", "firmware install nothing.fw"),
    ("firmware update nothing.fw", "firmware install nothing.fw"),
    ("unpair nobody", "forget nobody"), ("remove nobody", "forget nobody"),
    ("factory-reset", "reset"), ("gatt", "inspect"), ("read battery", "read 2A19"),
    ("read battery-level", "read 2A19"),
    ("themes", "config themes"), ("config theme", "config themes"),
    ("power", "power status"), ("bluetooth", "power"),
    ("--adapter virtual-quiet -V", "--version"), ("version", "--version"),
    ("Status --format {left}", "status --format {left}"),
]

# What is typed, and what the second line of the error says.
SUGGESTED = [
    ("watch --once", "to do that: earshot status --json"),
    ("audio speakers", "to do that: earshot audio route speakers"),
    ("use aurora", "to do that: earshot connect aurora"),
    ("switch drift", "to do that: earshot connect drift"),
    ("aurora connect", "to do that: earshot connect aurora"),
    ("agent stop", "to do that: systemctl --user stop earshot"),
    ("agent status", "to do that: systemctl --user status earshot"),
    ("quit", "to do that: systemctl --user stop earshot"),
    ("devices --connected", "to do that: earshot status --all"),
    ("bug", "to do that: earshot doctor --report FILE"),
    ("adapters", "to do that: earshot doctor"),
    ("polybar", "to do that: earshot watch --format polybar"),
    ("autoeq aurora", "to do that: earshot correction find aurora"),
]

# These run on, or change what the next line needs; what they are is in their help.
RUN_ON = {
    "daemon": "agent", "monitor": "watch", "search": "scan", "nearby": "scan", "edit": "config edit",
    "discover": "scan", "add": "pair", "beep": "find",
}


def result_of(binary, line, **options):
    words = line.replace("HOME", os.environ["HOME"]).split()
    adapter = [] if "--adapter" in words else QUIET
    return subprocess.run(
        [binary, *words, *adapter], capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=120, **options,
    )


@long
def case_what_people_guess_is_what_they_mean(binary):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    for typed, meant in ACCEPTED:
        got, wanted = result_of(binary, typed), result_of(binary, meant)
        assert (got.returncode, got.stdout) == (wanted.returncode, wanted.stdout), (
            f"{typed}:\n{got}\n{meant}:\n{wanted}")
        assert got.returncode != 64, f"{typed}: {got}"


@long
def case_what_cannot_be_known_is_suggested(binary):
    for typed, advice in SUGGESTED:
        got = result_of(binary, typed)
        lines = got.stderr.splitlines()
        assert got.returncode == 64 and lines[-1] == advice and len(lines) == 2, f"{typed}: {got}"


@long
def case_the_help_of_a_command_has_its_other_names(binary):
    for typed, meant in RUN_ON.items():
        page = result_of(binary, f"{meant} --help").stdout
        assert typed in page.split("ALSO:")[1].split("COMMON OPTIONS")[0], f"{typed}: {page}"


@long
def case_examples_can_be_pasted(binary):
    commands = {meant.split()[0] for _, meant in ACCEPTED if not meant.startswith("-")}
    for command in sorted(commands | {"simulate", "watch", "doctor", "connect", "disconnect", "capture"}):
        page = result_of(binary, f"{command} --help").stdout
        examples = page.split("EXAMPLES:\n")[1].split("\n\n")[0].splitlines()
        assert examples and all(re.match("  (earshot|echo|tshark)", line) for line in examples), page


@long
def case_a_search_without_a_terminal_says_what_it_does(binary):
    lost = result_of(binary, "battery nobody --timeout 5")
    assert lost.returncode == 4 and lost.stdout == "", lost
    assert lost.stderr.count("earshot: looking for headphones...\n") == 1, lost


@long
def case_a_connection_that_is_kept_is_said_without_a_terminal(binary):
    kept = subprocess.Popen(
        [binary, "connect", "aurora", *QUIET], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True)
    try:
        while "keeping the link" not in (line := kept.stderr.readline()):
            assert line, "never said"
    finally:
        kept.terminate()
        kept.wait()


@long
def case_a_table_fits_the_terminal(binary):
    for columns in (60, 80, 160):
        command = [binary, "settings", "-d", "wh-1000xm4", "--adapter", "virtual-families", "--no-color"]
        with Terminal(command, columns=columns, rows=60) as terminal:
            terminal.end()
        lines = terminal.text().rstrip().splitlines()
        while lines and not lines[0].startswith("SETTING"):  # that they are virtual
            lines.pop(0)
        assert lines and lines[0].split() == ["SETTING", "VALUE", "PROOF", "TAKES"], terminal.text()
        # A line that is too long goes on at the left edge; the names of settings begin there.
        indented = [line for line in lines[1:] if line.startswith(" ")]
        assert all(re.match(r"[a-z-]+ {2,}\S|  ", line) for line in lines[1:]), terminal.text()
        assert bool(indented) == (columns < 160), terminal.text()


@long
def case_a_status_is_watched(binary):
    watch = subprocess.Popen(
        [binary, "status", "--watch", "--format", "plain", *QUIET], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )
    try:
        while (line := watch.stdout.readline().strip()) != "L84 R79 C62 NC":
            assert line, "never said"
    finally:
        watch.kill()
        watch.wait()


@long
def case_presets_have_one_namespace(binary):
    assert result_of(binary, "eq --bands 3,2,0,-0.5,0,0,0,0").returncode == 0
    listed = result_of(binary, "eq list").stdout
    for name in ("balanced", "bass-boost", "vocal"):
        assert name in listed, listed
    assert result_of(binary, "eq save mine").stdout == "mine\n"
    listed = result_of(binary, "eq list").stdout
    assert "balanced" in listed and "mine" in listed, listed
    saved = result_of(binary, "eq mine")
    assert saved.returncode == 0 and saved.stdout.startswith("custom: "), saved
    assert result_of(binary, "eq set mine").stdout == saved.stdout == result_of(binary, "eq mi").stdout
    assert result_of(binary, "eq use vocal").stdout == result_of(binary, "eq set vocal").stdout
    wrong = result_of(binary, "eq mime")
    assert wrong.returncode == 64 and 'did you mean "mine"?' in wrong.stderr, wrong
    assert "balanced" in wrong.stderr.splitlines()[-1] and "mine" in wrong.stderr, wrong
    # Another maker's headphone has presets of its own, and no bands.
    buds = ["-d", "galaxy buds2", "--adapter", "virtual-families"]
    def of(*words, status=0):
        result = subprocess.run(
            [binary, *words, *buds], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert result.returncode == status, result
        return result
    names = [line.split()[0].strip("*") or line.split()[1] for line in of("eq", "list").stdout.splitlines()]
    assert len(names) >= 6, names
    assert of("eq", "dyn").stdout.startswith("dynamic"), "a preset of the headphone's own"
    assert of("eq", "next").stdout, "the next one"
    refused = of("eq", "--bands", "1,2,3", status=1).stderr
    assert "presets only" in refused and "earshot eq list" in refused, refused


@long
def case_a_scene_is_deleted_and_the_rest_of_the_file_stays(binary):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "config.toml")
    before = '# mine\n[battery]\nlow = 30\n\n[scenes.desk]\nnoise-mode = "off"\n# of desk\n\n'
    after = '# about work\n[scenes.work]\nnoise-mode = "transparency"\n'
    with open(path, "w") as file:
        file.write(before + after)
    assert result_of(binary, "scene delete desk").stdout == "desk\n"
    with open(path) as file:
        text = file.read()
    assert text == before[:before.index("[scenes")] + text[text.index("# of desk"):], text
    assert text.endswith(after) and "noise-mode = \"off\"" not in text, text
    gone = result_of(binary, "scene delete desk")
    assert gone.returncode == 1 and "scenes: work" in gone.stderr, gone
    assert result_of(binary, "scene rename work office").stdout == "office\n"
    with open(path) as file:
        assert file.read() == text.replace("[scenes.work]", "[scenes.office]")
    assert result_of(binary, "scene rename office office").returncode == 1
    assert result_of(binary, "scene rename office 'not this'").returncode == 64
    assert result_of(binary, "scene rm off").stdout == "office\n"
    with open(path, "w") as file:
        file.write('[scenes]\nwork = { noise-mode = "off" }\n')
    kept = result_of(binary, "scene delete work")
    assert kept.returncode == 1 and "config edit" in kept.stderr, kept


@long
def case_all_headphones_are_forgotten_at_once(binary):
    for name in ("aurora", "drift"):
        assert result_of(binary, f"status {name}").returncode == 0
    assert len(result_of(binary, "devices").stdout.splitlines()) == 2
    assert result_of(binary, "forget").returncode == 64
    assert result_of(binary, "forget aurora --all").returncode == 64
    assert result_of(binary, "forget --all --yes").returncode == 0
    assert result_of(binary, "devices").stdout == ""
    assert result_of(binary, "forget --all --yes").returncode == 4


@long
def case_the_configuration_is_edited_and_checked(binary):
    editor = os.path.join(os.environ["HOME"], "editor")
    with open(editor, "w") as file:
        file.write("#!/bin/sh\nprintf '[battery]\\nlow = 33\\n' > \"$1\"\n")
    os.chmod(editor, 0o700)
    environment = {**os.environ, "EDITOR": editor, "VISUAL": ""}
    assert result_of(binary, "config edit", env=environment).returncode == 0
    assert "low = 33" in result_of(binary, "config show").stdout
    assert result_of(binary, "config set battery.low 25").stdout.strip() == "battery.low"
    assert result_of(binary, "config set theme nord").returncode == 0
    assert {"low = 25", 'theme = "nord"'} <= set(result_of(binary, "config show").stdout.splitlines())
    assert result_of(binary, "config unset theme").returncode == 0
    with open(os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot", "config.toml")) as file:
        left = file.read()
    assert "low = 25" in left and "theme" not in left, left
    refused = result_of(binary, "config set battery.low 101")
    assert refused.returncode == 64 and "config keys battery.low" in refused.stderr, refused
    assert "screen.theme" in result_of(binary, "config set theem nord").stderr
    with open(editor, "w") as file:
        file.write("#!/bin/sh\nprintf 'low' > \"$1\"\n")
    wrong = result_of(binary, "config edit", env=environment)
    assert wrong.returncode == 1 and "line 1" in wrong.stderr, wrong
    gone = result_of(binary, "config edit", env={**environment, "EDITOR": "/no/such/editor"})
    assert gone.returncode == 1 and "EDITOR" in gone.stderr, gone
    # No terminal in a script, and none of the two variables.
    none = result_of(binary, "config edit", env={**environment, "EDITOR": ""})
    assert none.returncode == 1 and "vi needs a terminal\n" in none.stderr, none


# A command line that fails, its exit code, and both lines of its error; None: any.
ERRORS = [
    ("volume 200", 64, "there is no such volume", "it goes from 0 to 100"),
    ("volume loud", 64, 'volume takes no "loud"', "it takes a number, +N, -N, up, down, min or max"),
    ("level 99", 64, "there is no such level", "it goes from 0 to 10"),
    ("eq --bands 99", 64, '--bands takes no "99"', None),
    ("read xyz", 64, 'read takes no "xyz"', None),
    ("write FFF1 0", 64, 'write takes no "0"', "it takes pairs of hexadecimal digits, such as 01ff"),
    ("power loud", 64, 'power takes no "loud"', "it takes on, off, status"),
    ("battery drfit", 4, 'no headphone "drfit"', 'did you mean "Drift Neckband"?'),
    ("status battery", 64, 'status takes a headphone, not "battery"', "to do that: earshot battery"),
    ("find stop left", 64, '"stop" and "left" exclude each other', "give one of them"),
    ("watch waybar", 64, 'watch takes a headphone, not "waybar"', "to do that: earshot watch --format waybar"),
    ("forget", 64, "forget needs <headphone>", "for example: earshot forget f0f1"),
    ("rename", 64, "rename needs <name>", 'for example: earshot rename "Kitchen Buds"'),
    ("setting gaem", 1, 'Aurora Buds has no setting "gaem"', "`earshot setting` lists them"),
    ("setting noise-mode tarnsparency", 64, None, None),
    ("scene nowhere", 1, 'no scene "nowhere"', "save one: earshot scene save NAME"),
    ("disconnect", 1, "nothing to disconnect", None),
    ("firmware inspect /etc/passwd", 1, None,
     "choose a firmware image, such as NAME.fw of the headphone's maker"),
    ("--adapter nonsense status", 64, 'there is no adapter "nonsense"',
     "it takes hci0 and so on, virtual, virtual-families, virtual-le-audio, virtual-flaws, "
     "virtual-unknown, virtual-quiet"),
    ("--timeout 0 status", 64, None, "it takes more than 0 s and at most a day"),
    ("status --all --format plain", 64, None, "give one of them"),
    ("--adapter virtual-quiet help nosuch", 64, 'there is no command "nosuch"',
     "`earshot --help` lists them"),
    ("audio profile none", 1, 'no profile "none"', "`earshot audio profile` lists them"),
    ("audio microphone none", 1, 'no microphone "none"', "`earshot audio microphone` lists them"),
    ("audio route none", 1, 'no sound device "none"', "`earshot audio` lists them"),
    ("pair", 64, "pair needs <headphone>", "for example: earshot pair f0f1"),
]


@long
def case_an_error_is_what_happened_and_what_to_do(binary):
    for line, status, what, advice in ERRORS:
        got = result_of(binary, line)
        lines = [text for text in got.stderr.splitlines() if "are virtual" not in text]
        assert got.returncode == status and len(lines) == 2, f"{line}: {got}"
        first = lines[0].removeprefix("earshot: ")
        assert what in (None, first) and advice in (None, lines[1]), f"{line}: {lines}"
        for text in (first, lines[1]):
            assert not text.endswith("."), f"{line}: {text}"
            assert text[0] == text[0].lower() or text.startswith("Aurora"), f"{line}: {text}"


@long
def case_nothing_is_refused_that_is_there(binary):
    def of(device, *words):
        return subprocess.run(
            [binary, *words, "-d", device, "--adapter", "virtual-families"], capture_output=True,
            text=True, stdin=subprocess.DEVNULL, timeout=120)

    refused = of("vivo TWS Air3 Pro", "touch")
    assert refused.returncode == 1 and "iQOO command" not in refused.stderr, refused
    notes = ("earshot: these headphones are virtual", "earshot: looking for headphones...")
    assert len([line for line in refused.stderr.splitlines() if line not in notes]) == 2, refused
    refused = of("WH-1000XM4", "find")
    assert refused.returncode == 1 and "Sony command" not in refused.stderr, refused
    heard = of("AirPods Pro 2", "anc", "off").stderr.splitlines()
    assert heard[-2:] == [
        "earshot: connect its sound first; until then it only broadcasts",
        "`earshot audio connect` connects its sound",
    ], heard
    assert "cannot be renamed" in of("WH-1000XM4", "rename", "X").stderr
    near = of("galaxy buds2", "setting", "gmae-mode")
    assert 'did you mean "game-mode"?' in near.stderr, near
    assert of("galaxy buds2", "setting", "game").returncode == 0
