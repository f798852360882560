#!/usr/bin/env python3
"""How long the language server takes from an edit to its diagnostics.

    python3 benches/editor.py FAMILIAR TREE [SUFFIX EDITS SCOPE]

Opens EDITS (200) files below TREE whose names end in SUFFIX (.py), evenly drawn from all sizes, one after another, and inserts a line
into the middle of each. Prints the milliseconds from the edit to the diagnostics (median, 95th percentile, greatest), the seconds until
the tree is read, and the largest resident memory of the server. With the SCOPE workspace the tree counts as read when the clones of all
files are shown.
"""
import json
import subprocess
import sys
import time
from pathlib import Path


class Server:
    def __init__(self, program, root, scope):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        # How many findings each file shows.
        self.shown = {}
        options = {"debounce": 0, "memory": "4GiB", "scope": scope}
        greeting = {"processId": None, "rootUri": root.as_uri(), "capabilities": {}, "initializationOptions": options}
        self.request("initialize", greeting)
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.shown[message["params"]["uri"]] = len(message["params"]["diagnostics"])
        return message

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while (message := self.read()).get("id") != self.number:
            pass
        return message

    def idle(self):
        self.request("workspace/executeCommand", {"command": "familiar.idle"})

    def diagnostics(self, uri, version):
        while True:
            message = self.read()
            params = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and params.get("uri") == uri:
                if params.get("version") == version:
                    return params["diagnostics"]

    def memory(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024


def main():
    program, tree = sys.argv[1], Path(sys.argv[2]).resolve()
    suffix = sys.argv[3] if len(sys.argv) > 3 else ".py"
    edits = int(sys.argv[4]) if len(sys.argv) > 4 else 200
    files = sorted((path for path in tree.rglob(f"*{suffix}") if path.is_file()), key=lambda path: path.stat().st_size)
    files = files[len(files) // 20 :: max(1, len(files) // edits)][:edits]
    start = time.perf_counter()
    server = Server(program, tree, sys.argv[5] if len(sys.argv) > 5 else "open")
    server.idle()
    print(f"read the tree: {time.perf_counter() - start:.1f} s, {len(server.shown)} files, {sum(server.shown.values())} findings")
    times, found = [], 0
    for path in files:
        text, uri = path.read_text(errors="replace"), path.as_uri()
        document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": document})
        server.diagnostics(uri, 1)
        server.idle()
        middle = {"line": text.count("\n") // 2, "character": 0}
        change = {"range": {"start": middle, "end": middle}, "text": "x = 1\n"}
        start = time.perf_counter()
        server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]})
        found += bool(server.diagnostics(uri, 2))
        times.append((1000 * (time.perf_counter() - start), path))
        server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    times.sort()
    at = lambda share: times[int((len(times) - 1) * share)][0]
    print(f"{len(times)} edits, {found} of them in files with clones")
    print(f"from edit to diagnostics: median {at(0.5):.1f} ms, 95 % within {at(0.95):.1f} ms, greatest {at(1):.1f} ms")
    print(f"slowest: {times[-1][1].relative_to(tree)}; memory {server.memory()} MB")
    server.request("shutdown", None)
    server.notify("exit", None)
    sys.exit(server.process.wait())


if __name__ == "__main__":
    main()
