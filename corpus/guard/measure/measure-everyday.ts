import type { Verdict } from "@/contracts/decisions/decision";
import { type EverydayCommand, everydayCommands } from "@/corpus/guard/everyday";
import { acceptedCommands } from "@/corpus/guard/everyday/accepted";
import { everydayCalls } from "@/corpus/guard/everyday-calls";
import { lookalikes } from "@/corpus/guard/lookalikes";
import { decide } from "@/server/guard/decide";
import { buildRequest, type Setting } from "./settings";

export type Share = { of: number; unasked: number; asked: number; denied: number };
export type EverydayFigures = {
  all: Share;
  development: Share;
  /** Commands that stay in the folder, and how many of them run unasked. */
  stays: Share;
  falseDenials: string[];
  /** Commands that want out or destroy, and pass unasked without being accepted. */
  passUnasked: string[];
  /** Accepted commands that pass unasked. */
  accepted: string[];
  lookalikesDenied: string[];
};
export type CallFigures = { of: number; asExpected: number; falseDenials: string[]; asked: string[]; allowed: string[] };

const verdictOf = (command: string, setting: Setting): Verdict =>
  decide(setting.policy, buildRequest("shell_execute", { command }, setting)).verdict;

function shareOf(verdicts: readonly Verdict[]): Share {
  const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
  return { of: verdicts.length, unasked: count("allow"), asked: count("require_approval"), denied: count("deny") };
}

/** Decides every everyday command in one setting. */
export function measureEveryday(setting: Setting): EverydayFigures {
  const decided = everydayCommands.map((entry) => ({ ...entry, verdict: verdictOf(entry.command, setting) }));
  const passing = decided.filter(({ expect, verdict }) => expect !== "stays" && verdict === "allow");
  const share = (takes: (entry: EverydayCommand) => boolean) => shareOf(decided.filter(takes).map(({ verdict }) => verdict));
  return {
    all: share(() => true),
    development: share(({ development }) => development === true),
    stays: share(({ expect }) => expect === "stays"),
    falseDenials: decided.filter(({ verdict }) => verdict === "deny").map(({ command }) => command),
    passUnasked: passing.filter(({ command }) => !acceptedCommands.has(command)).map(({ expect, command }) => `${expect}: ${command}`),
    accepted: passing.filter(({ command }) => acceptedCommands.has(command)).map(({ command }) => command),
    lookalikesDenied: lookalikes.filter((command) => verdictOf(command, setting) === "deny"),
  };
}

/** Decides every everyday call of the other tools in one setting. */
export function measureCalls(setting: Setting): CallFigures {
  const decided = everydayCalls.map((call) => ({
    expect: call.expect,
    text: `${call.name ?? call.tool} ${JSON.stringify(call.arguments)}`,
    verdict: decide(setting.policy, buildRequest(call.tool, call.arguments, setting, call.name)).verdict,
  }));
  const texts = (takes: (call: (typeof decided)[number]) => boolean) => decided.filter(takes).map(({ text }) => text);
  const falseDenials = texts(({ expect, verdict }) => expect !== "not_allowed" && verdict === "deny");
  const asked = texts(({ expect, verdict }) => expect === "passes" && verdict === "require_approval");
  const allowed = texts(({ expect, verdict }) => expect !== "passes" && verdict === "allow");
  return {
    of: decided.length,
    asExpected: decided.length - falseDenials.length - asked.length - allowed.length,
    falseDenials,
    asked,
    allowed,
  };
}
