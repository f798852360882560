// What is looked for on every page, whatever it shows.

/** What opens something, without a word of what that is. */
export const unexplained = (page) =>
  page.evaluate(() => [...document.querySelectorAll("summary, [popovertarget], [aria-expanded], [aria-haspopup], .bar select")].filter((one) => !one.title && !one.closest("label")).map((one) => one.textContent.trim().slice(0, 40)));

/** Names that several filters of one bar have, or begin their choices with. */
export const sharedNames = (page) =>
  page.evaluate(() => {
    const bars = [...document.querySelectorAll("form.bar")];
    return bars.flatMap((bar) => {
      const names = [...bar.querySelectorAll("select, input, [role=group]")].map((one) => one.getAttribute("aria-label") ?? one.closest("label")?.textContent ?? "").filter(Boolean);
      const firsts = [...bar.querySelectorAll("select")].map((one) => one.options[0]?.text ?? "");
      return [names, firsts].flatMap((list) => list.filter((name, at) => list.indexOf(name) !== at));
    });
  });

/** Texts in rows that are cut off though their row has room left. */
export const cutWithRoom = (page) =>
  page.evaluate(() => {
    const cut = [];
    const isCut = (one) => one.scrollWidth > one.clientWidth + 1;
    for (const row of document.querySelectorAll(".rows .row:not(.headers), .top-list li")) {
      const cells = [...row.children];
      const texts = row.querySelectorAll(".name, .licenses, .file, .share-label");
      const last = cells[cells.length - 1];
      const inner = last.matches(".cell-path") ? [...last.children] : cells;
      const end = inner.length > 0 ? inner[inner.length - 1].getBoundingClientRect().right : last.getBoundingClientRect().left;
      const gaps = inner.slice(1).map((one, at) => one.getBoundingClientRect().left - inner[at].getBoundingClientRect().right);
      const free = (last.matches(".cell-path") ? last.getBoundingClientRect().right : row.getBoundingClientRect().right) - end + gaps.filter((gap) => gap > 40).reduce((sum, gap) => sum + gap, 0);
      if (free > 60) for (const text of texts) if (isCut(text)) cut.push(`${text.className}: ${text.textContent.slice(0, 40)} (${Math.round(free)} px free)`);
    }
    return cut;
  });
