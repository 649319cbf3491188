import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { turnStatuses } from "@/contracts/turns";

/** What the address of the list may say; read by the server page and the browser alike. */
export const turnSearch = {
  status: parseAsStringLiteral(turnStatuses),
  conversation: parseAsString,
};
