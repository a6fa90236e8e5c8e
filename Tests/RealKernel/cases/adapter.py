"""Adapters that go and come back: Earshot waits, says for what, and needs no restart."""

from bench.failure import equal, expect
from bench.kernel import without_module
from bench.sound import Stock

from .pairing import NAME, bonds
from .permission import checks, refused
from .screen import READY, start


def back(rig, headphone, screen, times=2):
    headphone.wait_for("connected", times)
    screen.wait_for(READY)
    screen.press("3")
    headphone.wait_for("anc written", value="02")


def case_an_adapter_switched_off_is_reported_and_waited_for(rig):
    headphone, screen = start(rig)
    rig.adapter.power(False)
    screen.wait_for("Bluetooth is off")
    rig.adapter.power(True)
    back(rig, headphone, screen)


def case_a_command_switches_the_adapter_off_after_the_links_of_the_screen(rig):
    """Linux 6.1.0-56 kills a process that closes a channel of an adapter that is off."""
    headphone, screen = start(rig)
    rig.earshot("power", "off").succeeded()
    headphone.wait_for("disconnected")
    screen.wait_for("Bluetooth is off")
    rig.earshot("power", "on").succeeded()
    back(rig, headphone, screen)


def case_an_adapter_pulled_out_is_reported_and_waited_for(rig):
    headphone, screen = start(rig)
    rig.adapter.unplug()
    screen.wait_for("no Bluetooth adapter")
    rig.adapter.plug()
    back(rig, headphone, screen)


def case_a_switch_that_blocks_bluetooth_under_a_link_is_reported_and_waited_for(rig):
    headphone, screen = start(rig)
    rig.adapter.block()
    screen.wait_for("Bluetooth is blocked by rfkill", "rfkill unblock bluetooth")
    # On a desktop bluetoothd switches it on again; here that is another step, and has its word.
    rig.adapter.unblock()
    screen.wait_for(f"Bluetooth is off ({rig.adapter.name})")
    rig.adapter.power(True)
    back(rig, headphone, screen)


def case_a_switch_that_blocks_bluetooth_before_the_start_is_reported_and_waited_for(rig):
    headphone = rig.headphone()
    rig.adapter.block()
    for command in ("scan", "status"):
        refused(rig.earshot(command), "blocked by rfkill", "rfkill unblock bluetooth")
    status, result = checks(rig)
    equal(result.status, 3, "exit status of the doctor")
    equal(status["rfkill"]["state"], "problem", "finding about rfkill")
    equal(status["rfkill"]["remedy"], "rfkill unblock bluetooth", "remedy")
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for("Bluetooth is blocked by rfkill")
    rig.adapter.unblock()
    rig.adapter.power(True)
    back(rig, headphone, screen, times=1)
    equal(checks(rig)[0]["rfkill"]["state"], "ok", "finding about rfkill in the end")


def case_a_controller_that_dies_is_reported_and_waited_for(rig):
    headphone = rig.headphone()
    watch = rig.run("watch")

    def in_state(*states):
        return lambda status: status["control"]["state"] in states

    ready = watch.wait_for(in_state("ready"))
    rig.adapter.kill()
    lost = watch.wait_for(in_state("waitingForBluetooth"), after=ready)
    rig.adapter.revive()
    headphone.switch_on()
    headphone.change(battery=[33, 44, 55])
    back = watch.wait_for(in_state("ready"), after=lost)
    watch.wait_for(lambda status: status["battery"]["left"] == 33, after=back)


def case_an_adapter_that_hciconfig_alone_switched_on_is_reported_and_no_link_stays(rig):
    rig.adapter.unplug()
    rig.adapter.plug_with_hciconfig()
    headphone = rig.headphone()
    screen = rig.screen(columns=120, rows=40)
    screen.wait_for(READY)
    for count in 1, 2:
        screen.press("p")
        screen.wait_for(lambda text, count=count: text.count("✗") >= count)
    screen.wait_for(READY)
    screen.press("q")
    headphone.wait_for("disconnected")
    for count in 2, 3:
        refused = rig.earshot("pair", NAME, "--yes")
        expect("not possible with this adapter" in refused.messages, f"no word in {refused}")
        headphone.wait_for("disconnected", count)
    # What the doctor sees needs no capability; its cure is what `earshot power` does, too.
    status, _ = checks(rig, unprivileged=True)
    equal(status["power"]["state"], "warning", f"finding about the adapter: {status['power']}")
    expect("hciconfig" in status["power"]["what"], f"no reason in {status['power']}")
    expect("power off &&" in status["power"]["remedy"], f"no cure in {status['power']}")
    equal(status["kernel"]["state"], "ok", f"finding about the kernel: {status['kernel']}")
    rig.earshot("power", "off").succeeded()
    rig.earshot("power", "on").succeeded()
    status, _ = checks(rig, unprivileged=True)
    equal(status["power"]["state"], "ok", f"finding about the adapter: {status['power']}")
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_for("paired")
    equal(len(bonds(rig)), 1, "bonds")



LOW_ENERGY = {"sound": False, "address": "F0:F1:F2:F3:F4:F5"}


def no_link_stays(rig, headphone, **options):
    """Refuses to pair and controls the headphone, each twice and over a link of its own."""
    for count in 1, 3:
        refused = rig.earshot("pair", NAME, "--yes", **options)
        equal(refused.status, 6, f"exit status of {refused}")
        expect("not possible" in refused.messages, f"no word in {refused}")
        expect("earshot doctor" in refused.messages, f"no advice in {refused}")
        headphone.wait_for("disconnected", count)
        found = rig.earshot("scan", "--timeout", "8", **options).succeeded()
        expect(NAME in found.output, f"not found again: {found}")
        rig.earshot("anc", "adaptive", "--device", NAME, **options).succeeded()
        headphone.wait_for("disconnected", count + 1)


def tells_of_what_the_kernel_lacks(rig):
    status, _ = checks(rig, unprivileged=True)
    equal(status["kernel"]["state"], "warning", f"finding about the kernel: {status['kernel']}")
    expect("not loaded cmac:" in status["kernel"]["what"], f"no reason in {status['kernel']}")
    expect("modprobe -a ecdh_generic cmac" in status["kernel"]["remedy"], f"no cure in {status}")
    equal(status["power"]["state"], "ok", f"finding about the adapter: {status['power']}")


def case_a_kernel_without_cmac_is_reported_and_no_link_stays(rig):
    rig.adapter.unplug()
    with without_module("cmac"):
        rig.adapter.plug()
        headphone = rig.headphone()
        no_link_stays(rig, headphone)
        tells_of_what_the_kernel_lacks(rig)
    # What the doctor says that cures it.
    rig.earshot("power", "off").succeeded()
    rig.earshot("power", "on").succeeded()
    rig.earshot("pair", NAME, "--yes").succeeded()
    headphone.wait_for("paired")


def case_a_kernel_without_cmac_beside_bluetoothd_is_reported_and_no_link_stays(rig):
    rig.adapter.unplug()
    with without_module("cmac"), Stock(rig, **LOW_ENERGY) as machine:
        headphone = machine.headphone
        no_link_stays(rig, headphone, unprivileged=True)
        tells_of_what_the_kernel_lacks(rig)
        equal(headphone.seen("paired"), [], "pairings")
