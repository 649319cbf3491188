import { expect, test } from "vitest";
import { callsOut, HookAction, hookActionTypes } from "@/contracts/hooks/hook-actions";
import { type Hook, HookDraft } from "@/contracts/hooks/hooks";
import { actionsFor, emptyForm, fieldAt, toHookDraft, toHookForm } from "./hook-form";

const actions: Record<string, unknown> = {
  redact: { pattern: "a+", replacement: "b", pointer: "/text" },
  mask: { fields: ["email", "/a/b"] },
  set: { pointer: "/depth", value: 2 },
  inject: { pointer: "/messages/0", value: { role: "system", content: "Hi" } },
  validate: { pattern: null, pointer: null, schema: { type: "object" }, message: "Send less." },
  deny: { reason: "No." },
  filter: { keep: ["a"], drop: ["b"], lines: { pattern: "^x", keep: true } },
  truncate: { maxChars: 10, pointer: null },
  audit: { note: "seen", fields: ["/a"] },
  webhook: { url: "https://example.com/h", decides: false },
  cache: { ttlSeconds: 60, scope: "agent" },
  count_tokens: {},
  fall_back: { result: { items: [] } },
  judge: { url: null, agentId: null, instructions: "Is it safe?" },
};

test.each(hookActionTypes)("the editor gives a hook that does %s back as it was", (type) => {
  const event = (["before_tool", "after_tool", "before_llm", "on_error"] as const).find((candidate) =>
    actionsFor(candidate).includes(type),
  );
  const action = HookAction.parse({ type, ...(actions[type] as object) });
  const draft = HookDraft.parse({
    name: "A hook",
    event,
    action,
    match: { tool: event?.endsWith("_llm") ? "*" : "read_*" },
    ratePerMinute: callsOut(action.type) ? 5 : null,
  });
  const hook: Hook = {
    ...draft,
    id: "1",
    version: 1,
    createdAt: "",
    updatedAt: "",
    availability: { status: "available", reason: null },
  };
  expect(toHookDraft(toHookForm(hook))).toEqual({ draft, errors: null });
});

test("a word is a text, and what is JSON is that value", () => {
  const form = { ...emptyForm, name: "A", action: "set" as const, pointer: "/x" };
  for (const [typed, value] of [
    ["acme", "acme"],
    ["5", 5],
    ['"5"', "5"],
    ["null", null],
    ["[1]", [1]],
  ] as const) {
    expect(toHookDraft({ ...form, value: typed }).draft?.action).toMatchObject({ value });
  }
});

test("each mistake is said at the field in which it was typed", () => {
  expect(Object.keys(toHookDraft(emptyForm).errors ?? {}).sort()).toEqual(["name", "pattern"]);
  expect(toHookDraft({ ...emptyForm, name: "A", action: "validate", schema: "[" }).errors).toMatchObject({
    schema: "must be a JSON object",
  });
  expect(fieldAt(["match", "argument", "pattern"], "redact")).toBe("argumentPattern");
  expect(fieldAt(["action", "lines", "pattern"], "filter")).toBe("linePattern");
  expect(fieldAt(["action", "url"], "webhook")).toBe("url");
});
