import { z } from "zod";
import { SkillName } from "@/contracts/skills/skills";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { deleteDraft, saveDraft } from "../drafts";
import { skillsCapability } from "../skills-capability";

const actions = ["create", "edit", "patch", "delete", "write_file"] as const;
const maxContent = 100_000;

export const skillManage = defineTool({
  name: "skill_manage",
  title: "Draft a skill",
  description:
    "Creates, edits, patches or deletes a skill that agents made, or writes one of its files. What you save is scanned and waits until a person approves it. edit replaces SKILL.md; patch replaces oldText, which must stand there once, by newText.",
  family: "skills",
  tier: "extension",
  effect: "write",
  needs: [skillsCapability],
  names: {
    parameterAliases: {
      skillName: "name",
      skill_name: "name",
      file_path: "filePath",
      path: "filePath",
      old_text: "oldText",
      new_text: "newText",
      old_string: "oldText",
      new_string: "newText",
    },
  },
  primaryArgument: "name",
  approval: {
    dangerous: true,
    // A draft does nothing before a person has approved it; deleting one cannot be taken back.
    effects: ({ action }) =>
      action === "delete"
        ? [{ kind: "delete", argument: "/name", inside: "deletes a skill", irreversible: true }]
        : [actsInside("drafts a skill that a person reviews")],
  },
  disclosure: { ofSkills: true },
  input: z.object({
    action: z.string().trim().default("").describe("create, edit, patch, delete or write_file"),
    name: z.string().trim().default("").describe("Name of the skill: lower-case letters, digits, dots, _ and -"),
    content: z.string().optional().describe("create, edit: the whole SKILL.md; write_file: the file's text"),
    filePath: z.string().trim().max(500).optional().describe("write_file, patch: path in the skill; patch changes SKILL.md without it"),
    oldText: z.string().optional().describe("patch: the text to replace"),
    newText: z.string().optional().describe("patch: the text in its place"),
  }),
  async execute({ action: given, name, content, filePath, oldText, newText }, { skills }) {
    const action = actions.find((one) => one === given);
    if (!action) throw new AppError("invalid", "Error: action is required (create | edit | patch | delete)");
    if (name === "") throw new AppError("invalid", "Error: name is required");
    if (!SkillName.safeParse(name).success) throw new AppError("invalid", `Error: invalid skill name '${name.slice(0, 80)}'`);
    if (skills.workspaceId === "") throw new AppError("invalid", "Error: workspace context is required for skill mutations");
    const by = { workspaceId: skills.workspaceId, actor: skills.actor };
    if (action === "delete") {
      await deleteDraft(by, name);
      return { success: true, action, name, status: "deleted", message: `The skill ${name} was deleted.` };
    }
    if (action !== "patch" && (content === undefined || content.trim() === ""))
      throw new AppError("invalid", `Error: content is required for ${action} action`);
    if ((content ?? newText ?? "").length > maxContent)
      throw new AppError("invalid", `Error: content too large (${(content ?? newText ?? "").length} characters, at most ${maxContent})`);
    if (action === "patch" && (oldText === undefined || oldText === "" || newText === undefined))
      throw new AppError("invalid", "Error: oldText and newText are required for patch action");
    if (action === "write_file" && filePath === undefined)
      throw new AppError("invalid", "Error: filePath is required for write_file action");
    const change =
      action === "patch"
        ? { kind: "patch" as const, path: filePath ?? "SKILL.md", oldText: oldText ?? "", newText: newText ?? "" }
        : {
            kind: action === "create" ? ("create" as const) : ("write" as const),
            path: action === "write_file" ? (filePath ?? "") : "SKILL.md",
            text: content ?? "",
          };
    const { worst } = await saveDraft(by, name, change);
    const found = worst === "critical" ? " Its scan found something that blocks it; look at the text again." : "";
    return {
      success: true,
      action,
      name,
      status: worst === "critical" ? "blocked" : "awaiting_person",
      message: `The skill ${name} was saved. A person has to approve it before agents can use it.${found}`,
    };
  },
});
