// What the extension says of itself when it greets the server.
"use strict";

/** `ask-reason` says that this client has the command `familiar.askReason`, `configuration-section` where settings of the server stand. */
exports.greeting = (settings) => ({
  ...settings,
  "ask-reason": true,
  "configuration-section": "familiar.settings",
});
