import { parseAsStringLiteral } from "nuqs/server";
import { overviewRanges } from "@/contracts/browser/operations/overview";

/** Search parameter for the time range, read on the server and in the browser. */
export const overviewSearch = { range: parseAsStringLiteral(overviewRanges).withDefault("24h") };
