"use client";

import { Button, Select, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import shared from "@/components/kit/ui/shared.module.css";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { SkillDetail } from "@/contracts/browser/skills/skills";
import { skillQueries } from "./queries";
import classes from "./skills.module.css";
import { useChangeSkill } from "./use-change-skill";

/** The files of a skill, one of them open and editable. */
export function SkillFiles({ skill, refusal }: { skill: SkillDetail; refusal: string | null }) {
  const [path, setPath] = useState("SKILL.md");
  const file = useQuery(skillQueries.file(skill.id, path, skill.version));
  return (
    <>
      <Select
        label="File"
        data={skill.fileList.map(({ path: name, bytes }) => ({ value: name, label: spellHidden(`${name} (${formatBytes(bytes)})`) }))}
        value={path}
        allowDeselect={false}
        onChange={(value) => setPath(value ?? "SKILL.md")}
      />
      <Loaded query={file} what="the file" rows={6} height={1.25}>
        {({ text }) =>
          text === null ? (
            <p className={shared.note}>This file is no text.</p>
          ) : (
            <FileText key={`${path} ${skill.version}`} skill={skill} path={path} text={text} refusal={refusal} />
          )
        }
      </Loaded>
      {skill.kind === "builtin" ? null : <NewFile skill={skill} refusal={refusal} onAdded={setPath} />}
    </>
  );
}

/** Adds an empty text to a skill, which is then edited like the others. */
function NewFile({ skill, refusal, onAdded }: { skill: SkillDetail; refusal: string | null; onAdded: (path: string) => void }) {
  const { saveFile } = useChangeSkill(skill);
  const [path, setPath] = useState("");
  const wanted = path.trim();
  const isKnown = skill.fileList.some(({ path: known }) => known === wanted);
  return (
    <form
      className={classes.bar}
      onSubmit={(event) => {
        event.preventDefault();
        saveFile.mutate(
          { path: wanted, text: "", acceptFindings: false },
          {
            onSuccess: () => {
              setPath("");
              onAdded(wanted);
            },
          },
        );
      }}
    >
      <TextInput
        {...codeInputProps}
        className={shared.field}
        label="New file"
        placeholder="references/names.md"
        maxLength={500}
        disabled={refusal !== null}
        value={path}
        error={isKnown ? "The skill has this file already." : saveFile.error ? toErrorSentence(saveFile.error) : null}
        onChange={(event) => setPath(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={saveFile.isPending} disabled={refusal !== null || wanted === "" || isKnown}>
        Add file
      </Button>
    </form>
  );
}

function FileText({ skill, path, text, refusal }: { skill: SkillDetail; path: string; text: string; refusal: string | null }) {
  const { saveFile } = useChangeSkill(skill);
  const [edited, setEdited] = useState(text);
  const isFixed = skill.kind === "builtin";
  const save = (acceptFindings: boolean) => saveFile.mutate({ path, text: edited, acceptFindings });
  return (
    <form
      className={shared.stack}
      onSubmit={(event) => {
        event.preventDefault();
        save(false);
      }}
    >
      <AutosizeTextarea
        aria-label={spellHidden(path)}
        className={classes.code}
        rows={[6, 24]}
        readOnly={isFixed || refusal !== null}
        spellCheck={false}
        value={edited}
        onChange={(event) => setEdited(event.currentTarget.value)}
      />
      {saveFile.error ? (
        <p role="alert" className={shared.errorText}>
          <RevealedText text={toErrorSentence(saveFile.error)} />
        </p>
      ) : null}
      {isFixed ? (
        <p className={shared.note}>This skill comes with Handrail and changes with it.</p>
      ) : (
        <div className={classes.bar}>
          <Button type="submit" variant="default" loading={saveFile.isPending} disabled={refusal !== null || edited === text}>
            Save file
          </Button>
          {saveFile.error ? (
            <Button variant="default" onClick={() => save(true)}>
              Save and accept findings
            </Button>
          ) : null}
        </div>
      )}
    </form>
  );
}
