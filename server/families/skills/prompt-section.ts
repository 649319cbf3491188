import "server-only";
import type { ConversationRow } from "@/server/conversations/find-conversation";
import { loadCatalog } from "@/server/tools/catalog";
import { countTokens } from "@/server/tools/disclosure/count-tokens";
import type { KnownSkill } from "./skill-state";
import { loadSkillName } from "./tools/load-skill";
import { listLoaded } from "./uses";
import { loadWorkspaceSkills, skillsOfAgent } from "./workspace-skills";

/** The catalogue's part of the tokens of all sections: 600. */
export const skillShare = 0.3;
const newMs = 7 * 86_400_000;
const fullDescription = 240;
const shortDescription = 80;

/** Writes the catalogue of skills for a conversation's agent. The same skills give the same bytes. */
export async function writeSkillSection({ workspaceId, agentId }: ConversationRow, budgetTokens: number): Promise<string> {
  const { agents } = await loadCatalog(workspaceId);
  const agent = agents.get(agentId);
  if (!agent || agent.skillsDisabled || !agent.effective.has(loadSkillName)) return "";
  return writeCatalogue(skillsOfAgent(await loadWorkspaceSkills(workspaceId), agentId), budgetTokens, Date.now());
}

/** Writes one line a skill, new ones first; descriptions are cut and then lines left out until the text fits. */
export function writeCatalogue(skills: readonly KnownSkill[], budgetTokens: number, now: number): string {
  if (skills.length === 0) return "";
  const isNew = ({ row }: KnownSkill) => row.kind !== "builtin" && now - row.createdAt.getTime() < newMs;
  const ordered = [...skills.filter(isNew), ...skills.filter((skill) => !isNew(skill))];
  const head = `# Skills\nBefore a task that one of these fits, load it with ${loadSkillName} and do as it says.`;
  for (const longest of [fullDescription, shortDescription]) {
    const text = [head, ...ordered.map((skill) => lineOf(skill, longest))].join("\n");
    if (countTokens(text) <= budgetTokens) return text;
  }
  const lines = ordered.map((skill) => lineOf(skill, shortDescription));
  const tail = (count: number) => `Showing ${count} of ${lines.length}; list_available_skills finds the others.`;
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens([head, ...lines.slice(0, middle), tail(middle)].join("\n")) <= budgetTokens) low = middle;
    else high = middle - 1;
  }
  return [head, ...lines.slice(0, low), tail(low)].join("\n");
}

function lineOf({ row, manifest }: KnownSkill, longest: number): string {
  const text = manifest.description.replace(/\s+/g, " ").trim();
  const shown =
    text.length <= longest
      ? text
      : `${text
          .slice(0, longest - 1)
          .replace(/[\ud800-\udbff]$/, "")
          .trimEnd()}…`;
  return `- ${row.name}: ${shown}`;
}

/** The loaded skills, which a model must not forget when its conversation is summarised. */
export async function skillNote(conversationId: string): Promise<string> {
  const loaded = await listLoaded(conversationId);
  return loaded.length === 0
    ? ""
    : `Skills loaded in this conversation, which still hold: ${loaded.join(", ")}. Load one again when its text is not above.`;
}
