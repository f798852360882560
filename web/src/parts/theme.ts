// Light, dark, or as the system is.

import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";
const ORDER: readonly Theme[] = ["auto", "light", "dark"];
const KEY = "familiar-theme";

function stored(): Theme {
  try {
    return ORDER.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    return "auto";
  }
}

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Some browsers keep nothing for files.
    }
  }, [theme]);
  return [theme, () => setTheme(ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length])];
}
