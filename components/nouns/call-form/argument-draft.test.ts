import { expect, test } from "vitest";
import { inView, toArgumentDraft, toArguments } from "./argument-draft";

test("a form with a field that is no value yet is no call", () => {
  const draft = toArgumentDraft({ path: "a" });
  expect(toArguments(draft)).toEqual({ path: "a" });
  expect(toArguments({ ...draft, mistakes: ["headers"] })).toBeNull();
});

test("the arguments are the same in both views", () => {
  const json = inView(toArgumentDraft({ path: "a" }), "json");
  expect(json.text).toBe('{\n  "path": "a"\n}');
  expect(toArguments(inView({ ...json, text: '{"path": "b"}' }, "form"))).toEqual({ path: "b" });
});

test("JSON that is no object stays in its view", () => {
  const broken = { ...inView(toArgumentDraft({}), "json"), text: "[1]" };
  expect(toArguments(broken)).toBeNull();
  expect(inView(broken, "form").view).toBe("json");
});
