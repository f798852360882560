#!/usr/bin/env python3
"""Audits and compares an archive on a server that has a corpus, and on one that asks it as a peer, and says how the results differ.

    familiar serve --listen 127.0.0.1:7501 --data /tmp/one --in CORPUS &
    familiar serve --listen 127.0.0.1:7502 --data /tmp/two --peer lab=http://127.0.0.1:7501 &
    python3 benches/peers.py http://127.0.0.1:7501 http://127.0.0.1:7502 lab CORPUS ARCHIVE
"""
import json
import sys
import time
import urllib.request


def call(url, body=None, kind="application/json"):
    request = urllib.request.Request(url, data=body, headers={"Content-Type": kind})
    return urllib.request.urlopen(request).read()


def run(base, kind, corpus, archive):
    """The result of a job as JSON, and how long it took from the upload on."""
    start = time.time()
    upload = json.loads(call(f"{base}/api/v1/uploads?name=upload.tgz", archive, "application/octet-stream"))["id"]
    asked = json.dumps({"uploads": [upload], "corpora": [corpus]}).encode()
    job = json.loads(call(f"{base}/api/v1/{kind}", asked))
    while job["state"] in ("queued", "running"):
        time.sleep(0.1)
        job = json.loads(call(f"{base}/api/v1/jobs/{job['id']}"))
    seconds = time.time() - start
    if job["state"] != "done":
        sys.exit(f"{kind}: {job['error']}")
    return json.loads(call(f"{base}/api/v1/results/{job['result']}/files/json")), seconds


def pairs(result):
    place = lambda at: tuple(result["fragments"][at][key] for key in ("blob", "start_line", "end_line", "kind"))
    return {tuple(sorted((place(pair["left"]), place(pair["right"])))) for pair in result["pairs"]}


def main(one, two, peer, corpus, archive):
    with open(archive, "rb") as file:
        content = file.read()
    for kind in ("audit", "clones"):
        (here, direct), (there, asked) = run(one, kind, corpus, content), run(two, kind, f"{peer}/{corpus}", content)
        ours, theirs = pairs(here), pairs(there)
        print(
            f"{kind}: {direct:.1f} s, through the peer {asked:.1f} s; {len(here['pairs'])} and {len(there['pairs'])} pairs, "
            f"{len(ours - theirs)} of {len(ours)} are missing, {len(theirs - ours)} are new"
        )


main(*sys.argv[1:])
