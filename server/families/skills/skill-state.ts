import type { Skill, SkillNeed } from "@/contracts/skills/skills";
import type { skills } from "@/db/schema";
import type { Manifest } from "./format/manifest";
import { findNeeds } from "./preflight";
import { worstOf } from "./scan/scan-skill";

export type SkillRow = typeof skills.$inferSelect;

/** A skill as the tools and lists need it. */
export type KnownSkill = {
  row: SkillRow;
  manifest: Manifest;
  setSecrets: ReadonlySet<string>;
  /** Agents that have it bound. */
  boundTo: ReadonlySet<string>;
};

export type SkillStatus = Pick<Skill, "state" | "stateReason" | "needs" | "life">;

const dayMs = 86_400_000;
const staleDays = 30;
const archivedDays = 90;

/** Returns how long a skill of an agent has been idle, as a stage of its life. Others, pinned and bound ones stay active. */
export function lifeOf({ row, boundTo }: Pick<KnownSkill, "row" | "boundTo">, now: number): Skill["life"] {
  if (row.life === "archived") return "archived";
  if (row.kind !== "dynamic" || row.isPinned || boundTo.size > 0) return "active";
  const idleDays = (now - (row.lastUsedAt ?? row.createdAt).getTime()) / dayMs;
  return idleDays >= archivedDays ? "archived" : idleDays >= staleDays ? "stale" : "active";
}

/** Returns whether agents get a skill now, and why not. */
export function statusOf(skill: KnownSkill, hasTool: (name: string) => boolean, now: number): SkillStatus {
  const { row, manifest, setSecrets } = skill;
  const life = lifeOf(skill, now);
  const needs = findNeeds({ manifest, interpreters: row.scriptKinds, setSecrets, hasTool });
  const found = stateOf(row, life, needs);
  return { ...found, needs, life };
}

function stateOf(row: SkillRow, life: Skill["life"], needs: readonly SkillNeed[]): Pick<Skill, "state" | "stateReason"> {
  const worst = worstOf(row.findings);
  if (worst === "critical") {
    const finding = row.findings.find(({ severity }) => severity === "critical");
    return { state: "blocked", stateReason: `${finding?.file}, line ${finding?.line}: ${finding?.message}` };
  }
  if (row.review !== "approved") {
    const reason =
      row.review === "awaiting" ? "An agent made it; a person has to approve it." : "A person rejected what an agent made of it.";
    return { state: "awaiting_person", stateReason: reason };
  }
  if (worst === "high" && !row.findingsAccepted)
    return { state: "awaiting_person", stateReason: "Its scan found something that a person has to accept." };
  if (!row.enabled) return { state: "off", stateReason: "It is switched off." };
  if (life === "archived")
    return { state: "off", stateReason: "It is archived, because nobody used it for 90 days or somebody put it away." };
  const [need] = needs;
  if (!need) return { state: "ready", stateReason: "" };
  const isSecret = needs.every(({ kind }) => kind === "secret");
  return { state: isSecret ? "needs_secrets" : "needs_setup", stateReason: needs.map(({ way }) => way).join(" ") };
}
