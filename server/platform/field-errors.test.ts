import { expect, test } from "vitest";
import { z } from "zod";
import { GrantDraft, Remember } from "@/contracts/guard/grants";
import { fieldErrors } from "./field-errors";

const Target = z.union([z.strictObject({ host: z.string(), port: z.int() }), z.strictObject({ path: z.string().min(2) }), z.string()]);
const errorsOf = (schema: z.ZodType, value: unknown) => fieldErrors(schema.safeParse(value, { reportInput: true }).error ?? { issues: [] });
const targetErrors = (target: unknown) => errorsOf(z.object({ target: Target }), { target });

test("a union names the members that its nearest form misses", () => {
  expect(targetErrors({ host: "x" })).toEqual([{ path: "target.port", message: "is missing; send a number" }]);
  expect(targetErrors({ path: "x" })).toEqual([{ path: "target.path", message: expect.stringContaining("Too small") }]);
});

test("a value of another kind than every form is told what is expected", () => {
  expect(targetErrors(4)).toEqual([{ path: "target", message: "must be an object or a text, not a number" }]);
});

test("a wrong match of a remembered approval is told in a sentence, by the form that comes nearest", () => {
  const errors = (match: unknown) => errorsOf(Remember, { scope: "conversation", match }).map(({ path, message }) => `${path}: ${message}`);
  expect(errors({ kind: "exact", arguments: {} })).toEqual(["match: does not take `arguments`"]);
  expect(errors({ kind: "pattern", patern: "^ls" })).toEqual(["match.pattern: is missing; send a text", "match: does not take `patern`"]);
  expect(errors("any")).toEqual(['match: must be "exact"; or must be an object, not a text']);
});

test("a number that cannot be kept is told where it stands, however deep", () => {
  expect(errorsOf(z.record(z.string(), z.json()), { a: { b: [Number.POSITIVE_INFINITY] } })).toEqual([
    { path: "a.b.0", message: expect.stringMatching(/not Infinity$/) },
  ]);
});

test("a grant that says neither how nor what it matches is told the forms that there are", () => {
  const [error] = errorsOf(GrantDraft, { tool: "x", scope: "conversation", match: {} }).filter(({ path }) => path.startsWith("match"));
  expect(error).toMatchObject({ path: "match.kind", message: expect.stringMatching(/'exact'.*'pattern'/) });
});

test("fields are missing, of another kind or not among the choices in plain words, each by its name", () => {
  const Rule = z.strictObject({ tool: z.string(), verdict: z.enum(["allow", "deny"]), priority: z.int(), tags: z.array(z.string()) });
  expect(errorsOf(Rule, {})).toEqual([
    { path: "tool", message: "is missing; send a text" },
    { path: "verdict", message: 'is missing; send "allow" or "deny"' },
    { path: "priority", message: "is missing; send a number" },
    { path: "tags", message: "is missing; send a list" },
  ]);
  expect(errorsOf(Rule, { tool: 5, verdict: "maybe", priority: "1", tags: {} })).toEqual([
    { path: "tool", message: "must be a text, not a number" },
    { path: "verdict", message: 'must be "allow" or "deny"' },
    { path: "priority", message: "must be a number, not a text" },
    { path: "tags", message: "must be a list, not an object" },
  ]);
});
