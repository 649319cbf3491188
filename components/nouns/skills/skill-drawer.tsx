"use client";

import { Button, Switch } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { confirmRemoval } from "@/components/kit/resources/confirm-removal";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type SkillDetail, skillEndpoints } from "@/contracts/browser/skills/skills";
import { Findings } from "./findings";
import { skillQueries } from "./queries";
import { SkillFiles } from "./skill-files";
import { SkillLife } from "./skill-life";
import { Hosts, Lessons, Part, Secrets } from "./skill-parts";
import { SkillVersions } from "./skill-versions";
import { kindWords, stateWords } from "./skill-words";
import classes from "./skills.module.css";
import { useChangeSkill } from "./use-change-skill";

/** All about one skill: state, files, scan, secrets, lessons and uses. */
export function SkillDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const skill = useQuery(skillQueries.one(id));
  return (
    <DetailDrawer opened onClose={onClose} title={skill.data?.name ?? "Skill"}>
      <Loaded query={skill} what="the skill" rows={8} height={1.5}>
        {(detail) => <SkillStory skill={detail} onClose={onClose} />}
      </Loaded>
    </DetailDrawer>
  );
}

function SkillStory({ skill, onClose }: { skill: SkillDetail; onClose: () => void }) {
  const refusal = useRefusal("skills:write");
  const { update, review, refresh } = useChangeSkill(skill);
  const { word, tone } = stateWords[skill.state];
  const needsConsent = skill.review === "approved" && skill.state === "awaiting_person";
  const remove = () =>
    confirmRemoval({
      ...{ name: skill.name, noun: "skill", loss: "Its files, versions and secrets are deleted, and its tools disappear." },
      ...{ onRemoved: onClose, refresh },
      remove: () => call(skillEndpoints.remove, { params: { id: skill.id } }),
    });
  return (
    <div className={shared.story}>
      <div className={classes.head}>
        <StatusBadge tone={tone}>{word}</StatusBadge>
        <Switch
          label="On"
          checked={skill.enabled}
          disabled={refusal !== null}
          onChange={(event) => update.mutate({ enabled: event.currentTarget.checked })}
        />
      </div>
      {skill.stateReason === "" ? null : (
        <p className={shared.paragraph}>
          <RevealedText text={skill.stateReason} />
        </p>
      )}
      {skill.review === "awaiting" ? (
        <DisabledReason reason={refusal}>
          <div className={classes.bar}>
            <Button disabled={refusal !== null} onClick={() => review.mutate("approved")}>
              Approve skill
            </Button>
            <Button variant="default" disabled={refusal !== null} onClick={() => review.mutate("rejected")}>
              Reject skill
            </Button>
          </div>
        </DisabledReason>
      ) : null}
      {needsConsent ? (
        <div>
          <Button disabled={refusal !== null} onClick={() => update.mutate({ acceptFindings: true })}>
            Accept findings
          </Button>
        </div>
      ) : null}
      <p className={shared.paragraph}>
        <RevealedText text={skill.description} />
      </p>
      <Facts
        facts={[
          ["Kind", kindWords[skill.kind]],
          ["From", skill.sourceNote || null],
          ["Version", skill.skillVersion],
          ["Author", skill.author],
          ["Licence", skill.license],
          ["Needs tools", skill.requiredTools.join(", ") || null],
          ["Names tools", skill.allowedTools.join(", ") || null],
          ["Tools", skill.entries.map(({ tool }) => tool).join(", ") || null],
          ["Agents", skill.agents.map(({ name }) => name).join(", ") || "All without bound skills"],
          ["Used", skill.uses === 0 ? "Never" : skill.uses === 1 ? "Once" : `${skill.uses} times`],
        ]}
      />
      <Part title="Scan">
        <Findings findings={skill.findings} />
      </Part>
      <Part title="Files">
        <SkillFiles skill={skill} refusal={refusal} />
      </Part>
      <Secrets skill={skill} refusal={refusal} />
      <Hosts skill={skill} refusal={refusal} key={`hosts ${skill.version}`} />
      <Lessons skill={skill} refusal={refusal} key={`lessons ${skill.version}`} />
      {skill.kind === "builtin" ? null : <SkillVersions skill={skill} refusal={refusal} />}
      <SkillLife skill={skill} refusal={refusal} />
      {skill.lastUses.length === 0 ? null : (
        <Part title="Uses">
          <ul className={classes.files}>
            {skill.lastUses.map(({ conversationId, at, uses }) => (
              <li key={conversationId} className={classes.file}>
                <a href={`/chat?conversation=${conversationId}`}>Conversation</a>
                <span className={shared.dim}>
                  {uses === 1 ? "once" : `${uses} times`}, <RelativeTime at={at} />
                </span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {skill.kind === "builtin" ? null : (
        <div>
          <RefusableButton refusal={refusal} variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={remove}>
            Remove skill
          </RefusableButton>
        </div>
      )}
    </div>
  );
}
