/**
 * `npm run measure:guard [-- --json]`: what the guard lets pass, asks about and denies, measured on both sides together: everyday
 * commands and calls on the one, escapes and catastrophes on the other. Every entry that fails is listed. It ends with 1 where
 * something that must not pass is allowed, or an everyday command is denied.
 */
import { acceptedCommands } from "@/corpus/guard/everyday/accepted";
import { lookalikes } from "@/corpus/guard/lookalikes";
import { type EscapeFigures, measureEscapes } from "@/corpus/guard/measure/measure-escapes";
import { type CallFigures, type EverydayFigures, measureCalls, measureEveryday, type Share } from "@/corpus/guard/measure/measure-everyday";
import { settings } from "@/corpus/guard/measure/settings";

type Measured = {
  everyday: Record<string, EverydayFigures>;
  calls: CallFigures;
  escapes: EscapeFigures;
};

async function measure(): Promise<Measured> {
  const everyday = Object.fromEntries(Object.values(settings).map((setting) => [setting.name, measureEveryday(setting)]));
  return { everyday, calls: measureCalls(settings.shippedWithSandbox), escapes: await measureEscapes() };
}

const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`;
const line = ({ of, unasked, asked, denied }: Share) =>
  [percent(unasked, of), percent(asked, of), percent(denied, of)].map((text) => text.padStart(8)).join(" ");

function print({ everyday, calls, escapes }: Measured): void {
  console.log("Everyday commands                                            unasked    asked   denied");
  for (const [name, { all, development, stays }] of Object.entries(everyday)) {
    console.log(name);
    for (const [title, share] of Object.entries({ all, development, "stay in the folder": stays })) {
      console.log(`  ${`${title} (${share.of})`.padEnd(58)}${line(share)}`);
    }
  }
  const accepted = everyday[settings.shippedWithSandbox.name]?.accepted.length;
  console.log(`\nLeave the folder, pass unasked, and are accepted with a reason, as shipped with the sandbox: ${accepted}`);
  console.log(`\nCalls of other tools, as shipped with the sandbox: ${calls.asExpected} of ${calls.of} as expected`);
  console.log("\nEscapes that are allowed");
  for (const [name, { of, escapes: allowed }] of Object.entries(escapes.allowed))
    console.log(`  ${name.padEnd(56)}${allowed.length} of ${of}`);
  const { floor, twoCalls, olderDangerous, plainReads } = escapes;
  console.log(`  ${"two calls in a row".padEnd(56)}${twoCalls.allowed.length} of ${twoCalls.of}`);
  console.log(`  ${"older corpus, under the rule for readers".padEnd(56)}${olderDangerous.allowed.length} of ${olderDangerous.of}`);
  console.log(`\nTo be denied under every rule: ${floor.of}; asked instead ${floor.asked.length}, allowed ${floor.allowed.length}`);
  const { lookalikesDenied } = everyday[settings.wholeShell.name] ?? { lookalikesDenied: [] };
  console.log(`Harmless lookalikes of catastrophes that are denied: ${lookalikesDenied.length} of ${lookalikes.length}`);
  console.log(`Plain reads that the rule for readers allows: ${plainReads.of - plainReads.notAllowed.length} of ${plainReads.of}`);

  listByEntry("Denied falsely", everyday, ({ falseDenials }) => falseDenials);
  listByEntry("Lookalikes denied", everyday, ({ lookalikesDenied }) => lookalikesDenied);
  // An admin who allows the whole shell wants the rest to pass.
  const { [settings.wholeShell.name]: _allowed, ...narrow } = everyday;
  listByEntry("Leaves or destroys, and passes unasked", narrow, ({ passUnasked }) => passUnasked);
  list("Accepted, but asked about by now", staleAccepted(everyday));
  list("Calls denied falsely", calls.falseDenials);
  list("Calls asked about needlessly", calls.asked);
  list("Calls allowed that should not be", calls.allowed);
  listByEntry("Escapes allowed", escapes.allowed, ({ escapes: allowed }) => allowed);
  list("Escapes in two calls allowed", twoCalls.allowed);
  list("Older corpus allowed", olderDangerous.allowed);
  list("To be denied, asked instead", floor.asked);
  list("To be denied, allowed", floor.allowed);
  list("Plain reads not allowed", plainReads.notAllowed);
}

/** Returns the accepted commands that no longer pass as shipped, so that the list says no more than is true. */
function staleAccepted(everyday: Measured["everyday"]): string[] {
  const passing = new Set(everyday[settings.shippedWithSandbox.name]?.accepted);
  return [...acceptedCommands.keys()].filter((command) => !passing.has(command));
}

/** Lists each entry once, with the settings that it failed in. */
function listByEntry<T>(title: string, figures: Record<string, T>, entriesOf: (figures: T) => readonly string[]): void {
  const entries = Object.entries(figures).flatMap(([name, one]) => entriesOf(one).map((entry) => ({ name, entry })));
  const names = Object.keys(figures);
  const failed = Object.entries(Object.groupBy(entries, ({ entry }) => entry));
  const marked = failed.map(([entry, each = []]) => `[${each.map(({ name }) => names.indexOf(name) + 1).join(" ")}] ${entry}`);
  list(`${title} (${names.map((name, index) => `${index + 1} = ${name}`).join(", ")})`, marked);
}

function list(title: string, entries: readonly string[]): void {
  if (entries.length === 0) return;
  console.log(`\n${title}: ${entries.length}`);
  for (const entry of entries) console.log(`  ${entry.replaceAll("\n", "\\n")}`);
}

const measured = await measure();
if (process.argv.includes("--json")) console.log(JSON.stringify(measured, null, 2));
else print(measured);
const { escapes, everyday, calls } = measured;
const { [settings.wholeShell.name]: _wholeShell, ...narrow } = everyday;
const failures = [
  ...Object.values(escapes.allowed).map(({ escapes }) => escapes),
  ...Object.values(everyday).flatMap(({ falseDenials, lookalikesDenied }) => [falseDenials, lookalikesDenied]),
  ...Object.values(narrow).map(({ passUnasked }) => passUnasked),
  ...[escapes.twoCalls.allowed, escapes.floor.asked, escapes.floor.allowed, escapes.olderDangerous.allowed],
  ...[calls.falseDenials, calls.allowed, staleAccepted(everyday)],
];
process.exitCode = failures.some(({ length }) => length > 0) ? 1 : 0;
