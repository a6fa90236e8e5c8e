"""The service on the session bus: a bus of the case's own, and clients written by docs/dbus.md alone."""

import os
import re
import subprocess
import threading
import time
import xml.etree.ElementTree as ElementTree

from screen import simulation
from sharing import Agent
from walkthrough import ROOT, blocks

PAGE = os.path.join(ROOT, "docs", "dbus.md")
NAME, OBJECTS, BUDS = "io.github.earshot.Earshot", "/io/github/earshot/Earshot", "/io/github/earshot/Earshot/00005e005301"
SERVICE = os.path.join(ROOT, "scripts", "packaging", f"{NAME}.service")
PYTHON = "/usr/bin/python3"
WIDGETS, WIDGETS_ROOT = "io.github.maniacx.BudsLink", "/io/github/maniacx/BudsLink"
# As an extension does: it holds the service, lists the headphones, follows their changes, and presses a button.
WIDGET = """
import json
import dbus
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name, root = "io.github.maniacx.BudsLink", "/io/github/maniacx/BudsLink"
manager = dbus.Interface(bus.get_object(name, root), name + ".DeviceManager")
assert manager.ServiceVersion() == "0.0.1"
manager.HoldService("widget")
bus.add_signal_receiver(lambda path: print("added", path, flush=True), "DeviceAdded", manager.dbus_interface, name, root)
bus.add_signal_receiver(lambda path: print("removed", path, flush=True), "DeviceRemoved", manager.dbus_interface, name, root)
[path] = manager.ListDevices()
device = dbus.Interface(bus.get_object(name, path), name + ".Device")
values = device.GetAll(device.dbus_interface, dbus_interface="org.freedesktop.DBus.Properties")
config, state = json.loads(values["Config"]), json.loads(values["State"])
assert not config["optionsBox1"] and not state["toggle2Visible"] and state["toggle1Visible"], (config, state)
buttons = {config[f"toggle1Button{n}Name"]: n for n in range(1, 5) if config[f"toggle1Button{n}Icon"]}
print(path, values["Alias"], state["computedBatteryLevel"], [state[f"battery{n}Level"] for n in (1, 2, 3)], flush=True)
print([name for name, n in buttons.items() if n == state["toggle1State"]], flush=True)


def changed(interface, values, invalidated):
    if "State" in values:
        state = json.loads(values["State"])
        print([name for name, n in buttons.items() if n == state["toggle1State"]], flush=True)


bus.add_signal_receiver(changed, "PropertiesChanged", "org.freedesktop.DBus.Properties", name, path)
try:
    device.UiAction("toggle1State", dbus.Int32(9))
except dbus.DBusException as error:
    print(error.get_dbus_name(), flush=True)
device.UiAction("toggle1State", dbus.Int32(buttons["Transparency"]))
GLib.MainLoop().run()
"""


class Bus:
    """A private session bus, at the address that everything in this case finds."""

    def __init__(self, services=None):
        self.folder = os.environ["XDG_RUNTIME_DIR"]
        address = f"unix:path={self.folder}/bus"
        configuration = os.path.join(self.folder, "bus.conf")
        # As the session's own, of which it is the essence: no policy for other users.
        with open(configuration, "w") as file:
            file.write(
                f"<busconfig><type>session</type><listen>{address}</listen><auth>EXTERNAL</auth>"
                + (f"<servicedir>{services}</servicedir>" if services else "")
                + '<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>'
                '<allow own="*"/></policy></busconfig>')
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        self.process = subprocess.Popen(
            ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout.readline(), "no bus"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def busctl(*words, status=0, **options):
    result = subprocess.run(
        ["busctl", "--user", *words], capture_output=True, text=True, timeout=60, **options)
    assert status is None or result.returncode == status, f"{words}: {result}"
    return result.stdout.strip() if status == 0 else result


def read(interface, name, path=BUDS):
    return busctl("get-property", NAME, path, f"{NAME}.{interface}", name)


def owner(name=NAME):
    """The process that has the name, or None."""
    found = re.search(r"^PID=(\d+)", busctl("status", name, status=None).stdout, re.M)
    return found and int(found[1])


def queue(name):
    """How many processes have the name, or wait for it."""
    answer = busctl(
        "call", "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListQueuedOwners", "s", name,
        status=None).stdout
    return int(answer.split()[1]) if answer else 0


def until(condition):
    for _ in range(600):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("never")


def ready():
    """Waits until the agent has connected the headphone."""
    def is_ready():
        result = busctl("get-property", NAME, BUDS, f"{NAME}.Control1", "State", status=None)
        return result.stdout.strip() == 's "ready"'
    until(is_ready)


def page_blocks(language):
    return [block for block in blocks() if block.page == PAGE and block.language == language]


def case_the_lines_of_the_documentation_about_the_bus_answer_as_it_says(binary):
    [block] = page_blocks("sh")
    first, *lines = block.lines()
    with Bus(), Agent(binary):
        ready()
        answered = 0
        for line in lines:
            command, _, wanted = line.partition("#")
            result = subprocess.run(
                ["sh", "-ec", f"{first}\n{command}"], capture_output=True, text=True, timeout=60)
            assert result.returncode == 0, f"{line}: {result}"
            if wanted.strip():
                assert result.stdout.strip() == wanted.strip(), f"{line}: {result}"
                answered += 1
        assert len(lines) > 5 and answered > 3, block


def case_the_python_program_of_the_documentation_prints_batteries_and_their_changes(binary):
    [block] = page_blocks("python")
    # Which owns the link itself.
    with Bus(), simulation(binary, "virtual-quiet") as script:
        ready()
        client = subprocess.Popen([PYTHON, "-c", block.text], stdout=subprocess.PIPE, text=True)
        limit = threading.Timer(60, client.kill)
        limit.start()
        try:
            # Among those of the other headphones, in any order.
            assert "00005e005301 84 %\n" in client.stdout
            script.write("aurora level left 9\n")
            script.flush()
            assert "00005e005301 9 %\n" in client.stdout
        finally:
            limit.cancel()
            client.kill()
            client.wait()


def case_what_objects_describe_is_what_they_have(binary):
    with Bus(), Agent(binary):
        ready()
        description = busctl("--xml-interface", "introspect", NAME, BUDS)
        document = ElementTree.fromstring(description)
        interfaces = {it.get("name"): it for it in document.findall("interface")}
        assert {f"{NAME}.{it}1" for it in ("Headphone", "Device", "Battery", "Settings")} <= set(interfaces), interfaces
        seen = 0
        for name, interface in interfaces.items():
            for declared in interface.findall("property"):
                result = busctl("get-property", NAME, BUDS, name, declared.get("name"), status=None)
                if result.returncode == 0:
                    seen += 1
                    assert result.stdout.split()[0] == declared.get("type"), (name, declared.attrib, result)
                else:
                    assert "not known now" in result.stderr, (name, declared.attrib, result)
        assert seen > 30, seen
        assert len(document.findall(".//annotation[@name='org.gtk.GDBus.DocString']")) > 20, description
        # The names of the settings, and the settings themselves.
        settings = {it.get("name") for it in interfaces[f"{NAME}.Settings1"].findall("property")}
        assert {"NoiseMode", "EqualiserPreset", "TouchLeftDoubleTap", "WearDetection"} <= settings, settings


def case_a_wrong_call_is_refused_and_changes_nothing(binary):
    with Bus(), Agent(binary):
        ready()
        before = read("Settings1", "NoiseMode")
        settings = f"{NAME}.Settings1"
        for words, error in (
            (("set-property", NAME, BUDS, settings, "NoiseMode", "s", "loud"), 'noise-mode takes no "loud"'),
            (("set-property", NAME, BUDS, settings, "NoiseMode", "ay", "1", "7"), 'NoiseMode takes "s"'),
            (("set-property", NAME, BUDS, settings, "Colour", "s", "red"), 'no property "Colour"'),
            (("set-property", NAME, BUDS, f"{NAME}.Battery1", "Left", "x", "100"), "Left is read-only"),
            (("call", NAME, BUDS, f"{NAME}.Headphone1", "Find", "s", "drift"), "no such value"),
            (("--", "set-property", NAME, BUDS, settings, "NoiseMode", "s", "--help"), 'noise-mode takes no "--help"'),
            (("--", "call", NAME, BUDS, f"{NAME}.Headphone1", "Find", "s", "--yes"), "no such value"),
            (("call", NAME, BUDS, f"{NAME}.Headphone1", "Find"), "Find takes"),
            (("call", NAME, BUDS, f"{NAME}.Headphone1", "Explode"), "no such method"),
            (("call", NAME, f"{OBJECTS}/nobody", f"{NAME}.Headphone1", "Connect"), "object"),
        ):
            result = busctl(*words, status=1)
            assert error.lower() in result.stderr.lower(), f"{words}: {result}"
        assert read("Settings1", "NoiseMode") == before
        endless = busctl("call", NAME, OBJECTS, f"{NAME}.Manager1", "Run", "as", "1", "watch")
        assert endless.startswith("iss 64"), endless


def case_a_call_starts_the_agent_by_the_packages_service_file(binary):
    services = os.path.join(os.environ["HOME"], "services")
    os.makedirs(services)
    with open(SERVICE) as file:
        text = file.read()
    assert "Exec=/usr/bin/earshot agent\n" in text and f"Name={NAME}\n" in text, text
    with open(os.path.join(services, f"{NAME}.service"), "w") as file:
        # Where no systemd runs, the bus starts it.
        file.write(re.sub(
            "SystemdService=.*\n", "",
            text.replace("/usr/bin/earshot agent", f"{binary} agent --adapter virtual-quiet")))
    with Bus(services):
        assert read("Manager1", "Virtual", OBJECTS) == "b true"
        ready()
        process = owner()
        os.kill(process, 15)
        until(lambda: not os.path.exists(f"/proc/{process}") or "Z" in open(f"/proc/{process}/stat").read().split()[2])


def case_another_user_cannot_call_it(binary):
    if os.geteuid() != 0:
        print("        (another user needs root)")
        return
    with Bus() as bus, Agent(binary):
        ready()
        # Even one that can reach the socket: the bus itself refuses him.
        home = os.environ["HOME"]
        for folder in (home, bus.folder):
            os.chmod(folder, 0o755)
        os.chmod(os.path.join(bus.folder, "bus"), 0o777)
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        reaching = f"import socket; socket.socket(socket.AF_UNIX).connect('{bus.folder}/bus')"
        subprocess.run([*other, PYTHON, "-c", reaching], check=True, timeout=60)
        result = subprocess.run(
            [*other, "busctl", f"--address={os.environ['DBUS_SESSION_BUS_ADDRESS']}", "get-property", NAME, BUDS,
             f"{NAME}.Device1", "Name"],
            capture_output=True, text=True, timeout=60)
        assert result.returncode != 0 and "Aurora" not in result.stdout, result
        assert read("Device1", "Name") == 's "Aurora Buds"'


def case_a_second_agent_waits_for_the_name_which_another_program_can_take_from_virtual_headphones(binary):
    with Bus(), Agent(binary) as first:
        ready()
        with Agent(binary, ["--adapter", "virtual-families"]) as second:
            until(lambda: queue(NAME) == 2)
            assert owner() == first.process.pid
            # As real headphones do: DBUS_NAME_FLAG_REPLACE_EXISTING.
            taking = f"import dbus; assert dbus.SessionBus().request_name('{NAME}', 2) == 1"
            subprocess.run([PYTHON, "-c", taking], check=True, timeout=60)
            until(lambda: owner() == first.process.pid)
            first.process.terminate()
            until(lambda: owner() == second.process.pid)


def case_without_a_bus_the_agent_serves_its_socket_alone(binary):
    def has_library(agent):
        with open(f"/proc/{agent.process.pid}/maps") as file:
            return "libsystemd" in file.read()
    # Nothing listens there.
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={os.environ['HOME']}/nowhere"
    with Agent(binary) as agent:
        assert agent.asked("anc").stdout.strip() == "noise-cancelling"
        assert not has_library(agent)
    with Bus(), Agent(binary) as agent:
        ready()
        assert has_library(agent)


def case_a_client_wakes_the_agent_and_silence_does_not(binary):
    def wakes(agent):
        tasks = f"/proc/{agent.process.pid}/task"
        return sum(
            int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", open(f"{tasks}/{it}/status").read(), re.M)[1])
            for it in os.listdir(tasks))

    def idle(agent):
        before = wakes(agent)
        time.sleep(3)
        return wakes(agent) - before
    with Bus(), Agent(binary) as agent:
        ready()
        until(lambda: idle(agent) == 0)
        before = wakes(agent)
        assert read("Device1", "Name") == 's "Aurora Buds"'
        assert wakes(agent) > before


def want_widgets():
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "earshot")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.toml"), "w") as file:
        file.write("[desktop]\nbudslink = true\n")


def case_a_widget_for_budslink_shows_the_headphone_and_sets_noise_control(binary):
    with Bus(), Agent(binary):
        ready()
        assert queue(WIDGETS) == 0, "off unless the configuration says so"
    want_widgets()
    with Bus(), Agent(binary) as agent:
        ready()
        until(lambda: owner(WIDGETS) == agent.process.pid)
        client = subprocess.Popen([PYTHON, "-c", WIDGET], stdout=subprocess.PIPE, text=True)
        limit = threading.Timer(60, client.kill)
        limit.start()
        try:
            path, _, rest = client.stdout.readline().partition(" ")
            assert re.fullmatch(f"{WIDGETS_ROOT}/Devices/[A-Za-z0-9_]+/dev(_[0-9A-F]{{2}}){{6}}", path), path
            assert rest == "Aurora Buds 79 [84, 79, 62]\n", rest
            assert client.stdout.readline() == "['Noise cancelling']\n"
            assert client.stdout.readline() == "org.freedesktop.DBus.Error.InvalidArgs\n"
            assert "['Transparency']\n" in client.stdout
            assert read("Headphone1", "Anc") == 's "transparency"'
            busctl("call", NAME, BUDS, f"{NAME}.Headphone1", "Disconnect")
            assert f"removed {path}\n" in client.stdout
            busctl("call", NAME, BUDS, f"{NAME}.Headphone1", "Connect")
            assert f"added {path}\n" in client.stdout
        finally:
            limit.cancel()
            client.kill()
            client.wait()


def case_budslink_itself_keeps_its_name_while_it_runs(binary):
    want_widgets()
    holding = f"import dbus, sys; assert dbus.SessionBus().request_name('{WIDGETS}', 4) == 1; print(flush=True); sys.stdin.read()"
    with Bus():
        program = subprocess.Popen([PYTHON, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            assert program.stdout.readline() == b"\n"
            with Agent(binary) as agent:
                ready()
                until(lambda: queue(WIDGETS) == 2)
                assert owner(WIDGETS) == program.pid
                program.stdin.close()
                until(lambda: owner(WIDGETS) == agent.process.pid)
        finally:
            program.kill()
            program.wait()
