/**
 * `npm run mutation -- <room, file or file:from-to> ...`: changes the guard's code in every way that Stryker knows, one way at a time, and says
 * which changes no test notices. What holds must be noticed: below the least score of a room, the command fails.
 * The report of each run lies in .data/mutation, which nobody commits.
 */
import path from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { rooms } from "./rooms";

const leastScore = 90;
const folder = ".data/mutation";
const noticed = new Set(["Killed", "Timeout"]);
const counted = new Set([...noticed, "Survived", "NoCoverage"]);

/** The code to change: a room, one file of a room, or some lines of a file. */
type Target = { room: string; code: readonly string[]; title: string };

function targetOf(word: string): Target {
  const known = rooms[word];
  if (known) return { room: word, code: known.code, title: word };
  const [file = "", lines] = path.normalize(word).split(":");
  const room = Object.keys(rooms).find((name) => isOf(file, rooms[name]?.code ?? []));
  if (room) return { room, code: [lines ? `${file}:${lines}` : file], title: file };
  console.error(`mutation: ${word} is neither a file of the guard nor one of its rooms: ${Object.keys(rooms).join(", ")}.`);
  process.exit(2);
}

function isOf(file: string, patterns: readonly string[]): boolean {
  const fits = (pattern: string) => path.matchesGlob(file, pattern);
  return patterns.some(fits) && !patterns.some((pattern) => pattern.startsWith("!") && fits(pattern.slice(1)));
}

/** Runs all mutants of a target. @returns whether enough of them were noticed */
async function mutate({ room, code, title }: Target): Promise<boolean> {
  process.env.HANDRAIL_GUARD_ROOM = room;
  const report = path.join(folder, title.replaceAll("/", "-"));
  const results = await new Stryker({
    mutate: [...code],
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "scripts/guard/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    concurrency: Number(process.env.HANDRAIL_MUTATION_WORKERS ?? 1),
    tempDirName: path.join(folder, "sandbox"),
    // Only what the tests read is copied. Without the types: what is tried are changes of what runs.
    ignorePatterns: ["/*", "!/server", "!/contracts", "!/db", "!/drizzle", "!/scripts", "!/package.json", "!/vitest.config.ts"],
    disableTypeChecks: false,
    reporters: ["clear-text", "html", "json"],
    htmlReporter: { fileName: `${report}.html` },
    jsonReporter: { fileName: `${report}.json` },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
    allowEmpty: false,
  }).runMutationTest();
  const valid = results.filter(({ status }) => counted.has(status));
  const seen = valid.filter(({ status }) => noticed.has(status));
  const score = (100 * seen.length) / valid.length;
  console.log(`mutation: ${title}: ${score.toFixed(1)} % (${seen.length} of ${valid.length} mutants noticed)`);
  return score >= leastScore;
}

const targets = process.argv.slice(2).map(targetOf);
if (targets.length === 0) {
  console.error(`mutation: name a room (${Object.keys(rooms).join(", ")}) or a file of the guard.`);
  process.exit(2);
}
const tooLow: string[] = [];
for (const target of targets) if (!(await mutate(target))) tooLow.push(target.title);
if (tooLow.length > 0) {
  console.error(`mutation: below ${leastScore} %: ${tooLow.join(", ")}`);
  process.exitCode = 1;
}
