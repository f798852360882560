"""Makes a Stack Exchange dump out of sets of posts or snippets that name their questions: posts.py OUT/stackoverflow.com SET.jsonl...

A row is a snippet (`code`, `question_id`), two of them (`code1`, `code2`, `so_ids`), or a page as saved_pages.py writes it
(`question_id`, `question` and `answers` as HTML); a snippet becomes an answer to its question. Of pages with the same question, which
are one that others were closed in favor of, the one with the least number is taken; rows that name no
question are left out. The sets say neither dates nor authors nor
answers' ids: answers are numbered from 900,000,000, and a post has the day on which its question was asked, as told from the question's number.
"""

import bisect
import datetime
import json
import os
import sys
from xml.sax.saxutils import escape, quoteattr

# Numbers rise with time: the days on which Stack Overflow came to some of them, good to a few weeks.
DAYS = [
    (1, "2008-07-31"), (100_000, "2008-09-19"), (1_000_000, "2009-06-16"), (2_000_000, "2010-01-04"), (3_000_000, "2010-06-08"),
    (5_000_000, "2011-02-15"), (10_000_000, "2012-04-03"), (15_000_000, "2013-02-21"), (20_000_000, "2013-11-15"),
    (25_000_000, "2014-07-28"), (30_000_000, "2015-05-02"), (35_000_000, "2016-01-25"), (40_000_000, "2016-10-12"),
    (45_000_000, "2017-07-09"), (50_000_000, "2018-04-24"), (55_000_000, "2019-03-05"), (57_000_000, "2019-07-12"),
]


def asked(question):
    """the day on which the question with this number was asked, between those that are known"""
    at = min(max(bisect.bisect([number for number, _ in DAYS], question), 1), len(DAYS) - 1)
    (low, start), (high, end) = DAYS[at - 1 : at + 1]
    start, end = datetime.date.fromisoformat(start), datetime.date.fromisoformat(end)
    return (start + (end - start) * ((min(question, high) - low) / (high - low))).isoformat()


def posts(path):
    """(question's id, language, question's HTML, answers' HTML) of each row"""
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if "answers" in row:
            yield int(row["question_id"]), row["lang"], row["question"], row["answers"]
            continue
        codes = [row["code"]] if "code" in row else [row["code1"], row["code2"]]
        question = row["question_id"] if "code" in row else (row["so_ids"] or [0])[0]
        yield int(question), row["lang"], "", [f"<pre><code>{escape(code)}\n</code></pre>" for code in codes]


def main():
    folder, *sets = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    rows = sorted((row for path in sets for row in posts(path)), key=lambda row: row[0])
    questions, answers, known = {}, [], set()
    for question, language, body, bodies in rows:
        if question == 0 or (body and body in known):
            continue
        known.add(body)
        if body or question not in questions:
            questions[question] = (language, body)
        answers += [(question, answer) for answer in bodies]
    with open(os.path.join(folder, "Posts.xml"), "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for question, (language, body) in questions.items():
            tags = quoteattr(f"<{language}>")
            out.write(f'  <row Id="{question}" PostTypeId="1" CreationDate="{asked(question)}T00:00:00.000" Body={attribute(body)} Tags={tags} />\n')
        for number, (question, body) in enumerate(answers, 900_000_000):
            out.write(f'  <row Id="{number}" PostTypeId="2" ParentId="{question}" CreationDate="{asked(question)}T00:00:00.000" Body={attribute(body)} />\n')
        out.write("</posts>\n")


def attribute(text):
    """`text` as XML's attribute, without the characters that XML has not"""
    return quoteattr("".join(c for c in text if c >= " " or c in "\n\t\r"), {"\n": "&#xA;", "\t": "&#x9;", "\r": "&#xD;"})


main()
