"""A headphone of a maker that only a driver file knows: `--driver FILE`, the folder `drivers`, and `earshot learn`."""

import json
import os
import re
import textwrap

from learning import run
from walkthrough import ROOT, Place

UNKNOWN = ["--adapter", "virtual-unknown", "--device", "Example Buds"]


def document(name):
    with open(os.path.join(ROOT, "docs", name)) as file:
        return file.read()


def example(replacing={}):
    """The example of docs/driver-files.md, with other text in place of some."""
    text = document("driver-files.md").split("```toml\n")[-1].split("```")[0]
    for old, new in replacing.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def written(text, name, folder=None):
    path = os.path.join(folder or os.environ["HOME"], name)
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
    result = run(binary, "status", *UNKNOWN, "--timeout", "3", allowed=(4,))
    assert "not found nearby" in result.stderr, result
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
    # It is known now, but only with the file.
    result = run(binary, "status", *UNKNOWN, allowed=(1,))
    assert "unknown kind of headphone" in result.stderr, result


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
    run(binary, "status", *UNKNOWN, "--driver", "nobody", allowed=(64,))
    result = run(binary, "status", *UNKNOWN, "--driver", "./nobody.toml", allowed=(1,))
    assert "./nobody.toml: there is no such file" in result.stderr, result


def case_the_folder_of_drivers_applies_without_an_option(binary):
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot/drivers")
    written(example(), "acme.toml", folder)
    assert status(binary)["device"]["model"] == "EX-1"
    assert "Example Buds: service A0E0, by acme.toml" in told(binary)
    assert "Example Buds: service A0E0, as --driver says, by acme.toml" in told(binary, "--driver", "acme")
    # Another file for the same service: words, and --driver chooses.
    name = 'name = "Example Buds"'
    written(example(replacing={name: 'name = "Other"'}), "other.toml", folder)
    result = run(binary, "config", "check", allowed=(1,))
    assert "acme.toml is for the same service and is used; --driver other" in result.stdout, result
    assert json.loads(run(binary, "config", "check", "--json", allowed=(1,)).stdout)["drivers"][0]["line"] == 5
    words = "acme.toml is used; other would fit, too: --driver other chooses it"
    assert words in told(binary), told(binary)
    assert "Other: service A0E0, as --driver says, by other.toml" in told(binary, "--driver", "other")


def case_the_page_leads_from_a_capture_to_a_driver(binary):
    """The commands and the rows of docs/add-your-headphone.md, as they stand there."""
    page = document("add-your-headphone.md")
    place = Place(binary)
    written(example(), "app.toml", place.folder)

    def walked(line, status=0):
        result = place.run(line)
        assert result.returncode == status, f"{line}: {result}"
        return result.stdout + result.stderr

    answers = []
    for text in re.findall(r"^```sh\n(.*?)^```", page.split("### From the capture")[1].split("\n## ")[0], re.M | re.S):
        answers += [walked(line) for line in text.splitlines()]
    assert answers[2] == "acme.toml: ok\n", answers
    assert "service A0E0, as --driver says, by acme.toml" in answers[3], answers
    with open(os.path.join(place.folder, "acme.toml")) as file:
        acme = file.read()
    rows = [textwrap.dedent(text) for text in re.findall(r"^   ```text\n(.*?)^   ```", page, re.M | re.S)]
    assert len(rows) == 2, rows
    for row in rows:
        head = re.escape("\n".join(row.splitlines()[:2]))
        acme, count = re.subn(rf"{head}\n.*?values = \[\]\n", lambda _: row, acme, count=1, flags=re.S)
        assert count == 1, f"{row}\n{acme}"
    acme = acme.replace('# asked with: ask = ""\nvalues = [\n', 'ask = ""\nvalues = [\n')
    written(acme, "acme.toml", place.folder)
    [battery] = re.findall(r"`(earshot --adapter [^`]* battery)`", page)
    text = walked(battery)
    assert all(level in text for level in ("75", "72", "41")), text
    anc = battery.replace("battery", "anc noise-cancelling")
    assert "this driver only reads" in walked(anc, 6)
    written('allow = "write"\n' + acme, "acme.toml", place.folder)
    walked(anc)
