#!/usr/bin/env python3
"""Checks the links of the documentation, without a network.

    links.py --sources DIR    every Markdown file of a checkout: files and headings that links lead to
    links.py --site DIR       the pages that mdBook built: files and anchors, as a browser asks for them

Addresses of the project's own repository are checked against the checkout; other addresses are not asked for.
Prints one line for each broken link and exits with 1 if there are any.
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import urllib.parse

REPOSITORY = re.compile(r"https://github\.com/familiar-code/familiar/(?:blob|tree|edit)/main/?(.*)")
# A link or an image in Markdown, a definition of a link, and the attributes of HTML in between.
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^\[[^\]]+\]:\s*(\S+)|(?:href|src)=\"([^\"]+)\"", re.M)
CODE = re.compile(r"^(?P<fence>[ >]*(`{3,}|~{3,}))[^\n]*\n.*?(?:^[ >]*\2[`~]*\s*$|\Z)|(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`)", re.M | re.S)


def main(arguments):
    match arguments:
        case ["--sources", folder]:
            broken, seen = check_sources(pathlib.Path(folder))
        case ["--site", folder]:
            broken, seen = check_site(pathlib.Path(folder), pathlib.Path(__file__).parents[1])
        case _:
            sys.exit(__doc__)
    for line in broken:
        print(line)
    print(f"{seen} links checked, {len(broken)} broken")
    return 1 if broken else 0


def check_sources(root):
    """The broken links of the Markdown files that git knows, and how many links there are."""
    broken, seen, headings = [], 0, {}
    for path in markdown_files(root):
        text = (root / path).read_text(encoding="utf-8")
        for target in links_of(text):
            seen += 1
            if why := source_problem(root, root / path, target, headings):
                broken.append(f"{path}: {target}: {why}")
    return broken, seen


def markdown_files(root):
    listed = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in names if name and "/fixtures/" not in name and (root / name).is_file())


def links_of(text):
    """The targets of all links outside code."""
    text = CODE.sub("``", text)
    return [next(group for group in found.groups() if group) for found in LINK.finditer(text)]


def source_problem(root, page, target, headings):
    if own := REPOSITORY.fullmatch(target):
        return in_repository(root, own[1])
    address = urllib.parse.urlsplit(target)
    if address.scheme or address.netloc:
        return None
    file = (page.parent / urllib.parse.unquote(address.path)) if address.path else page
    if not file.exists():
        return "no such file"
    book = (root / "docs").resolve()
    if page.resolve().is_relative_to(book) and not file.resolve().is_relative_to(book):
        return "outside docs/, so the site lacks it; link to the repository's address instead"
    if not address.fragment or file.suffix != ".md":
        return None
    if file not in headings:
        headings[file] = anchors_of(file.read_text(encoding="utf-8"))
    return None if urllib.parse.unquote(address.fragment) in headings[file] else "no such heading"


def in_repository(root, path):
    path = urllib.parse.unquote(path.partition("#")[0])
    return None if (root / path).exists() else "no such file in the repository"


def anchors_of(text):
    """The anchors of a page's headings, as GitHub and mdBook make them."""
    without_code = re.sub(r"^( *(?:```|~~~)).*?^\1", "", text, flags=re.M | re.S)
    anchors, count = set(), {}
    for heading in re.findall(r"^#{1,6} +(.+?)(?: +#+)?$", without_code, flags=re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        again = count.get(anchor, 0)
        count[anchor] = again + 1
        anchors.add(f"{anchor}-{again}" if again else anchor)
    return anchors


class Page(html.parser.HTMLParser):
    """What a page links to, and what may be linked to in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes[key] for key in ("id", "name") if attributes.get(key))
        self.links += [attributes[key] for key in ("href", "src") if attributes.get(key)]


def check_site(site, root):
    """The broken links of the pages of a site, and how many links there are."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    broken, seen = [], 0
    for path, page in pages.items():
        # 404.html is shown for every address, so that its links start at the root of the server.
        for target in page.links if path.name != "404.html" else []:
            seen += 1
            if why := site_problem(site, root, path, target, pages):
                broken.append(f"{path.relative_to(site)}: {target}: {why}")
    return broken, seen


def site_problem(site, root, path, target, pages):
    if own := REPOSITORY.fullmatch(target):
        return in_repository(root, own[1])
    address = urllib.parse.urlsplit(target)
    if address.scheme or address.netloc:
        return None
    file = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path.resolve()
    if not file.is_relative_to(site.resolve()):
        return "outside the site; link to the repository's address instead"
    file = file / "index.html" if file.is_dir() else file
    if not file.exists():
        return "no such page; is it in docs/SUMMARY.md?"
    page = pages.get(site / file.relative_to(site.resolve()))
    if page and address.fragment and urllib.parse.unquote(address.fragment) not in page.anchors:
        return "no such anchor"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
