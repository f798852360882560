"""Saved pages of questions as rows for posts.py: saved_pages.py GIT_DIR > pages.jsonl

GIT_DIR is the git directory of PyMaker (cushionbadak/PyMaker on GitHub): 47,491 pages of Stack Overflow's questions on Python that
link the documentation of Python 3, of which posts and comments were kept as HTML, and lists of the questions' addresses. A page is
named by the end of its address; where two questions have the same one, it is left out.
"""

import json
import re
import subprocess
import sys

POST = re.compile(r'<div class="post-text" itemprop="text">\n(.*?)\n?</div>\n(?=<div class="post-text"|<span class="comment-copy"|\Z)', re.S)


def main():
    git = ["git", "--git-dir", sys.argv[1]]
    listing = subprocess.run([*git, "ls-tree", "-r", "HEAD"], capture_output=True, text=True, check=True).stdout
    blobs = [(line.split("\t", 1)[1], line.split()[2]) for line in listing.splitlines()]
    batch = subprocess.Popen([*git, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def text(blob):
        batch.stdin.write(f"{blob}\n".encode())
        batch.stdin.flush()
        size = int(batch.stdout.readline().split()[2])
        return batch.stdout.read(size + 1)[:-1].decode("utf-8", "replace")

    numbers = {}
    for path, blob in blobs:
        if "/object1/RawURL/" in path or "/object2/run2log/" in path:
            for number, name in re.findall(r"/questions/(\d+)/(\S+)", text(blob)):
                numbers.setdefault(name, set()).add(int(number))
    taken, left_out = set(), 0
    for path, blob in blobs:
        page = re.search(r"/object2/RawHTML/.*referPages\.(.*)\.txt$", path)
        if not page:
            continue
        number = numbers.get(page[1], set())
        posts = POST.findall(text(blob)) if len(number) == 1 and not number & taken else []
        if not posts:
            left_out += 1
            continue
        taken |= number
        row = {"question_id": min(number), "lang": "python", "question": posts[0], "answers": posts[1:]}
        print(json.dumps(row))
    print(f"{len(taken)} pages, {left_out} left out", file=sys.stderr)


main()
