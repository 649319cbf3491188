import { describe, expect, test } from "vitest";
import { inView, toArgumentDraft } from "@/components/nouns/call-form/argument-draft";
import { editedArguments } from "./edited-arguments";

const asked = { command: "rm -rf dist", timeoutSeconds: 30 };
const asJson = (text: string) => ({ ...inView(toArgumentDraft(asked), "json"), text });

describe("edited arguments", () => {
  test("only a change can be sent", () => {
    const unchanged = { changed: null, problem: "Change an argument first." };
    expect(editedArguments(asked, null)).toEqual(unchanged);
    expect(editedArguments(asked, toArgumentDraft(asked))).toEqual(unchanged);
    expect(editedArguments(asked, toArgumentDraft({ timeoutSeconds: 30, command: "rm -rf dist" }))).toEqual(unchanged);
    expect(editedArguments(asked, asJson(JSON.stringify(asked)))).toEqual(unchanged);
    expect(editedArguments(asked, asJson('{"command": "rm -r dist"}'))).toEqual({ changed: { command: "rm -r dist" }, problem: null });
    expect(editedArguments(asked, toArgumentDraft({ command: "rm -r dist" }))).toEqual({
      changed: { command: "rm -r dist" },
      problem: null,
    });
  });

  test("a text that is not a JSON object is refused", () => {
    for (const text of ["{", "[]", "null", '"x"'])
      expect(editedArguments(asked, asJson(text)).problem).toBe("The arguments must be a JSON object.");
  });

  test("a field with invalid JSON is named and nothing is sent", () => {
    const draft = { ...toArgumentDraft({ ...asked, command: "ls" }), mistakes: ["env"] };
    expect(editedArguments(asked, draft)).toEqual({ changed: null, problem: "env is not valid JSON yet." });
  });
});
