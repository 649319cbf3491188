import { z } from "zod";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { notes } from "../notes";

const maxKeys = 100;
const maxValueChars = 8_000;
/** Keys of this form belong to Handrail. */
const reserved = /^_/;

export const scratchpad = defineTool({
  name: "scratchpad",
  title: "Scratchpad",
  description:
    "Keeps short texts by key for this conversation, across turns. get and delete need key, set needs key and value (8,000 characters at most, 100 keys), list shows the keys, clear removes all.",
  family: "work-lists",
  tier: "extension",
  // It changes nothing but what this conversation's model keeps for itself.
  effect: "read",
  approval: {
    effects: () => [actsInside("keeps notes for the conversation")],
  },
  running: { concurrencySafe: false },
  needs: [notes],
  primaryArgument: "key",
  input: z
    .object({
      action: z.enum(["get", "set", "delete", "list", "clear"]).default("list").describe("What to do"),
      key: z.string().trim().min(1).max(100).optional().describe("Name of the note"),
      value: z.string().max(maxValueChars).optional().describe("Its text, for set"),
    })
    .superRefine(({ action, key, value }, context) => {
      const issue = (message: string) => context.addIssue({ code: "custom", message, path: [] });
      if (action === "list" || action === "clear") return;
      if (key === undefined) issue(`${action} needs key`);
      else if (reserved.test(key)) issue(`the key ${key} is reserved; choose one that does not begin with _`);
      if (action === "set" && value === undefined) issue("set needs value");
    }),
  async execute({ action, key = "", value = "" }, { notes }) {
    switch (action) {
      case "get": {
        const kept = (await notes.read("scratchpad")).get(key);
        if (kept === undefined)
          throw new AppError("not_found", `There is no key ${key} in the scratchpad. The action list shows the keys.`);
        return typeof kept === "string" ? kept : JSON.stringify(kept);
      }
      case "set":
        await notes.change("scratchpad", (before) => {
          const after = new Map(before).set(key, value);
          if (after.size > maxKeys) throw new AppError("conflict", `The scratchpad has ${maxKeys} keys already. Delete one first.`);
          return after;
        });
        return `Set ${key}.`;
      case "delete": {
        let known = false;
        await notes.change("scratchpad", (before) => {
          const after = new Map(before);
          known = after.delete(key);
          return after;
        });
        return known ? `Deleted ${key}.` : `There was no key ${key}.`;
      }
      case "list": {
        const keys = [...(await notes.read("scratchpad")).keys()];
        return keys.length === 0 ? "The scratchpad is empty." : keys.join("\n");
      }
      case "clear":
        await notes.change("scratchpad", () => new Map());
        return "The scratchpad is empty.";
    }
  },
});
