import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { jobStatuses } from "@/contracts/browser/calls/jobs";

/** Search parameters of the list, read on the server and in the browser. */
export const jobSearch = {
  status: parseAsStringLiteral(jobStatuses),
  conversation: parseAsString,
};
