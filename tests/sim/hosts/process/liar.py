"""A child process with a selected fault: `liar.py HOW`; it is not a test."""

import json
import os
import signal
import subprocess
import sys
import time

HOW = sys.argv[1]
AT = 3  # the sample of the fault
HELLO = {
    "polhode": 1,
    "reads": [{"name": "rate", "size": 3, "unit": "rad/s"}],
    "writes": [{"name": "command", "size": 3, "unit": "N m"}],
    "sample_s": None,
}


def say(what):
    sys.stdout.write((what if isinstance(what, str) else json.dumps(what)) + "\n")
    sys.stdout.flush()


def begin():
    told = json.loads(sys.stdin.readline())
    if HOW == "leaves":
        sys.stderr.write("no licence\n")
        sys.exit(7)
    changes = {
        "future": {"polhode": 2},
        "degrees": {"reads": [{"name": "rate", "size": 3, "unit": "deg/s"}]},
        "wide": {"writes": [{"name": "command", "size": 4, "unit": "N m"}]},
        "slow": {"sample_s": 0.2},
        "unsized": {"reads": [{"name": "rate"}]},
        "timeless": {},
        "echo": told,
    }
    hello = {**HELLO, **changes.get(HOW, {})}
    if HOW == "timeless":
        del hello["sample_s"]
    if HOW == "mute":
        time.sleep(60)
    say(hello)


def go_wrong(n):
    v = [0.0, 0.0, 0.0]
    if HOW == "exit":
        sys.exit(3)
    if HOW == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if HOW == "hang":
        time.sleep(60)
    if HOW == "stubborn":  # and so is what it started
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
        print(subprocess.Popen([sys.executable, "-S", "-c", code]).pid, file=sys.stderr, flush=True)
        time.sleep(60)
    if HOW == "half":
        sys.stdout.write('{"n":3,"v":[0.0,')
        sys.stdout.flush()
        time.sleep(60)
    if HOW == "flood":
        sys.stdout.write("x" * 3_000_000)
        sys.stdout.flush()
    if HOW == "deep":
        say("[" * 200_000)
    if HOW == "latin":
        os.write(1, b'{"n":3,"v":["\xe9"]}\n')
    if HOW == "early":  # the next answer before its request
        say(json.dumps({"n": n, "v": v}) + "\n" + json.dumps({"n": n + 1, "v": v}))
        return
    if HOW == "late":  # the same, a moment after its answer
        say({"n": n, "v": v})
        time.sleep(0.05)
        say({"n": n + 1, "v": v})
        return
    answers = {
        "short": {"n": n, "v": [0.0, 0.0]},
        "nan": '{"n":3,"v":[NaN,0.0,0.0]}',
        "infinite": '{"n":3,"v":[1e999,0.0,0.0]}',
        "huge": '{"n":3,"v":[1' + "0" * 400 + ",0.0,0.0]}",
        "text": {"n": n, "v": ["0.0", 0.0, 0.0]},
        "true": {"n": n, "v": [True, 0.0, 0.0]},
        "prose": "ready when you are",
        "list": v,
        "empty": {"n": n},
        "again": {"n": n - 1, "v": v},
        "error": {"error": "the sensor is unplugged"},
        "debug": "rate is fine\n" + json.dumps({"n": n, "v": v}),
    }
    say(answers[HOW])


begin()
for line in sys.stdin:
    message = json.loads(line)
    if "end" in message:
        if HOW == "lingers":
            time.sleep(60)
        break
    if message["n"] == AT and HOW not in {"lingers", "honest", "noisy", "echo"}:
        go_wrong(message["n"])
        continue
    if HOW == "noisy":
        sys.stderr.write("n" * 20_000)
        sys.stderr.flush()
    say({"n": message["n"], "v": [0.0] * 3})
