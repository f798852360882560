// Whether the reader has names hidden: a setting of this browser.

const KEY = "familiar-names";

/** Whether the reader wants names hidden. */
export function areHidden(): boolean {
  try {
    return localStorage.getItem(KEY) === "hidden";
  } catch {
    return false;
  }
}

/** Hides names, or shows them again. The page starts anew, so that no name is left in it. */
export function hide(hidden: boolean): void {
  try {
    localStorage.setItem(KEY, hidden ? "hidden" : "shown");
  } catch {
    return;
  }
  // What was searched for may be a name.
  if (hidden) location.hash = "";
  location.reload();
}
