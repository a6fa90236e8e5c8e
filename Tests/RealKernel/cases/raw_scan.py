"""Links after and during scans of others and of our own.

Linux since 6.10.4 regards an active scan of a raw socket as a discovery of its own, whose end it does not notice,
and makes no link by its own scan until then.
"""

from bench.failure import equal
from bench.kernel import Management, RawScan

from .screen import READY, start


def links(rig, *arguments, **options):
    """`status` makes a link."""
    report = rig.earshot("status", "--json", *arguments, **options).succeeded().json
    equal(report["control"]["state"], "ready", "state of the control link")


def case_a_link_after_a_scan_of_our_own(rig):
    rig.headphone()
    rig.earshot("scan", "--timeout", "2").succeeded()
    links(rig)
    links(rig)


def case_a_link_after_a_scan_of_our_own_with_extended_commands(rig):
    rig.adapter.unplug()
    rig.adapter.plug(extended=True)
    rig.headphone()
    rig.earshot("scan", "--timeout", "2").succeeded()
    links(rig)


def case_a_link_after_another_programs_active_scan(rig):
    headphone = rig.headphone()
    links(rig)
    RawScan(rig.adapter.index).end()
    links(rig, "--device", headphone.address)


def case_a_link_after_another_programs_passive_scan(rig):
    rig.headphone()
    RawScan(rig.adapter.index, is_active=False).end()
    links(rig)


def case_a_link_during_another_programs_active_scan(rig):
    rig.headphone()
    RawScan(rig.adapter.index)
    links(rig)


def case_a_link_during_another_programs_passive_scan_after_an_active_one(rig):
    rig.headphone()
    RawScan(rig.adapter.index).end()
    RawScan(rig.adapter.index, is_active=False)
    links(rig)


def case_a_link_after_a_discovery_by_management(rig):
    rig.headphone()
    management = Management()
    for code in (Management.START_DISCOVERY, Management.STOP_DISCOVERY):
        management.command(code, rig.adapter.index, Management.LE_ADDRESSES)
    links(rig)


def case_a_link_after_an_active_scan_for_who_may_use_raw_sockets_alone(rig):
    rig.headphone()
    rig.earshot.give_capabilities("net_raw")
    RawScan(rig.adapter.index).end()
    links(rig, unprivileged=True)
    RawScan(rig.adapter.index).end()
    links(rig, unprivileged=True)


def case_links_to_several_headphones_after_an_active_scan(rig):
    headphones = [rig.headphone(), rig.headphone(name="Second", address="F0:F1:F2:F3:F4:06", serial="0043")]
    RawScan(rig.adapter.index).end()
    for headphone in headphones:
        links(rig, "--device", headphone.address)


def case_a_headphone_that_comes_back_after_another_programs_active_scan(rig):
    headphone, screen = start(rig)
    headphone.switch_off()
    headphone.wait_for("disconnected")
    RawScan(rig.adapter.index).end()
    headphone.switch_on_again()
    headphone.wait_for("connected", 2)
    screen.wait_for(READY)


def case_a_link_without_capabilities_after_an_active_scan_once_the_adapter_was_off(rig):
    headphone = rig.headphone()
    rig.earshot.give_capabilities()
    links(rig, unprivileged=True)
    rig.earshot.take_capabilities()
    headphone.wait_until_disconnected()
    RawScan(rig.adapter.index).end()
    for is_on in (False, True):
        rig.adapter.power(is_on)
    links(rig, unprivileged=True)
