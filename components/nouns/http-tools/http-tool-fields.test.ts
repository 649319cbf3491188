import { expect, test } from "vitest";
import { keyValue } from "@/components/nouns/mcp-servers/server-draft";
import { HttpToolDraft } from "@/contracts/tools/http-tools";
import { emptyHttpTool, toHttpToolDraft } from "./http-tool-fields";

const fields = {
  ...emptyHttpTool,
  name: "get_weather",
  description: "Weather",
  url: "https://api.example.com/{city}",
  query: [keyValue("units", "{{units}}"), keyValue()],
};

test("without a schema each placeholder is a text argument, and those of the address are required", () => {
  const draft = HttpToolDraft.parse(toHttpToolDraft(fields, []));
  expect(draft.inputSchema).toEqual({
    type: "object",
    properties: { city: { type: "string" }, units: { type: "string" } },
    required: ["city"],
  });
  expect(draft.http.query).toEqual({ units: "{{units}}" });
  expect(draft.http.bodyTemplate).toBeNull();
});

test("a body is JSON where it is JSON, and text elsewhere", () => {
  expect(toHttpToolDraft({ ...fields, body: '{"a": "{{x}}"}' }, []).http.bodyTemplate).toEqual({ a: "{{x}}" });
  expect(toHttpToolDraft({ ...fields, body: "{{x}}" }, []).http.bodyTemplate).toBe("{{x}}");
  expect(() => toHttpToolDraft({ ...fields, inputSchema: "{" }, [])).toThrow(SyntaxError);
});
