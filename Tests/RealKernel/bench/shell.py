"""A shell in the guest with a headphone switched on: `shell.py BINARY PYTHON SHARED GUEST`.

In the shell, `headphone DO [JSON]` gives an order to the headphones' process (class Air of
`air/__main__.py`).
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

from bench import air  # noqa: E402
from bench.failure import Failure  # noqa: E402
from bench.kernel import Capture, Management  # noqa: E402
from bench.program import Program, install  # noqa: E402
from bench.rig import Adapter  # noqa: E402

WELCOME = """
A shell in the guest. Earshot One advertises; exit or ^D switches the guest off.
  earshot scan, earshot status, earshot, ...    the binary under test
  headphone change '{"headphone": "Earshot One", "fields": {"battery": [20, 30, 40]}}'
  headphone push '{"headphone": "Earshot One", "value": "0302"}'
  headphone switch_on '{"name": "Two", "address": "F0:F1:F2:F3:F4:06", "encrypted": true}'
  headphone switch_off, vanish, state '{"headphone": "Earshot One"}'
"""


def order(do, fields="{}"):
    try:
        print(json.dumps(air.Air().order(do, **json.loads(fields))))
    except Failure as failure:
        sys.exit(str(failure))


def main(binary, python, shared, guest):
    folder = os.path.join(shared, guest)
    program = Program(install(binary), folder)
    with open("/run/earshot/headphone", "w") as script:
        script.write(f'#!/bin/sh\nexec /usr/bin/python3 {os.path.abspath(__file__)} --order "$@"\n')
        os.fchmod(script.fileno(), 0o755)
    engine = air.Engine(python, HERE, folder)
    engine.start()
    capture = Capture(os.path.join(folder, "kernel.btsnoop"))
    link = air.Air()
    Adapter(engine, link, Management()).plug()
    link.on()
    print(WELCOME)
    environment = program.environment()
    environment["PATH"] = "/run/earshot:" + environment["PATH"]
    environment["TERM"] = os.environ.get("TERM", "linux")
    subprocess.run(["bash", "--norc"], env={**environment, "PS1": "guest$ "}, cwd=program.home)
    capture.close()


if __name__ == "__main__":
    if sys.argv[1] == "--order":
        order(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
