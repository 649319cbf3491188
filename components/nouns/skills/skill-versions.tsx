"use client";

import { Button, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { skillQueries } from "./queries";
import { Part, type PartProps } from "./skill-parts";
import classes from "./skills.module.css";
import { useChangeSkill } from "./use-change-skill";

/** The last contents of a skill, each of which can become the newest. */
export function SkillVersions({ skill, refusal }: PartProps) {
  const versions = useQuery(skillQueries.versions(skill.id, skill.version));
  const { restore } = useChangeSkill(skill);
  return (
    <Part title="Versions">
      <Loaded query={versions} what="the versions" rows={2} height={1.5}>
        {({ items }) => (
          <ol className={classes.files} aria-label="Versions of the skill, newest first">
            {items.map(({ version, summary, files, author, createdAt }, at) => (
              <li key={version} className={classes.file} aria-current={at === 0 || undefined}>
                <span className={shared.shrinks}>
                  {version}. <RevealedText text={summary} />{" "}
                  <span className={shared.dim}>
                    <RevealedText text={author.name} />, <RelativeTime at={createdAt} />, {files === 1 ? "1 file" : `${files} files`}
                  </span>
                </span>
                {at === 0 ? (
                  <span className={`${shared.dim} ${classes.aside}`}>In use</span>
                ) : (
                  <Button
                    className={classes.aside}
                    size="compact-sm"
                    variant="default"
                    disabled={refusal !== null || restore.isPending}
                    onClick={() => restore.mutate(version)}
                  >
                    Restore<VisuallyHidden component="span"> version {version}</VisuallyHidden>
                  </Button>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Part>
  );
}
