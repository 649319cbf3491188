import { parseAsString, parseAsStringLiteral } from "nuqs/server";

export const guardTabs = ["rules", "detectors", "try", "versions"] as const;

/** What the address of the page may say; read by the server page and the browser alike. */
export const guardSearch = {
  tab: parseAsStringLiteral(guardTabs).withDefault("rules"),
  /** A rule's id, or `new`. */
  rule: parseAsString,
  /** The tool that the tab `try` starts with. */
  tool: parseAsString,
};
