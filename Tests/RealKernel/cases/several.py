"""Several headphones at once on one adapter."""

from bench.desktop import Desktop
from bench.failure import equal, expect

from . import first
from .screen import READY, start

SIX = [f"F0:F1:F2:F3:F4:{last:02X}" for last in range(0x21, 0x27)]


def twins(rig):
    """Two of one name and model, as a couple would have."""
    return [
        rig.headphone(called=f"{side} twin", address=address, serial=side)
        for side, address in (("first", SIX[0]), ("second", SIX[1]))
    ]


def modes(headphone):
    return [record["value"] for record in headphone.seen("anc written")]


@first()
def case_two_of_one_model_are_never_taken_for_each_other(rig):
    first, second = twins(rig)
    agent = rig.run("agent")
    agent.wait_for("keeps the link")
    for twin in first, second:
        rig.earshot("connect", twin.address).succeeded()
    for twin, mode, level in ((second, "transparency", 22), (first, "adaptive", 11)):
        rig.earshot("anc", mode, "--device", twin.address).succeeded()
        twin.change(battery=[level, level, level])
    equal((modes(first), modes(second)), (["03"], ["02"]), "modes written to each")
    for twin, serial, mode, level in (
        (first, "first", "adaptive", 11),
        (second, "second", "transparency", 22),
    ):
        status = rig.earshot("status", "--json", "--device", twin.address).succeeded().json
        equal(status["control"]["state"], "ready", f"state of the {serial}")
        equal(status["device"]["serial"], serial, "serial number")
        equal((status["anc"], status["battery"]["left"]), (mode, level), f"values of the {serial}")


def case_the_screen_sends_commands_to_the_chosen_one_of_two(rig):
    pair = twins(rig)
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("found 2 headphones")
    screen.press("c")
    screen.wait_for(READY)
    # The list has them in the order in which they were heard.
    upper, lower = sorted(pair, key=lambda twin: not twin.seen("connected"))
    screen.press("]", "c")
    screen.wait_for(both_ready)
    screen.press("3")
    lower.wait_for("anc written", value="02")
    screen.press("[", "4")
    upper.wait_for("anc written", value="03")
    equal((modes(upper), modes(lower)), (["03"], ["02"]), "modes written to each")


def both_ready(text):
    """The panel shows the chosen one, the list both."""
    return text.count(READY) == 3


def case_six_headphones_at_once_each_obey_and_one_leaves_and_comes_back(rig):
    headphones = [
        rig.headphone(called=f"Number {number}", name=f"Number {number}", address=address)
        for number, address in enumerate(SIX, start=1)
    ]
    agent = rig.run("agent")
    agent.wait_for("keeps the link")
    for headphone in headphones:
        rig.earshot("connect", headphone.address).succeeded()
    names = ("off", "noise-cancelling", "transparency", "adaptive")
    for number, headphone in enumerate(headphones):
        rig.earshot("anc", names[number % 4], "--device", headphone.address).succeeded()
    for number, headphone in enumerate(headphones):
        equal(modes(headphone), [f"{number % 4:02X}"], f"modes written to {headphone.name}")

    leaver, *others = headphones
    watch = rig.run("watch", "--device", leaver.address)
    ready = watch.wait_for(lambda status: status["control"]["state"] == "ready")
    leaver.switch_off()
    lost = watch.wait_for(lambda status: status["control"]["state"] != "ready", after=ready)
    leaver.switch_on_again()
    watch.wait_for(lambda status: status["control"]["state"] == "ready", after=lost)
    rig.earshot("anc", "adaptive", "--device", leaver.address).succeeded()
    equal(modes(leaver), ["00", "03"], "modes written to the one that came back")
    for headphone in others:
        equal(len(headphone.seen("connected")), 1, f"connections of {headphone.name}")
        equal(len(modes(headphone)), 1, f"commands to {headphone.name}")


def in_turn(rig):
    """The second user gets the reason, does not disturb the first, and has it afterwards."""
    headphone, screen = start(rig)
    asked = ("battery", "--device", headphone.address)
    refused = rig.earshot(*asked, unprivileged=True)
    equal(refused.status, 5, "exit status while it is used")
    expect("another program holds the link to this headphone" in refused.messages, f"{refused}")
    screen.press("3")
    headphone.wait_for("anc written", value="02")
    equal(len(headphone.seen("connected")), 1, "connections while it is used")
    screen.press("q")
    headphone.wait_for("disconnected")
    rig.earshot(*asked, unprivileged=True).succeeded()
    rig.earshot(*asked).succeeded()


def case_two_users_of_one_machine_use_a_headphone_in_turn(rig):
    in_turn(rig)


def case_two_users_use_a_headphone_in_turn_beside_bluetoothd(rig):
    with Desktop(rig.folder):
        in_turn(rig)
