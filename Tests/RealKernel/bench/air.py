"""The headphones, from the side of a case: switch them on, and wait for what they see."""

import json
import os
import select
import socket
import subprocess
import time

from .failure import TIMEOUT, Failure

PATH = "/run/earshot-air"


class Engine:
    """The process that has the adapter and the headphones."""

    def __init__(self, python, package, folder):
        self.command = [python, "-m", "air", PATH]
        self.package = package
        self.log = os.path.join(folder, "air.log")
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            self.command,
            cwd=self.package,
            stdout=subprocess.PIPE,
            stderr=open(self.log, "a"),
        )
        if self.process.stdout.readline() != b"READY\n":
            raise Failure(f"the headphones did not start; see {self.log}")

    def kill(self):
        """Without a chance to say goodbye: the kernel sees its controller go."""
        self.process.kill()
        self.process.wait()
        os.unlink(PATH)


class Air:
    """Talks with that process."""

    def __init__(self):
        self.orders = 0
        self.records = []
        self.answers = {}
        self.connect()

    def connect(self):
        """Begins again with a process that was started again; what the old one said is kept."""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(PATH)
        self.buffer = b""

    def order(self, do, **fields):
        self.orders += 1
        order = {"id": self.orders, "do": do, "with": fields}
        self.socket.sendall(json.dumps(order).encode() + b"\n")
        deadline = time.monotonic() + TIMEOUT
        while self.orders not in self.answers:
            if not self.read(deadline):
                raise Failure(f"the headphones did not answer {do}")
        answer = self.answers.pop(self.orders)
        if "error" in answer:
            raise Failure(f"{do}: {answer['error']}")
        return answer["result"]

    def read(self, deadline):
        """Takes what the headphones said; False when nothing came before `deadline`."""
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([self.socket], [], [], left)[0]:
            return False
        data = self.socket.recv(65536)
        if not data:
            raise Failure("the headphones' process ended")
        *lines, self.buffer = (self.buffer + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "headphone" in message:
                self.records.append(message)
            else:
                self.answers[message["id"]] = message
        return True

    def on(self, called=None, **options):
        """Switches a headphone on; `called` tells it from another of the same name."""
        name = options.get("name", "Earshot One")
        headphone = Headphone(
            self, called or name, options.get("address", "F0:F1:F2:F3:F4:F5"), options
        )
        headphone.switch_on()
        return headphone

    def on_as_airpods(self, name="AirPods", address="3C:22:FB:00:00:01"):
        airpods = AirPods(self, name, address, {"name": name})
        airpods.switch_on()
        return airpods

    def broadcast(self, name, **options):
        """Begins a broadcast; see `broadcasts.Source` for the options."""
        self.order("start_broadcast", name=name, **options)
        return Broadcast(self, name)

    def catch_up(self):
        """Takes what the headphones have said by now."""
        while self.read(time.monotonic() + 0.001):
            pass

    def clear(self):
        self.order("clear")
        self.records.clear()


class Headphone:
    def __init__(self, air, called, address, options):
        self.air = air
        self.called = called
        self.name = options.get("name", "Earshot One")
        self.address = address
        self.options = options

    def switch_on(self):
        """For the first time, or in a new process: it has lost all but what it is."""
        self.air.order("switch_on", called=self.called, **self.options)

    @property
    def record(self):
        """Everything that it has seen so far."""
        self.air.catch_up()
        return [record for record in self.air.records if record["headphone"] == self.called]

    @property
    def state(self):
        return self.air.order("state", headphone=self.called)

    @property
    def firmware(self):
        return self.air.order("firmware", headphone=self.called)

    def seen(self, saw, **fields):
        """All records of the kind `saw` that have these fields."""
        wanted = {"saw": saw, **fields}
        return [record for record in self.record if wanted.items() <= record.items()]

    def wait_for(self, saw, count=1, **fields):
        """Waits until it has seen this `count` times."""
        deadline = time.monotonic() + TIMEOUT
        while len(found := self.seen(saw, **fields)) < count:
            if not self.air.read(deadline):
                raise Failure(
                    f"{self.called} has not seen {saw} {fields or ''}; it saw: {self.summary()}"
                )
        return found[count - 1]

    def wait_until_disconnected(self):
        """Waits until each link that it had has ended; a command may have needed more than one."""
        self.wait_for("disconnected", len(self.seen("connected")))

    def summary(self):
        return " · ".join(dict.fromkeys(record["saw"] for record in self.record)) or "nothing"

    def know(self, key):
        """It was paired with the adapter long ago over BR/EDR; `key` is hexadecimal."""
        self.air.order("know", headphone=self.called, key=key)

    def drop_sound(self):
        """It ends its audio link, and takes part in no other."""
        self.air.order("drop_sound", headphone=self.called)

    def allow_sound(self):
        """It can be reached for audio again."""
        self.air.order("allow_sound", headphone=self.called)

    def record_music(self, path, frames):
        """It keeps the next frames of music in a file, and sees "music recorded" then."""
        self.air.order("record", headphone=self.called, path=path, frames=frames)

    def press(self, *keys):
        """Its buttons: "PLAY", "PAUSE", "STOP", "FORWARD", "BACKWARD"."""
        self.air.order("press", headphone=self.called, keys=keys)

    def turn(self, volume):
        """A person sets its own volume on it, of 127."""
        self.air.order("turn", headphone=self.called, volume=volume)

    def press_own_button(self):
        """A hearing aid's button: its next preset."""
        self.air.order("press_own_button", headphone=self.called)

    def wait_until_shown(self, status, title):
        """Waits until its display shows this of the computer's player."""
        deadline = time.monotonic() + TIMEOUT
        while (shown := self.air.order("shown", headphone=self.called)) != [status, title]:
            if time.monotonic() > deadline:
                raise Failure(f"{self.called} shows {shown}, not {[status, title]}")
            time.sleep(0.1)

    def write_stream(self, value):
        """It writes this on its serial channel (hexadecimal), whatever it means."""
        self.air.order("write_stream", headphone=self.called, value=value)

    def end_stream(self):
        """It ends its serial channel, or Fast Pair's message stream, and no link."""
        self.air.order("end_stream", headphone=self.called)

    def change(self, **fields):
        """Something happens to it, and it says so."""
        self.air.order("change", headphone=self.called, fields=fields, announce=True)

    def change_services(self, moves=False, first=None, last=None):
        """It indicates Service Changed, at once or on the next encrypted link of a bonded phone: for
        the handles `first` to `last`, counted from the control service's, else from there to the end.
        """
        self.air.order(
            "change_services", headphone=self.called, moves=moves, first=first, last=last
        )

    def push(self, value):
        """It sends this value on the event characteristic (hexadecimal), whatever it means."""
        self.air.order("push", headphone=self.called, value=value)

    def say(self, pdu):
        """It sends this ATT PDU (hexadecimal), whether or not there is such a one."""
        self.air.order("say", headphone=self.called, pdu=pdu)

    def switch_off(self):
        self.air.order("switch_off", headphone=self.called)

    def switch_on_again(self):
        self.air.order("switch_on_again", headphone=self.called)

    def forget(self):
        """It forgets its bonds."""
        self.air.order("forget", headphone=self.called)

    def type(self, number):
        """A person types these six digits on it."""
        self.air.order("type", headphone=self.called, number=number)

    def change_address(self):
        """It goes on under another private address."""
        self.air.order("change_address", headphone=self.called)

    def vanish(self):
        self.air.order("vanish", headphone=self.called)

    def appear(self):
        """It is back in range."""
        self.air.order("appear", headphone=self.called)

    def move(self, rssi):
        """From now on it is received at this strength, in dBm."""
        self.air.order("move", headphone=self.called, rssi=rssi)

    def att_requests(self, since=0):
        """Opcodes of the requests that the phone sent (commands and confirmations are none)."""
        no_requests = {0x1E, 0x52, 0xD2}
        return [
            record["opcode"]
            for record in self.seen("att")
            if record["at"] >= since
            and not record["opcode"] & 1
            and record["opcode"] not in no_requests
        ]


class Broadcast:
    def __init__(self, air, name):
        self.air = air
        self.name = name

    def end(self):
        """Its source is switched off."""
        self.air.order("end_broadcast", name=self.name)


class AirPods(Headphone):
    """Their audio side, which is all that they have here."""

    def switch_on(self):
        self.air.order("switch_on_airpods", name=self.name, address=self.address)

    def link(self):
        """They call the computer, as when they are taken out of their case."""
        self.air.order("link", headphone=self.called)
