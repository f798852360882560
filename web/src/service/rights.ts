// What the reader of the server's page may do.

import type { Session } from "./model";

/** What a session may do; a server that changes nothing lets nobody. */
export interface Rights {
  upload: boolean;
  admin: boolean;
}

export const rightsOf = ({ scopes, read_only }: Session): Rights => ({
  upload: !read_only && scopes.includes("upload"),
  admin: !read_only && scopes.includes("admin"),
});
