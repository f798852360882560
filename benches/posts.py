"""Makes a Stack Exchange dump out of sets of snippets that name their posts: posts.py OUT/stackoverflow.com SET.jsonl...

Rows have `code` and `question_id`, or `code1`, `code2` and `so_ids`; a row becomes an answer to its question. The sets say neither
dates nor authors nor answers' ids, so answers are numbered from 900,000,000.
"""

import json
import os
import sys
from xml.sax.saxutils import escape, quoteattr


def snippets(path):
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if "code" in row:
            yield row["question_id"], row["lang"], row["code"]
        else:
            for code in ("code1", "code2"):
                yield (row["so_ids"] or [0])[0], row["lang"], row[code]


def main():
    folder, *sets = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    questions, answers = {}, []
    for path in sets:
        for question, language, code in snippets(path):
            questions[int(question)] = language
            answers.append((int(question), code))
    with open(os.path.join(folder, "Posts.xml"), "w", encoding="utf-8") as out:
        out.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for question, language in questions.items():
            tags = quoteattr(f"<{language}>")
            out.write(f'  <row Id="{question}" PostTypeId="1" Body="" Tags={tags} />\n')
        for number, (question, code) in enumerate(answers, 900_000_000):
            body = quoteattr(f"<pre><code>{escape(code)}\n</code></pre>")
            out.write(f'  <row Id="{number}" PostTypeId="2" ParentId="{question}" Body={body} />\n')
        out.write("</posts>\n")


main()
