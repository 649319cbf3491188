import "server-only";
import { and, eq, inArray, like, sql } from "drizzle-orm";
import type { Json, JsonObject } from "@/contracts/common";
import type { SkillEntry, SkillParameter } from "@/contracts/skills/skills";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";
import { connects, executes } from "@/server/guard/effects/declare-effects";
import { checkArguments } from "@/server/mcp/connect/schemas/argument-check";
import { AppError } from "@/server/platform/errors";
import type { AnyTool } from "@/server/tools/define-tool";
import { listedRow } from "@/server/tools/sync-tools";
import type { Manifest } from "./format/manifest";
import { scriptTimeoutMs } from "./script-time";
import type { KnownSkill, SkillRow } from "./skill-state";

/** The name of the capability by which skills are reached. */
export const capabilityName = "skills";

/** Describes the tool of a script, without the way to run it. */
export function describeSkillTool({ row, manifest }: Pick<KnownSkill, "row" | "manifest">, entry: SkillEntry): Omit<AnyTool, "run"> {
  const what = entry.description || `Runs ${entry.path}.`;
  const inputSchema = schemaOf(entry.parameters);
  const effects = [executes("", "."), ...row.hosts.map((host) => connects("", host))];
  return {
    name: entry.tool,
    title: `${manifest.title}: ${entry.id}`,
    description: `${what} A script of the skill ${row.name}.`.slice(0, 380).toWellFormed(),
    rawName: `${row.id}/${entry.id}`,
    family: "skills",
    effect: "destroy",
    primaryArgument: null,
    inputSchema,
    defaultTier: "extension",
    source: "skill",
    sourceRef: null,
    needs: [capabilityName],
    aliases: [],
    concurrencySafe: false,
    idempotent: false,
    mode: "direct",
    backgroundable: true,
    dangerous: true,
    alwaysOn: false,
    neverSpilled: false,
    timeoutMs: scriptTimeoutMs,
    effects: () => effects,
    parse: (args) => checkArguments(entry.tool, inputSchema, { ...defaultsOf(entry.parameters), ...args }),
  };
}

const jsonTypes = { string: "string", number: "number", integer: "integer", boolean: "boolean" } as const;

function schemaOf(parameters: readonly SkillParameter[]): JsonObject {
  const required = parameters.filter((parameter) => parameter.required && parameter.default === undefined).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(({ name, type, description, default: standard }): [string, Json] => [
        name,
        {
          ...(type === "array" ? { type: "array", items: { type: "string" } } : { type: jsonTypes[type] }),
          ...(description === "" ? {} : { description }),
          ...(standard === undefined ? {} : { default: standard }),
        },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

const defaultsOf = (parameters: readonly SkillParameter[]): JsonObject =>
  Object.fromEntries(parameters.flatMap(({ name, default: standard }) => (standard === undefined ? [] : [[name, standard]])));

/**
 * Writes the arguments of a script: the fixed ones, then `--name=value` for each parameter. A value stays in its word, so
 * none becomes an option.
 */
export function scriptArguments({ fixedArgs, parameters }: Pick<SkillEntry, "fixedArgs" | "parameters">, given: JsonObject): string[] {
  return [
    ...fixedArgs,
    ...parameters.flatMap(({ name }) => {
      const value = given[name];
      if (value === undefined || value === null || value === false) return [];
      if (value === true) return [`--${name}`];
      return (Array.isArray(value) ? value : [value]).map((item) => `--${name}=${typeof item === "string" ? item : JSON.stringify(item)}`);
    }),
  ];
}

/** Makes the rows of a skill's tools those that its SKILL.md declares. Settings of admins are kept. @throws AppError `conflict` */
export async function syncSkillTools(tx: Db, row: SkillRow, manifest: Manifest): Promise<void> {
  const ofSkill = and(eq(tools.workspaceId, row.workspaceId), eq(tools.source, "skill"), like(tools.rawName, `${row.id}/%`));
  const known = await tx.select({ id: tools.id, name: tools.name }).from(tools).where(ofSkill);
  const made = manifest.entries.map((entry) => describeSkillTool({ row, manifest }, entry));
  const gone = known.filter(({ name }) => !made.some((tool) => tool.name === name)).map(({ id }) => id);
  if (gone.length > 0) await tx.delete(tools).where(inArray(tools.id, gone));
  for (const tool of made) {
    const { defaultTier: _, ...changed } = listedRow({ workspaceId: row.workspaceId, mcpServerId: null }, tool);
    const before = known.find(({ name }) => name === tool.name);
    if (before) {
      await tx
        .update(tools)
        .set({ ...changed, version: sql`${tools.version} + 1` })
        .where(eq(tools.id, before.id));
      continue;
    }
    const [taken] = await tx
      .select({ name: tools.name })
      .from(tools)
      .where(and(eq(tools.workspaceId, row.workspaceId), sql`(${tools.name} = ${tool.name} or ${tools.aliases} ? ${tool.name})`))
      .limit(1);
    if (taken)
      throw new AppError("conflict", `The script would be the tool ${tool.name}, but a tool has that name. Give the script another id.`);
    await tx.insert(tools).values({ ...changed, defaultTier: tool.defaultTier });
  }
}

/** Removes the rows of a skill's tools. */
export async function removeSkillTools(tx: Db, { id, workspaceId }: Pick<SkillRow, "id" | "workspaceId">): Promise<void> {
  await tx.delete(tools).where(and(eq(tools.workspaceId, workspaceId), eq(tools.source, "skill"), like(tools.rawName, `${id}/%`)));
}
