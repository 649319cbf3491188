"use client";

import { Button, PasswordInput, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { SkillDetail } from "@/contracts/browser/skills/skills";
import classes from "./skills.module.css";
import { useChangeSkill } from "./use-change-skill";

/** A part of a skill's story under its heading. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={shared.stack}>
      <h3 className={shared.subtitle}>
        <RevealedText text={title} />
      </h3>
      {children}
    </section>
  );
}

export type PartProps = { skill: SkillDetail; refusal: string | null };

/** Secrets that the scripts of a skill get as variables. */
export function Secrets({ skill, refusal }: PartProps) {
  const { setSecret } = useChangeSkill(skill);
  const [values, setValues] = useState<Record<string, string>>({});
  if (skill.secrets.length === 0) return null;
  return (
    <Part title="Secrets">
      {skill.secrets.map(({ name, description, isSet }) => (
        <form
          key={name}
          className={classes.bar}
          onSubmit={(event) => {
            event.preventDefault();
            setSecret.mutate({ name, value: values[name] ?? "" }, { onSuccess: () => setValues({ ...values, [name]: "" }) });
          }}
        >
          <PasswordInput
            className={shared.field}
            label={spellHidden(name)}
            description={spellHidden(
              `${description}${description === "" ? "" : ". "}${isSet ? "It is set; an empty value removes it." : "It is not set."}`,
            )}
            autoComplete="off"
            disabled={refusal !== null}
            value={values[name] ?? ""}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
          <Button type="submit" variant="default" loading={setSecret.isPending} disabled={refusal !== null || (!isSet && !values[name])}>
            {isSet && !values[name] ? "Remove secret" : "Save secret"}
          </Button>
        </form>
      ))}
    </Part>
  );
}

/** Hosts that the scripts of a skill may reach. */
export function Hosts({ skill, refusal }: PartProps) {
  const { update } = useChangeSkill(skill);
  const [hosts, setHosts] = useState(skill.hosts.join(", "));
  const wanted = hosts.split(/[\s,]+/).filter(Boolean);
  const asked = skill.declaredHosts.length > 0 ? ` It asks for ${skill.declaredHosts.join(", ")}.` : "";
  return (
    <form
      className={classes.bar}
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ hosts: wanted });
      }}
    >
      <TextInput
        {...codeInputProps}
        className={shared.field}
        label="Hosts that its scripts may reach"
        description={spellHidden(`Separated by commas. The guard decides each call.${asked}`)}
        disabled={refusal !== null}
        value={hosts}
        onChange={(event) => setHosts(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={refusal !== null || wanted.join() === skill.hosts.join()}>
        Save hosts
      </Button>
    </form>
  );
}

/** The skill's LESSONS.md. */
export function Lessons({ skill, refusal }: PartProps) {
  const { update } = useChangeSkill(skill);
  const [lessons, setLessons] = useState(skill.lessons);
  return (
    <form
      className={shared.stack}
      onSubmit={(event) => {
        event.preventDefault();
        update.mutate({ lessons });
      }}
    >
      <AutosizeTextarea
        label="Lessons (LESSONS.md)"
        description="What to do, or not to do, next time. Agents get them with the skill, and add to them by record_lesson."
        rows={[2, 12]}
        disabled={refusal !== null}
        value={lessons}
        onChange={(event) => setLessons(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" variant="default" disabled={refusal !== null || lessons === skill.lessons}>
          Save lessons
        </Button>
      </div>
    </form>
  );
}
