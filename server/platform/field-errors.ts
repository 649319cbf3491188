import type { z } from "zod";
import type { FieldError } from "./errors";

type Issue = z.core.$ZodIssue;

/** Returns the errors of a schema, field by field; for a union, the errors of its nearest variant. */
export function fieldErrors(error: { issues: readonly Issue[] }): FieldError[] {
  return error.issues.flatMap((issue) => errorsOf(issue, []));
}

function errorsOf(issue: Issue, outer: readonly PropertyKey[]): FieldError[] {
  const path = [...outer, ...issue.path];
  // A union's own message says more than the messages of its variants.
  if (issue.code !== "invalid_union" || issue.message !== "Invalid input" || issue.errors.length === 0) {
    return [{ path: path.join("."), message: sentenceOf(issue) }];
  }
  // A member too many does not make a value another kind; a member that names the kind, such as `kind`, does.
  const forms = issue.errors.map((issues) => ({
    issues,
    isOtherKind: issues.some(({ path, code }) => path.length === 0 && code !== "unrecognized_keys"),
    namesOtherKind: issues.some(({ path, code }) => path.length === 1 && code === "invalid_value"),
  }));
  const near = forms
    .filter(({ isOtherKind }) => !isOtherKind)
    .sort((a, b) => Number(a.namesOtherKind) - Number(b.namesOtherKind) || a.issues.length - b.issues.length)[0];
  if (near) return near.issues.flatMap((inner) => errorsOf(inner, path));
  const expected = forms.flatMap(({ issues }) => issues.flatMap((inner) => ("expected" in inner ? [String(inner.expected)] : [])));
  const messages = forms.flatMap(({ issues }) => issues.map(sentenceOf));
  const received = /received (\w+)$/.exec(forms[0]?.issues[0]?.message ?? "")?.[1];
  const message =
    expected.length === messages.length ? describeKind([...new Set(expected)], received) : [...new Set(messages)].join("; or ");
  return [{ path: path.join("."), message }];
}

/** The kinds of values, as people call them. */
const kinds: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
  null: "null",
};

/** Returns the message of an issue. A message that the schema does not name itself is said in plain words. */
function sentenceOf(issue: Issue): string {
  const { message } = issue;
  const received = /^Invalid input: expected .*, received (\w+)$/.exec(message)?.[1];
  if (issue.code === "unrecognized_keys") return `does not take ${listed(issue.keys.map((key) => `\`${key.slice(0, 100)}\``))}`;
  if (issue.code === "invalid_type" && received !== undefined) return describeKind([issue.expected], received);
  const choices = /^Invalid (?:option: expected one of|input: expected) ((?:"[^"]*"\|?)+)$/.exec(message)?.[1];
  if (!choices) return message;
  // Only a schema that is told to report its input says what stood there.
  const isMissing = "input" in issue && issue.input === undefined;
  return `${isMissing ? "is missing; send" : "must be"} ${listed(choices.split("|"))}`;
}

function describeKind(expected: readonly string[], received: string | undefined): string {
  const wanted = listed(expected.map((kind) => kinds[kind] ?? kind));
  return received === "undefined"
    ? `is missing; send ${wanted}`
    : `must be ${wanted}${received ? `, not ${kinds[received] ?? received}` : ""}`;
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
