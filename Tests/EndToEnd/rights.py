"""What the program may do, and what programs that it starts inherit."""

import os
import shutil
import subprocess
import tempfile

from terminal import Failure

NET_ADMIN, NET_RAW = 12, 13


def case_only_the_two_network_capabilities_are_kept_and_none_is_inherited(binary):
    """Granted by a service or a container: ambient, and more than Earshot has a use for."""
    if os.geteuid() != 0:
        return
    with tempfile.TemporaryDirectory(dir="/tmp") as home:
        # The binary, too, must be in reach of a user who owns nothing.
        copy = shutil.copy(binary, home)
        os.chmod(home, 0o777)
        capabilities = "+net_raw,+net_admin,+chown,+sys_admin"
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                   f"--inh-caps={capabilities}", f"--ambient-caps={capabilities}",
                   copy, "watch", "--adapter", "virtual"]
        environment = {**os.environ, "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home}
        environment.pop("XDG_RUNTIME_DIR", None)
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as process:
            try:
                first = process.stdout.readline()
                status = fields(f"/proc/{process.pid}/status")
                limits = open(f"/proc/{process.pid}/limits", encoding="ascii").read()
            finally:
                process.kill()
    kept = 1 << NET_ADMIN | 1 << NET_RAW
    for name, expected in (("CapPrm", kept), ("CapEff", kept), ("CapInh", 0), ("CapAmb", 0)):
        if int(status[name], 16) != expected:
            raise Failure(f"{name} is {status[name]} after {first!r}")
    core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    if core.split()[4] != "0":
        raise Failure(core)


def case_libbluetooth_is_linked_for_what_it_does(binary):
    """Its functions, not its headers alone: a linker drops a library of which nothing is called."""
    listing = subprocess.run(["nm", "-D", "--undefined-only", binary], stdout=subprocess.PIPE, text=True, check=True).stdout
    called = {line.split()[-1].split("@")[0] for line in listing.splitlines() if line.split()}
    wanted = {"hci_devinfo", "hci_open_dev", "hci_send_cmd", "hci_read_local_version", "hci_cmdtostr", "lmp_vertostr",
              "bt_compidtostr", "bt_free", "str2ba", "ba2str"}
    if wanted - called:
        raise Failure(f"not called: {sorted(wanted - called)}")


def fields(path):
    with open(path, encoding="utf-8") as file:
        parts = (line.partition(":") for line in file)
        return {name: value.strip() for name, _, value in parts}
