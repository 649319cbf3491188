import { expect, test } from "vitest";
import { formFields } from "./elicitation-form";
import { formMismatch } from "./form-mismatch";

const form = (format: string) => ({ type: "object", properties: { answer: { type: "string", format } } });

test.each([
  ["email", "ann@example.com", "notamail", "answer must be an e-mail address"],
  ["uri", "https://example.com/a", "example", "answer must be an address such as https://example.com"],
  ["date", "2026-11-30", "2026-02-31", "answer must be a date such as 2026-11-30"],
  ["date-time", "2026-11-30T09:00:00+01:00", "today", "answer must be a time such as 2026-11-30T09:00:00Z"],
])("a text of the format %s is %s and not %s", (format, right, wrong, sentence) => {
  expect(formMismatch(form(format), { answer: right })).toBeNull();
  expect(formMismatch(form(format), {})).toBeNull();
  expect(formMismatch(form(format), { answer: wrong })).toBe(sentence);
});

test("a format that MCP does not know checks nothing, and one that it knows is told with the field", () => {
  for (const format of ["phone", "toString", "__proto__"]) expect(formMismatch(form(format), { answer: "x" })).toBeNull();
  expect(formFields(form("email"))?.[0]?.label).toBe("answer (optional)\nAnswer with an e-mail address.");
  expect(formFields({ properties: { answer: { type: "string" } } })?.[0]?.label).toBe("answer (optional)");
});
