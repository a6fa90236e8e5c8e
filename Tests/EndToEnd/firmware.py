"""Firmware of makers whom a person trusts, whichever process owns the link and whoever asks."""

import contextlib
import json
import os
import subprocess

from terminal import Terminal

QUIET = ["--adapter", "virtual-quiet"]
VIRTUAL = ["--adapter", "virtual"]

# Each process that can own the link without a screen, and what to start others with beside it.
OWNERS = (
    (["agent", *QUIET], QUIET),
    (["simulate"], VIRTUAL),
    (["watch", *QUIET], QUIET),
    (["connect", "aurora", *QUIET], QUIET),
)


@contextlib.contextmanager
def owner(binary, arguments, adapter):
    """A process that owns the link and has Aurora Buds on it."""
    process = subprocess.Popen(
        [binary, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        place = os.path.join(
            os.environ["XDG_RUNTIME_DIR"], "earshot", f"adapter-{adapter[1]}.socket")
        while not os.path.exists(place):
            assert process.poll() is None, "the owner has ended"
        yield
    finally:
        process.kill()
        process.wait()


def run(binary, *arguments, status=0):
    result = subprocess.run(
        [binary, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
        timeout=120, cwd=os.environ["HOME"],
    )
    assert result.returncode == status, f"{arguments}: {result}"
    return result


def image(binary, name, key):
    """An image for Aurora Buds, signed with the key in a file."""
    path = os.path.join(os.environ["HOME"], name)
    with open(path + ".bin", "wb") as file:
        file.write(os.urandom(9_000))
    run(binary, "firmware", "pack", path + ".bin", "-o", path, "--hardware", "0xA102",
        "--version", "9.0.0", "--security-counter", "9")
    run(binary, "firmware", "sign", path, "--with", key)
    return path


def virtual_key():
    path = os.path.join(os.environ["HOME"], "virtual.key")
    with open(path, "w") as file:
        file.write(b"earshot virtual maker, no secret".hex())
    return path


def configure(text):
    """Writes the configuration, and gives its folder."""
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "config.toml")
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)
    return folder


def open_screen(binary, adapter, *options):
    screen = Terminal([binary, *options, *adapter])
    screen.expect("the link", lambda text: "● ready" in text)
    return screen


def choose(screen, path):
    """Names an image on the page of the firmware, and opens that first where it is not."""
    screen.send("U")
    screen.expect("a path to be asked for", lambda text: "FIRMWARE IMAGE" in text)
    # What stands there is of the image before.
    screen.send("\x15" + path + "\r")


def case_a_screen_beside_every_owner_installs_firmware(binary):
    path = image(binary, "a.fw", virtual_key())
    for arguments, adapter in OWNERS:
        with owner(binary, arguments, adapter):
            with open_screen(binary, adapter) as screen:
                choose(screen, path)
                screen.expect("the offer", lambda text: "Install" in text)
                screen.send("\r")
                screen.expect("the question", lambda text: "y Install" in text)
                screen.send("y")
                screen.expect("the new version", lambda text: "9.0.0 is installed" in text)
                # Back to the main page, and out.
                screen.send("q")
                screen.expect("the main page", lambda text: "CONTROL LINK" in text)
                screen.send("q")
                assert screen.end() == 0


def case_a_key_of_a_screen_beside_an_owner_counts_on_that_screen(binary):
    run(binary, "firmware", "keygen", "maker")
    path = image(binary, "a.fw", "maker.key")
    with owner(binary, *OWNERS[0]):
        key = os.path.join(os.environ["HOME"], "maker.pub")
        with open_screen(binary, QUIET, "--key", os.path.relpath(key)) as screen:
            choose(screen, path)
            screen.expect("the offer", lambda text: "Install" in text)
        with Terminal([binary, "--key", "nowhere.pub", *QUIET]) as screen:
            assert screen.end() == 1
            assert "there is no such file" in screen.text(), screen.text()


def case_a_maker_of_the_configuration_counts_at_once_in_every_process(binary):
    run(binary, "firmware", "keygen", "maker")
    path = image(binary, "a.fw", "maker.key")
    with owner(binary, *OWNERS[0]):
        with open_screen(binary, QUIET) as screen:
            choose(screen, path)
            screen.expect("a refusal", lambda text: "not signed by a trusted key" in text)
            configure('[firmware]\nkeys = ["~/maker.pub"]\n')
            choose(screen, path)
            screen.expect("the offer", lambda text: "Install" in text)
            # A command beside it gets as far as the headphone, which has a mind of its own.
            refused = run(binary, "firmware", "install", path, *QUIET, status=6)
            assert "the headphone refused to begin: the image is not signed" in refused.stderr, refused
            configure("")
            choose(screen, path)
            screen.expect("a refusal", lambda text: "not signed by a trusted key" in text)


def case_a_key_before_the_command_counts_as_one_behind_it(binary):
    run(binary, "firmware", "keygen", "maker")
    path = image(binary, "a.fw", "maker.key")
    for arguments in (("--key", "maker.pub", "firmware", "inspect", path),
                      ("firmware", "inspect", path, "--key", "maker.pub")):
        reported = json.loads(run(binary, *arguments, "--json").stdout)
        assert reported["trusted"] is True, (arguments, reported)
    assert "there is no such file" in run(
        binary, "--key", "no.pub", "firmware", "status", *QUIET, status=1).stderr


def case_a_key_that_is_none_is_reported_by_its_line(binary):
    folder = configure("""[firmware]
keys = ["maker.pub", "gone.pub"]

[profiles.acme]
service = "ACE0"
command = "ACE1"
event = "ACE2"
firmware-keys = "short.pub"
""")
    run(binary, "firmware", "keygen", os.path.join(folder, "maker"))
    with open(os.path.join(folder, "short.pub"), "w") as file:
        file.write("0123\n")
    config = os.path.join(folder, "config.toml")
    checked = run(binary, "config", "check", status=1)
    wanted = "name a NAME.pub file written by `earshot firmware keygen`"
    assert checked.stdout.splitlines() == [
        f"{config}:2: cannot trust this maker: {folder}/gone.pub: there is no such file; {wanted}",
        f"{config}:8: cannot trust this maker: {folder}/short.pub: not a key: "
        f"expected 64 hexadecimal digits; {wanted}",
    ], checked
    mistakes = json.loads(run(binary, "config", "check", "--json", status=1).stdout)["mistakes"]
    assert [mistake["line"] for mistake in mistakes] == [2, 8], mistakes
    # Those that are keys count.
    path = image(binary, "a.fw", os.path.join(folder, "maker.key"))
    reported = run(binary, "firmware", "inspect", path)
    assert "by a key trusted for Earshot protocol" in reported.stdout, reported
    assert "config.toml, line 2" in reported.stderr and "1 more" in reported.stderr, reported
    reported = run(binary, "battery", *QUIET)
    assert "config.toml, line 2" in reported.stderr, reported
    with Terminal([binary, *QUIET]) as screen:
        screen.expect(
            "the mistakes", lambda text: "`earshot config check` lists" in " ".join(text.split()))


def case_what_a_maker_has_is_not_written_over(binary):
    home = os.environ["HOME"]
    run(binary, "firmware", "keygen", "maker")
    os.remove(os.path.join(home, "maker.key"))
    refused = run(binary, "firmware", "keygen", "maker", status=1)
    assert "maker.pub: already exists" in refused.stderr, refused
    assert not os.path.exists(os.path.join(home, "maker.key"))
    with open(os.path.join(home, "app.bin"), "wb") as file:
        file.write(bytes(600))
    refused = run(binary, "firmware", "pack", "./app.bin", "-o", "app.bin", "--hardware", "1",
                  "--version", "1.0.0", "--security-counter", "1", status=1)
    assert "would overwrite" in refused.stderr, refused
    assert os.path.getsize(os.path.join(home, "app.bin")) == 600
    refused = run(binary, "firmware", "pack", "./app.bin", "-o", "gone/new.fw", "--hardware", "1",
                  "--version", "1.0.0", "--security-counter", "1", status=1)
    assert "gone/new.fw: the folder gone does not exist; create it first" in refused.stderr, refused
    refused = run(binary, "firmware", "keygen", "gone/maker", status=1)
    assert "gone/maker.key: the folder gone does not exist; create it first" in refused.stderr, refused
    assert not os.path.exists(os.path.join(home, "gone"))
    no_key = run(binary, "firmware", "sign", image(binary, "a.fw", virtual_key()), "--with",
                 "a.fw", status=1)
    assert "a.fw: not a key: expected 64 hexadecimal digits" in no_key.stderr, no_key


def case_a_headphone_that_takes_no_firmware_is_reported_by_its_name(binary):
    refused = run(binary, "firmware", "status", "--device", "drift", *QUIET, status=1)
    assert "Drift Neckband has no firmware update\n`earshot setting` lists" in refused.stderr, refused
    with owner(binary, *OWNERS[0]):
        refused = run(binary, "firmware", "status", "--device", "drift", *QUIET, status=1)
        assert "Drift Neckband has no firmware update\n`earshot setting` lists" in refused.stderr, refused
