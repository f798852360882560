// Links out of the page, as others wrote them.

/** The address of a link that can be followed without harm: one over https that names no user. Null for every other text. */
export function externalLink(link: string | undefined): string | null {
  if (!link?.startsWith("https://")) return null;
  try {
    const { protocol, username, password, href } = new URL(link);
    return protocol === "https:" && !username && !password ? href : null;
  } catch {
    return null;
  }
}
