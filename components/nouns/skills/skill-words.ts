import type { Tone } from "@/components/kit/ui/tone";
import type { Skill, SkillFinding, SkillPreview } from "@/contracts/browser/skills/skills";

export const stateWords: Record<Skill["state"], { word: string; tone: Tone }> = {
  ready: { word: "Ready", tone: "allow" },
  needs_secrets: { word: "Needs secrets", tone: "ask" },
  needs_setup: { word: "Needs setup", tone: "ask" },
  awaiting_person: { word: "Needs approval", tone: "ask" },
  blocked: { word: "Blocked", tone: "deny" },
  off: { word: "Off", tone: "unavailable" },
};

export const kindWords: Record<Skill["kind"], string> = {
  builtin: "Comes with Handrail",
  custom: "Installed",
  dynamic: "Made by an agent",
};

export const severityTones: Record<SkillFinding["severity"], Tone> = {
  critical: "deny",
  high: "ask",
  medium: "ask",
  low: "unavailable",
  info: "unavailable",
};

export const severityWords: Record<SkillFinding["severity"], string> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
  info: "Note",
};

export const needsConsent = ({ findings }: Pick<SkillPreview, "findings">): boolean =>
  findings.some(({ severity }) => severity === "high") && !findings.some(({ severity }) => severity === "critical");
