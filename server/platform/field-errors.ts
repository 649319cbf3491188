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
    return [{ path: path.join("."), message: issue.message }];
  }
  const forms = issue.errors.map((issues) => ({ issues, isOtherKind: issues.some(({ path }) => path.length === 0) }));
  const near = forms.filter(({ isOtherKind }) => !isOtherKind).sort((a, b) => a.issues.length - b.issues.length)[0];
  if (near) return near.issues.flatMap((inner) => errorsOf(inner, path));
  const expected = forms.flatMap(({ issues }) => issues.flatMap((inner) => ("expected" in inner ? [String(inner.expected)] : [])));
  const messages = forms.flatMap(({ issues }) => issues.map(({ message }) => message));
  const received = /received \w+$/.exec(messages[0] ?? "")?.[0];
  const message =
    expected.length === messages.length
      ? `Invalid input: expected ${[...new Set(expected)].join(" or ")}${received ? `, ${received}` : ""}`
      : [...new Set(messages)].join("; or ");
  return [{ path: path.join("."), message }];
}
