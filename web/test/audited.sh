#!/usr/bin/env bash
# Small projects whose code stands elsewhere, and the report of their audit, as PROGRAM writes it.
#   web/test/audited.sh PROGRAM FOLDER
# FOLDER gets `corpus` (a library, a fork of it, another project and posts), `app` and `report`. Names are hostile on purpose.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"
export FAMILIAR_HOME=$PWD/home
mkdir -p home

commit() { # FOLDER DATE
    git -C "$1" add -A
    GIT_AUTHOR_DATE=$2 GIT_COMMITTER_DATE=$2 git -C "$1" -c user.name="Ann <b>Author</b>" -c user.email=ann@example.org -c commit.gpgsign=false commit -qm "$2"
}
code() { # NAME FACTOR
    cat <<END
def $1(orders, shelf, limit=$2):
    """Puts orders aside while there is room for them."""
    taken, left, weight = [], [], 0
    for order in sorted(orders, key=lambda order: order.weight):
        if weight + order.weight > limit or not shelf.has_room(order):
            left.append(order)
            continue
        taken.append((order.number, shelf.place_of(order)))
        weight += order.weight * shelf.factor
        shelf.reserve(order, until=order.date)
    report = {'taken': taken, 'left': len(left), 'weight': round(weight, 2)}
    if report['left'] > limit:
        raise ValueError('too many orders are left: %d' % report['left'])
    return report, left
END
}
parse() {
    cat <<'END'


def parse_address(text, default_port=80):
    """Splits an address into host, port and path."""
    scheme, separator, rest = text.partition('://')
    if not separator:
        scheme, rest = 'http', text
    host, slash, path = rest.partition('/')
    name, colon, port = host.rpartition(':')
    if not colon or not port.isdigit():
        name, port = host, str(default_port)
    query = dict(item.split('=', 1) for item in path.partition('?')[2].split('&') if '=' in item)
    return {'scheme': scheme, 'name': name.lower(), 'port': int(port), 'path': slash + path, 'query': query}
END
}
chunks() {
    cat <<'END'
def chunks_of(values, size, fill=None):
    """Cuts a list into parts of one size."""
    if size < 1:
        raise ValueError('a part has at least one value, not %r' % size)
    parts = [values[start:start + size] for start in range(0, len(values), size)]
    if parts and fill is not None:
        parts[-1] = parts[-1] + [fill] * (size - len(parts[-1]))
    lengths = {len(part) for part in parts}
    assert len(lengths) <= 2, lengths
    return parts
END
}
escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g' | sed 's/&/\&amp;/g; s/$/\&#xA;/' | tr -d '\n'; }

git init -q library
printf '# SPDX-License-Identifier: GPL-3.0-only\n# Copyright 2014 Ann Author\n\n' > library/orders.py
code reserve_all 100 >> library/orders.py
commit library 2014-03-05T10:00:00Z
echo '# more' > library/notes.py
commit library 2016-03-05T10:00:00Z
git clone -q library fork
(printf '# SPDX-License-Identifier: GPL-3.0-only\n\n'; parse) > fork/address.py
commit fork 2017-06-01T10:00:00Z
git init -q other
printf 'MIT License\n\nCopyright (c) 2018 Ben Other\n\nSPDX-License-Identifier: MIT\n' > other/LICENSE
mkdir other/tools
code reserve_all 100 > "other/tools/<img src=x onerror=alert(1)>.py"
parse > other/tools/address.py
commit other 2018-09-09T10:00:00Z

mkdir posts.example.com
{
    echo '<?xml version="1.0" encoding="utf-8"?><posts>'
    echo '<row Id="1" PostTypeId="1" CreationDate="2012-05-05T00:00:00.000" OwnerDisplayName="asks" Tags="&lt;python&gt;" Body="&lt;p&gt;How?&lt;/p&gt;" />'
    printf '<row Id="2" PostTypeId="2" ParentId="1" CreationDate="2013-05-06T00:00:00.000" OwnerDisplayName="&lt;i&gt;answers&lt;/i&gt;" ContentLicense="CC BY-SA 3.0" Body="&lt;pre&gt;&lt;code&gt;%s&lt;/code&gt;&lt;/pre&gt;" />\n' "$(chunks | escaped)"
    echo '</posts>'
} > posts.example.com/Posts.xml

git init -q app
printf 'MIT License\n\nCopyright (c) 2020 The App\n\nSPDX-License-Identifier: MIT\n' > app/LICENSE
mkdir app/src
code reserve_all 100 > app/src/shop.py
parse >> app/src/shop.py
chunks > "app/src/lists & <b>.py"
(printf '# SPDX-License-Identifier: Apache-2.0\n\n'; code put_aside 250) > app/src/stock.py
commit app 2020-02-02T10:00:00Z

mkdir snapshot
parse > snapshot/address.py
"$program" corpus add ./corpus git:library git:fork git:other dir:snapshot stackexchange:posts.example.com --quiet
"$program" audit app --against ./corpus --format html --output report --quiet || [ $? -eq 1 ]
