"""Measured corrections, as a person and a script use them."""

import json

from command_line import run
from sets import long
from sharing import Agent

QUIET = ("--adapter", "virtual-quiet")


def report(binary, *arguments, **options):
    return json.loads(run(binary, "correction", *arguments, "--json", *QUIET, adapter=False, **options).stdout)


def case_a_headphone_of_the_table_is_found_by_words(binary):
    lines = run(binary, "correction", "find", "wh-1000xm4", adapter=False).stdout.splitlines()
    assert any(line.startswith("Sony WH-1000XM4 ") and "oratory1990" in line for line in lines), lines
    refused = run(binary, "correction", "find", "no such model", adapter=False, status=1)
    assert "the table has no" in refused.stderr, refused


def case_a_correction_is_in_the_own_equaliser_and_gives_back_what_was_there(binary):
    with Agent(binary):
        run(binary, "eq", "--bands", "1,1,1,1,1,1,1,1", *QUIET, adapter=False)
        on = report(binary, "use", "Sony", "WH-1000XM4")["correction"]
        assert on["on"] and on["state"] == "headphone", on
        # It was measured in both modes, and the headphone cancels noise now.
        assert on["name"] == "Sony WH-1000XM4 (ANC on)" and on["measuredBy"] == "HypetheSonics", on
        assert on["losses"], on
        eq = json.loads(run(binary, "eq", "--json", *QUIET, adapter=False).stdout)["eq"]
        assert eq["preset"] == "custom" and eq["bands"] != [1.0] * 8, eq
        run(binary, "anc", "off", *QUIET, adapter=False)
        off = report(binary)["correction"]
        assert off["name"] == "Sony WH-1000XM4 (ANC Off)", off
        weaker = report(binary, "strength", "0")["correction"]
        assert weaker["strength"] == 0 and weaker["state"] == "headphone", weaker
        eq = json.loads(run(binary, "eq", "--json", *QUIET, adapter=False).stdout)["eq"]
        assert eq["bands"] == [0.0] * 8, eq
        status = json.loads(run(binary, "status", "--json", *QUIET, adapter=False).stdout)
        assert status["correction"]["state"] == "headphone", status
        assert not report(binary, "off")["correction"]["on"]
        eq = json.loads(run(binary, "eq", "--json", *QUIET, adapter=False).stdout)["eq"]
        assert eq["bands"] == [1.0] * 8, eq


def case_a_virtual_sound_server_cannot_correct_and_says_so(binary):
    with Agent(binary):
        report(binary, "place", "computer")
        words = ("correction", "use", "Sony", "WH-1000XM4")
        refused = run(binary, *words, *QUIET, adapter=False, status=1)
        assert "that needs PipeWire" in refused.stderr, refused
        assert not report(binary)["correction"]["on"]


def case_a_headphone_that_the_table_lacks_is_not_corrected(binary):
    with Agent(binary):
        run(binary, "rename", "Nothing Ear (a)", *QUIET, adapter=False)
        refused = run(binary, "correction", "on", *QUIET, adapter=False, status=1)
        assert refused.stderr.splitlines()[-1] == "earshot correction find WORDS", refused
        assert not report(binary)["correction"]["on"]
        blank = run(binary, "rename", "   ", *QUIET, adapter=False, status=64)
        assert "cannot take this name" in blank.stderr, blank


@long
def case_wrong_words_are_explained(binary):
    for arguments in (("strength", "101"), ("bass", "7"), ("place", "moon")):
        run(binary, "correction", *arguments, status=64)
    refused = run(binary, "correction", "use", "WH-1000XM4", status=1)
    assert "name one of them whole" in refused.stderr, refused
    refused = run(binary, "correction", "file", "/no/such/file.txt", status=1)
    assert "there is no such file" in refused.stderr, refused
