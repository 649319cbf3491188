"use client";

import { Button, Switch } from "@mantine/core";
import shared from "@/components/kit/ui/shared.module.css";
import type { SkillDetail } from "@/contracts/browser/skills/skills";
import { Part, type PartProps } from "./skill-parts";
import classes from "./skills.module.css";
import { useChangeSkill } from "./use-change-skill";

const dayMs = 86_400_000;
/** Days without use after which a skill of an agent is stale, and archived. */
const [staleDays, archivedDays] = [30, 90];

/** The skill's state (kept, pinned or archived), and its idle time. */
export function SkillLife({ skill, refusal }: PartProps) {
  const { update } = useChangeSkill(skill);
  if (skill.kind === "builtin") return null;
  const isArchived = skill.life === "archived";
  return (
    <Part title="Life">
      <p className={shared.note}>{lifeWords(skill)}</p>
      <div className={classes.bar}>
        {skill.kind === "dynamic" ? (
          <Switch
            label="Pinned"
            description="It is never archived for being idle, and agents do not delete it."
            checked={skill.isPinned}
            disabled={refusal !== null}
            onChange={(event) => update.mutate({ isPinned: event.currentTarget.checked })}
          />
        ) : null}
        <Button
          variant="default"
          disabled={refusal !== null || update.isPending}
          onClick={() => update.mutate({ life: isArchived ? "active" : "archived" })}
        >
          {isArchived ? "Restore skill" : "Archive skill"}
        </Button>
      </div>
    </Part>
  );
}

function lifeWords({ kind, life, isPinned, agents, lastUsedAt, createdAt }: SkillDetail): string {
  if (life === "archived") return "It is archived: agents do not get it, and nothing of it is deleted.";
  if (kind !== "dynamic") return "People installed it, so it stays until somebody archives or removes it.";
  if (isPinned) return "A person pinned it, so it stays however long it is idle.";
  if (agents.length > 0) return "It is bound to an agent, so it stays however long it is idle.";
  const idle = Math.max(0, Math.floor((Date.now() - Date.parse(lastUsedAt ?? createdAt)) / dayMs));
  const days = (count: number) => (count === 1 ? "1 day" : `${count} days`);
  return life === "stale"
    ? `It is stale: nobody has used it for ${days(idle)}. It is archived in ${days(archivedDays - idle)} unless somebody uses or pins it.`
    : `It is active. Without use it becomes stale in ${days(staleDays - idle)}, and is archived in ${days(archivedDays - idle)}.`;
}
