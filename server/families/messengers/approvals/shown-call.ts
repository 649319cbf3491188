import type { Json, JsonObject } from "@/contracts/common";
import { visible } from "@/server/guard/excerpt";

/** The arguments of a call as text; `isWhole`: nothing was left out. */
export type ShownCall = { text: string; isWhole: boolean };

/** Characters of each argument that stay when a call has very many. */
const leastPerArgument = 40;

/**
 * Writes the arguments of a call, the primary one first and without its name. A long argument is cut so that the others keep their place,
 * because a person approves all of them.
 * @param args with secrets masked
 * @param most characters of the text
 */
export function showCall(args: JsonObject, primaryArgument: string | null, most: number): ShownCall {
  const given = Object.entries(args).filter(([, value]) => value !== null && value !== "");
  const isPrimary = ([name]: (typeof given)[number]) => name === primaryArgument;
  const values = [
    ...given.filter(isPrimary).map(([, value]) => lineOf("", value)),
    ...given.filter((one) => !isPrimary(one)).map(([name, value]) => lineOf(`${visible(name)}: `, value)),
  ];
  const shares = shareOut(
    values.map(({ length }) => length + 1),
    most,
  );
  const lines = values.map((value, index) => cut(value, (shares[index] ?? leastPerArgument) - 1));
  const text = lines.join("\n");
  const isWhole = text.length <= most && lines.every((line, index) => line === values[index]);
  return { text: text.slice(0, most).toWellFormed(), isWhole };
}

function lineOf(label: string, value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${label}${text.split(/\r?\n/).map(visible).join("\n")}`;
}

/** Divides characters among texts of these lengths: short ones are whole, and the long ones have equal parts of the rest. */
function shareOut(lengths: readonly number[], most: number): number[] {
  let room = most;
  const shares = new Array<number>(lengths.length).fill(0);
  const byLength = lengths.map((length, index) => ({ length, index })).toSorted((a, b) => a.length - b.length);
  for (const [done, { length, index }] of byLength.entries()) {
    const share = Math.max(leastPerArgument, Math.floor(room / (byLength.length - done)));
    shares[index] = Math.min(length, share);
    room -= Math.min(length, share);
  }
  return shares;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const told = `… [${text.length.toLocaleString("en")} characters]`;
  return `${text.slice(0, Math.max(0, most - told.length)).toWellFormed()}${told}`;
}
