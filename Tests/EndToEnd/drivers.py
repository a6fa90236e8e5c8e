"""A headphone of a maker that only a driver file knows: `--driver FILE`, the folder `drivers`, and `earshot learn`."""

import json
import os

from learning import run

UNKNOWN = ["--adapter", "virtual-unknown", "--device", "Example Buds"]
PAGE = os.path.join(os.path.dirname(__file__), "../../docs/driver-files.md")


def example(**changes):
    with open(PAGE) as file:
        text = file.read().split("```toml\n")[-1].split("```")[0]
    for old, new in changes.get("replacing", {}).items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def written(text, *place):
    path = os.path.join(os.environ["HOME"], *place)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    return path


def status(binary, *options):
    return json.loads(run(binary, "status", "--json", *UNKNOWN, *options).stdout)


def told(binary, *options):
    """What `status` says with its reasons."""
    result = run(binary, "--verbose", "status", *UNKNOWN, *options)
    return result.stdout + result.stderr


def case_a_driver_file_reads_and_changes_a_headphone(binary):
    result = run(binary, "status", *UNKNOWN, allowed=(1,))
    assert "unknown kind of headphone" in result.stderr, result
    path = written(example(), "example.toml")
    driver = ["--driver", path]
    found = status(binary, *driver)
    assert found["device"]["model"] == "EX-1" and found["anc"] == "noise-cancelling", found
    assert found["settings"]["game-mode"] in ("off", False) and found["missing"] == [], found
    text = run(binary, "battery", *UNKNOWN, *driver).stdout
    assert all(level in text for level in ("75", "72", "41")), text
    assert run(binary, "anc", "transparency", *UNKNOWN, *driver).returncode == 0
    assert run(binary, "setting", "game-mode", "on", *UNKNOWN, *driver).returncode == 0
    result = run(binary, "anc", "adaptive", *UNKNOWN, *driver, allowed=(1, 6, 64))
    assert result.stderr, result


def case_a_driver_file_only_reads_unless_it_says_otherwise(binary):
    path = written(example(replacing={'allow = "write"\n': ""}), "example.toml")
    driver = ["--driver", path]
    [missing] = status(binary, *driver)["missing"]
    assert missing.startswith("changes: this driver only reads"), missing
    for command in (["anc", "off"], ["setting", "game-mode", "on"]):
        result = run(binary, *command, *UNKNOWN, *driver, allowed=(6,))
        assert "this driver only reads" in result.stderr, result
        assert 'allow = "write" in example.toml lets it change settings' in result.stderr, result


def case_a_driver_file_with_a_mistake_is_refused_with_its_line(binary):
    text = example(replacing={'{ battery = "right", charging-bit = true }': '{ batery = "right" }'})
    path = written(text, "wrong.toml")
    line = text[: text.index("batery")].count("\n") + 1
    result = run(binary, "config", "check", "--driver", path, allowed=(1,))
    assert result.stdout.startswith(f"{path}:{line}: a value is one of "), result
    result = run(binary, "status", *UNKNOWN, "--driver", path, allowed=(1,))
    assert f"wrong.toml, line {line}: " in result.stderr, result
    assert f"earshot config check --driver {path}" in result.stderr, result
    # Bytes that harm are refused in the same way.
    harmful = example(replacing={
        'to = "A7 command length payload"': 'to = "AA length command payload"',
        'check = "sum"': 'check = "sum16"\ncheck-adds = 0x2019\nuncounted = 4', "number = 0x02": "number = 0x07",
    })  # fmt: skip
    path = written(harmful, "harmful.toml")
    result = run(binary, "config", "check", "--driver", path, allowed=(1,))
    assert "ask: this is never sent to Edifier: it resets the headphone" in result.stdout, result
    good = written(example(), "good.toml")
    assert run(binary, "config", "check", "--driver", good).stdout == f"{good}: ok\n"
    result = run(binary, "status", *UNKNOWN, "--driver", good + "x", allowed=(64,))
    result = run(binary, "status", *UNKNOWN, "--driver", "./nothing.toml", allowed=(1,))
    assert "there is no such file" in result.stderr, result


def case_the_folder_of_drivers_applies_without_an_option(binary):
    written(example(), ".config/earshot/drivers/acme.toml")
    assert status(binary)["device"]["model"] == "EX-1"
    assert "Example Buds: service A0E0, by acme.toml" in told(binary)
    assert "Example Buds: service A0E0, as --driver says, by acme.toml" in told(binary, "--driver", "acme")
    # Another file for the same service: words, and --driver chooses.
    name = 'name = "Example Buds"'
    written(example(replacing={name: 'name = "Other"'}), ".config/earshot/drivers/other.toml")
    result = run(binary, "config", "check", allowed=(1,))
    assert "acme.toml is for the same service and is used; --driver other" in result.stdout, result
    assert json.loads(run(binary, "config", "check", "--json", allowed=(1,)).stdout)["drivers"][0]["line"] == 5
    words = "acme.toml is used; other would fit, too: --driver other chooses it"
    assert words in told(binary), told(binary)
    assert "Other: service A0E0, as --driver says, by other.toml" in told(binary, "--driver", "other")


def case_what_learn_writes_runs_and_reads_the_battery_once_a_person_says_where(binary):
    home = os.environ["HOME"]
    capture, learnt = os.path.join(home, "app.btsnoop"), os.path.join(home, "learnt.toml")
    path = written(example(), "example.toml")
    # Instead of the maker's program.
    run(binary, "status", *UNKNOWN, "--driver", path, "--capture", capture)
    run(binary, "learn", capture, "--table", learnt)
    assert run(binary, "config", "check", "--driver", learnt).stdout == f"{learnt}: ok\n"
    assert "My headphone: service A0E0, as --driver says, by learnt.toml" in told(binary, "--driver", learnt)
    with open(learnt) as file:
        text = file.read()
    assert '# asked with: ask = ""' in text and "CB 48 29" in text, text
    head, row = text.split("number = 0x02\n", 1)
    row = row.replace("# asked with: ", "", 1).replace(
        "values = []", 'values = [{ battery = "left", charging-bit = true }, { battery = "right", charging-bit = true }]', 1)
    written(head + "number = 0x02\n" + row, "learnt.toml")
    text = run(binary, "battery", *UNKNOWN, "--driver", learnt).stdout
    assert "75" in text and "72" in text, text
    result = run(binary, "anc", "off", *UNKNOWN, "--driver", learnt, allowed=(1, 6))
    assert result.stderr, result
