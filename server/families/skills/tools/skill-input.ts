import { z } from "zod";
import { AppError } from "@/server/platform/errors";

/** The name of a skill. An absent one is answered by the tool itself, with the sentence that models know. */
export const skillName = z.string().trim().max(200).default("").describe("Exact name of the skill");

export const skillNameAliases = { skill_name: "skillName", skill: "skillName", name: "skillName" } as const;

/** @throws AppError `invalid` for an empty name */
export function assertSkillName(name: string): string {
  if (name === "") throw new AppError("invalid", "Error: skillName is required. Send the exact name of a skill from the catalogue.");
  return name;
}
