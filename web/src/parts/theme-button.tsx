// The button that chooses light or dark.

import { T } from "../text";
import { useTheme } from "./theme";

export function ThemeButton() {
  const [theme, next] = useTheme();
  return (
    <button class="quiet theme" onClick={next} aria-label={T.theme[theme]} title={T.theme[theme]}>
      <ThemeIcon theme={theme} />
    </button>
  );
}

function ThemeIcon({ theme }: { theme: string }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" fill={theme === "dark" ? "currentColor" : "none"} stroke="currentColor" stroke-width="1.5" />
      {theme === "auto" && <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />}
    </svg>
  );
}
