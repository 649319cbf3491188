import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { jobStatuses } from "@/contracts/jobs";

/** What the address of the list may say; read by the server page and the browser alike. */
export const jobSearch = {
  status: parseAsStringLiteral(jobStatuses),
  conversation: parseAsString,
};
