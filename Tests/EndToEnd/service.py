"""The systemd unit of the package, run by a real `systemd --user` where this machine lets one start.

That needs root and leave to mount: the manager believes that it was booted with only inside a mount
namespace of its own. Elsewhere the unit is verified, and the case says so.
"""

import os
import shutil
import subprocess

UNIT = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "packaging", "earshot.service")
MANAGER = "/lib/systemd/systemd"
SESSION = r"""
mount -t tmpfs run /run || exit 77
mkdir -p /run/systemd/system /run/user/0 && chmod 700 /run/user/0
export XDG_RUNTIME_DIR=/run/user/0
"$MANAGER" --user --unit=basic.target >"$HOME/manager.log" 2>&1 &
manager=$!
for _ in $(seq 600); do [ -S /run/user/0/systemd/private ] && break; sleep 0.1; done
[ -S /run/user/0/systemd/private ] || exit 77
trap 'systemctl --user exit; wait $manager' EXIT
set -ex
systemctl --user start earshot
for _ in $(seq 600); do [ -S /run/user/0/earshot/adapter-virtual-quiet.socket ] && break; sleep 0.1; done
"$EARSHOT" anc transparency --adapter virtual-quiet
"$EARSHOT" anc --adapter virtual-quiet
kill -9 "$(systemctl --user show -P MainPID earshot)"
for _ in $(seq 600); do [ "$(systemctl --user show -P NRestarts earshot)" = 1 ] && break; sleep 0.1; done
for _ in $(seq 600); do "$EARSHOT" disconnect --adapter virtual-quiet && break; sleep 0.1; done
stopping=$(date +%s)
systemctl --user stop earshot
[ $(($(date +%s) - stopping)) -le 5 ]
systemctl --user show -P Result -P ActiveState earshot
"""


def case_the_service_of_the_package_runs(binary):
    if not shutil.which("systemd-analyze"):
        print("        (no systemd here)")
        return
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--user", "--man=no", unit_for(binary)], capture_output=True,
        text=True, timeout=60,
    )
    # Without a session there is nothing to be verified in.
    if "Failed to initialize manager" not in checked.stderr:
        assert checked.returncode == 0 and "earshot" not in checked.stderr, checked
    if os.geteuid() != 0 or not os.path.exists(MANAGER) or not shutil.which("unshare"):
        print("        (only verified: a manager of its own needs root)")
        return
    result = subprocess.run(
        ["unshare", "--mount", "bash", "-c", SESSION], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=300,
        env={**os.environ, "EARSHOT": binary, "MANAGER": MANAGER},
    )
    if result.returncode in (1, 77) and "+ systemctl" not in result.stderr:
        print("        (only verified: no manager can be started here)")
        return
    assert result.returncode == 0, result
    assert result.stdout.split()[:2] == ["transparency", "transparency"], result
    assert sorted(result.stdout.split()[-2:]) == ["inactive", "success"], result


def unit_for(binary):
    """The packaged unit, and beside it what makes it use this binary and virtual headphones."""
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "systemd", "user")
    os.makedirs(os.path.join(folder, "earshot.service.d"))
    unit = os.path.join(folder, "earshot.service")
    with open(UNIT) as file, open(unit, "w") as copy:
        # `verify` wants the program to be there.
        copy.write(file.read().replace("/usr/bin/earshot", binary))
    with open(os.path.join(folder, "earshot.service.d", "virtual.conf"), "w") as file:
        file.write(f"[Service]\nExecStart=\nExecStart={binary} agent --adapter virtual-quiet\n")
    return unit
