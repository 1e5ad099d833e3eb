"""A program that answers samples with zeros and starts a second program; it is not a test.

`hog.py SAMPLE THEN`: at that sample it starts the second program, then it "hangs" (ignores SIGTERM, never reads
again), returns an "error", or continues.
"""

import json
import signal
import subprocess
import sys
import time

SAMPLE, THEN = int(sys.argv[1]), sys.argv[2]
DEAF = "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep(60)"

told = json.loads(sys.stdin.readline())
size = sum(port["size"] for port in told["writes"])
print(json.dumps(told), flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "end" in message:
        break
    if message["n"] == SAMPLE:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        pipe = subprocess.DEVNULL
        subprocess.Popen([sys.executable, "-S", "-c", DEAF], stdin=pipe, stdout=pipe, stderr=pipe)
        print("it hangs" if THEN == "hangs" else "", file=sys.stderr, flush=True)
        if THEN == "hangs":
            time.sleep(60)
        if THEN == "error":
            print(json.dumps({"error": "no more"}), flush=True)
            continue
    print(json.dumps({"n": message["n"], "v": [0.0] * size}), flush=True)
