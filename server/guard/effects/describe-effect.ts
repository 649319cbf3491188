import type { Effect } from "@/contracts/decisions/effects";
import { remoteOfProgram } from "@/contracts/lib/git-remote";
import { excerpt } from "../excerpt";
import { actsInProduct } from "./effect-boundaries";

/** Describes an effect as the end of a sentence that begins with "This call": "connects to example.com". */
export function describeEffect({ kind, target, recursive, namesOnly }: Effect): string {
  const { where, path, host, program } = target;
  const place = path === undefined ? (where === "not_known" ? "a path that is known only when it runs" : "a file") : excerpt(path);
  const deep = recursive ? " with everything in it" : "";
  const remote = remoteOfProgram(program);
  const unnamed = remote === undefined ? "a host that is known only when it runs" : `the host of git's remote ${excerpt(remote)}`;
  const at = host === undefined ? unnamed : excerpt(host);
  switch (kind) {
    case "read":
      if (host !== undefined) return `fetches from ${at}`;
      return namesOnly ? `looks at ${place}` : `reads ${place}${deep}`;
    case "write":
      return actsInProduct({ kind, target }) && program !== undefined ? excerpt(program) : `writes ${place}`;
    case "delete":
      return path === undefined && program !== undefined ? `loses work (${excerpt(program)})` : `deletes ${place}${deep}`;
    case "execute":
      return program ? `runs ${excerpt(program)}` : "runs a program that is known only then";
    case "connect":
      return `connects to ${at}`;
    case "send":
      return `sends to ${at}`;
    case "elevate":
      return `needs rights of the machine${inBrackets(program)}`;
    case "signal":
      return "ends processes";
    case "schedule":
      return program === undefined ? "schedules work for later" : "schedules commands";
    case "query":
      return `changes data${inBrackets(program)}`;
  }
}

const inBrackets = (text: string | undefined): string => (text === undefined || text === "" ? "" : ` (${excerpt(text)})`);
