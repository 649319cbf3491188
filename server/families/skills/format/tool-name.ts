import { sha256 } from "@/server/platform/crypto";

const maxCharacters = 64;

/** Returns the name of a script's tool: `skill_<skill>_<id>`. Two adjacent underscores would make it look like an MCP tool. */
export function skillToolName(skill: string, entry: string): string {
  const name = `skill_${skill}_${entry}`.replace(/[^A-Za-z0-9]+/g, "_").replace(/_{2,}/g, "_");
  if (name.length <= maxCharacters) return name;
  return `${name.slice(0, maxCharacters - 7)}_${sha256(`${skill}/${entry}`).slice(0, 6)}`;
}
