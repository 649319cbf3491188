import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const guardTabs = ["rules", "detectors", "try", "versions"] as const;

/** Search parameters of the page, read on the server and in the browser. */
export const guardSearch = {
  tab: parseAsStringLiteral(guardTabs).withDefault("rules"),
  /** A rule's id, or `new`. */
  rule: parseAsString,
  /** Id of a recorded call that a new rule begins with. */
  call: parseAsString,
  /** Tool with which the tab `try` starts. */
  tool: parseAsString,
};
