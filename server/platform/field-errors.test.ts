import { expect, test } from "vitest";
import { z } from "zod";
import { GrantDraft } from "@/contracts/grants";
import { fieldErrors } from "./field-errors";

const Target = z.union([z.strictObject({ host: z.string(), port: z.int() }), z.strictObject({ path: z.string().min(2) }), z.string()]);
const errorsOf = (schema: z.ZodType, value: unknown) => fieldErrors(schema.safeParse(value).error ?? { issues: [] });
const targetErrors = (target: unknown) => errorsOf(z.object({ target: Target }), { target });

test("a union names the members that its nearest form misses", () => {
  expect(targetErrors({ host: "x" })).toEqual([{ path: "target.port", message: expect.stringContaining("expected number") }]);
  expect(targetErrors({ path: "x" })).toEqual([{ path: "target.path", message: expect.stringContaining("Too small") }]);
});

test("a value of another kind than every form is told what is expected", () => {
  expect(targetErrors(4)).toEqual([{ path: "target", message: "Invalid input: expected object or string, received number" }]);
});

test("a number that cannot be kept is told where it stands, however deep", () => {
  expect(errorsOf(z.record(z.string(), z.json()), { a: { b: [Number.POSITIVE_INFINITY] } })).toEqual([
    { path: "a.b.0", message: expect.stringMatching(/received Infinity$/) },
  ]);
});

test("a grant that says neither how nor what it matches is told the forms that there are", () => {
  const [error] = errorsOf(GrantDraft, { tool: "x", scope: "conversation", match: {} }).filter(({ path }) => path.startsWith("match"));
  expect(error).toMatchObject({ path: "match.kind", message: expect.stringMatching(/'exact'.*'pattern'/) });
});
