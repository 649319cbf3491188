import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { ChangedPathArgument, pathAliases } from "@/server/capabilities/files/path-argument";
import { writes } from "@/server/guard/effects/declare-effects";
import { AppError, isAppError } from "@/server/platform/errors";
import { findInexactNumber } from "@/server/platform/formats/exact-json";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { defineTool } from "@/server/tools/define-tool";
import { nullIfRefused } from "../null-if-refused";
import { removeJson, setJson } from "./json-edit";
import { maxJsonBytes, pointerAliases, readJsonText } from "./json-file";
import { segmentsOf } from "./json-place";

/** The document that a missing file counts as. */
const emptyDocument = "{}\n";

export const jsonWrite = defineTool({
  name: "json_write",
  title: "Change a value of a JSON file",
  description:
    "Sets one value of a JSON file, or takes it out with remove. pointer is /users/0/name or users[0].name; /users/- adds to a list. Numbers, order, comments and formatting of everything else stay as written. A missing file and missing objects on the way are made. Files up to 64 MiB.",
  family: "files",
  tier: "extension",
  effect: "write",
  needs: [files],
  names: {
    aliases: ["JsonWriteTool", "write_json", "json_set"],
    parameterAliases: { ...pathAliases, ...pointerAliases, data: "value", delete: "remove" },
  },
  primaryArgument: "path",
  approval: {
    dangerous: true,
    effects: ({ path }) => [writes("/path", path)],
    changesFile: ({ path, ...change }) => ({
      path,
      after: (before) => nullIfRefused(() => changed(path, before === "" ? emptyDocument : before, change)),
    }),
  },
  input: z
    .object({
      path: ChangedPathArgument.describe("Relative to the workspace"),
      pointer: z.string().max(2_000).default("").describe("Default: the whole document"),
      value: z.unknown().optional().describe("Any JSON value; a text stays a text"),
      remove: z.boolean().default(false).describe("Take the value out in place of setting it"),
    })
    .superRefine(({ value, remove, pointer }, context) => {
      const refuse = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
      if (remove === (value !== undefined)) refuse("value", "send either value, or remove: true");
      if (value !== undefined && findInexactNumber(value)) refuse("value", "has a number that cannot be kept exactly; send it as a text");
      try {
        segmentsOf(pointer);
      } catch (error) {
        if (!isAppError(error)) throw error;
        refuse("pointer", error.message);
      }
    }),
  async execute({ path, ...change }, { files, signal }) {
    const before = await readJsonText(path, { files, signal }).catch((error) => {
      if (!isAppError(error) || error.code !== "not_found" || change.remove) throw error;
      return null;
    });
    const after = changed(path, before ?? emptyDocument, change);
    const where = change.pointer === "" ? path : `${change.pointer} in ${path}`;
    if (after === before) return `${where} has this value already, so nothing was written.`;
    const bytes = Buffer.from(after);
    if (bytes.byteLength > maxJsonBytes) throw new AppError("too_large", `${path} would have more than 64 MiB. Write a smaller value.`);
    await files.writeBytes(path, bytes, { isEdit: true });
    if (change.remove) return `Removed ${where}.`;
    return before === null ? `Created ${path}.` : `Set ${where}.`;
  },
});

function changed(path: string, before: string, { pointer, value, remove }: { pointer: string; value?: unknown; remove: boolean }): string {
  if (inspectJson(value ?? null).depth > maxArgumentDepth) throw new AppError("invalid", "value is nested too deep. Send a flatter one.");
  const segments = segmentsOf(pointer);
  return remove ? removeJson(path, before, segments) : setJson(path, before, segments, value);
}
