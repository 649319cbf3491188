import { z } from "zod";
import { skillKinds, skillStates } from "@/contracts/skills/skills";
import { noEffects } from "@/server/guard/effects/declare-effects";
import { defineTool } from "@/server/tools/define-tool";
import { skillsCapability } from "../skills-capability";
import { currentStatus, isForAgent } from "../workspace-skills";

const maxDescription = 200;

export const listAvailableSkills = defineTool({
  name: "list_available_skills",
  title: "List skills",
  description: "Lists the skills that you may load, by name and description; also those that are not ready, with the reason.",
  family: "skills",
  tier: "extension",
  effect: "read",
  needs: [skillsCapability],
  approval: noEffects,
  names: { aliases: ["list_skills"], parameterAliases: { query: "keyword", state: "status", kind: "source" } },
  primaryArgument: "keyword",
  disclosure: { ofSkills: true },
  input: z.object({
    keyword: z.string().trim().max(200).default("").describe("Words in the name, description or tags"),
    source: z.enum(skillKinds).optional().describe("Only skills of this kind"),
    status: z
      .enum([...skillStates, "all"])
      .default("ready")
      .describe("Only skills with this status"),
    limit: z
      .number()
      .int()
      .min(1)
      .default(20)
      .transform((count) => Math.min(count, 50))
      .describe("Default 20, at most 50"),
  }),
  async execute({ keyword, source, status, limit }, { skills }) {
    const known = await skills.known();
    const agentId = await skills.agentId();
    const words = keyword.toLowerCase().split(/\s+/).filter(Boolean);
    const found = known.all
      .filter(({ row }) => isForAgent(known, agentId, row.id) && (source === undefined || row.kind === source))
      .map((skill) => ({ skill, now: currentStatus(skill, known) }))
      .filter(({ now }) => status === "all" || now.state === status)
      .filter(({ skill: { row, manifest } }) => {
        const text = [row.name, manifest.title, manifest.description, ...manifest.tags].join(" ").toLowerCase();
        return words.every((word) => text.includes(word));
      });
    const shown = found.slice(0, limit);
    const more =
      shown.length < found.length ? " See more with a larger limit (at most 50), or narrow the list with keyword, source or status." : "";
    const lines = shown.map(({ skill: { row, manifest }, now }) => {
      const why = now.state === "ready" ? "" : ` [${now.state}: ${now.stateReason}]`;
      return `- ${row.name} (${row.kind}): ${manifest.description.replace(/\s+/g, " ").slice(0, maxDescription).toWellFormed()}${why}`;
    });
    return [`Showing: ${shown.length} of ${found.length}.${more}`, ...lines].join("\n");
  },
});
