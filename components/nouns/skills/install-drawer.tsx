"use client";

import { Button, Checkbox, FileButton, SegmentedControl, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconFileZip } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readProblem } from "@/components/kit/api/api-problem";
import { call } from "@/components/kit/api/call";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { DrawerFrame } from "@/components/kit/ui/overlays/drawer-frame";
import shared from "@/components/kit/ui/shared.module.css";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { maxPackageBytes, type Skill, type SkillPreview, type SkillSource, skillEndpoints } from "@/contracts/browser/skills/skills";
import { Findings } from "./findings";
import { skillQueries } from "./queries";
import { needsConsent, stateWords } from "./skill-words";
import classes from "./skills.module.css";

type Kind = "zip" | "text" | "address" | "folder";
type Given = { file: File } | { source: SkillSource };
type Previewed = { given: Given; items: SkillPreview[]; notes: string[] };

const sendZip = async <Body,>(address: string, file: File): Promise<Body> => {
  if (file.size > maxPackageBytes) throw new RangeError("The zip is larger than 50 MiB. Leave out what is no skill.");
  const response = await fetch(address, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": "application/zip", accept: "application/json" },
    body: file,
  });
  if (!response.ok) throw await readProblem(response);
  return (await response.json()) as Body;
};

/** Installs skills: a package is chosen, its scan is shown, and a person decides. */
export function InstallDrawer({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind>("zip");
  const [text, setText] = useState("");
  const preview = useMutation({
    mutationFn: async (given: Given): Promise<Previewed> => {
      const found =
        "file" in given
          ? await sendZip<Omit<Previewed, "given">>(endpointAddress(skillEndpoints.previewZip), given.file)
          : await call(skillEndpoints.preview, { body: { source: given.source } });
      return { given, ...found };
    },
  });
  const sourceOf = (): SkillSource =>
    kind === "text"
      ? { type: "text", text }
      : kind === "folder"
        ? { type: "folder", path: text.trim() }
        : { type: "address", url: text.trim() };
  return (
    <DrawerFrame opened onClose={onClose} size="48rem" title="Install skill" holds="story">
      <div className={shared.story}>
        <SegmentedControl
          aria-label="Where the skill comes from"
          data={[
            { value: "zip", label: "Zip" },
            { value: "text", label: "SKILL.md" },
            { value: "address", label: "Repository" },
            { value: "folder", label: "Folder" },
          ]}
          value={kind}
          onChange={(value) => {
            setKind(value as Kind);
            preview.reset();
          }}
        />
        {kind === "zip" ? (
          <FileButton accept=".zip,application/zip" onChange={(file) => file && preview.mutate({ file })}>
            {(button) => (
              <Button variant="default" leftSection={<IconFileZip size={16} aria-hidden />} loading={preview.isPending} {...button}>
                Choose zip
              </Button>
            )}
          </FileButton>
        ) : (
          <form
            className={shared.stack}
            onSubmit={(event) => {
              event.preventDefault();
              preview.mutate({ source: sourceOf() });
            }}
          >
            {kind === "text" ? (
              <AutosizeTextarea
                label="SKILL.md"
                className={classes.code}
                rows={[8, 20]}
                placeholder={"---\nname: my-skill\ndescription: What it does and when to use it.\n---\n"}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            ) : (
              <TextInput
                {...codeInputProps}
                label={kind === "folder" ? "Folder of this machine" : "Address"}
                description={
                  kind === "folder"
                    ? "Only owners install from a folder."
                    : "A repository or one of its folders, at GitHub, GitLab, Codeberg or Gitea, or a zip."
                }
                placeholder={kind === "folder" ? "/srv/skills" : "https://github.com/owner/name"}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            )}
            <div>
              <Button type="submit" variant="default" loading={preview.isPending} disabled={text.trim() === ""}>
                Scan
              </Button>
            </div>
          </form>
        )}
        {preview.error ? (
          <p role="alert" className={shared.errorText}>
            <RevealedText text={toErrorSentence(preview.error)} />
          </p>
        ) : null}
        {preview.data ? <Chosen key={preview.submittedAt} previewed={preview.data} onDone={onClose} /> : null}
      </div>
    </DrawerFrame>
  );
}

function Chosen({ previewed: { given, items, notes }, onDone }: { previewed: Previewed; onDone: () => void }) {
  const client = useQueryClient();
  const [folders, setFolders] = useState(() => items.map(({ folder }) => folder));
  const [acceptFindings, setAcceptFindings] = useState(false);
  const chosen = items.filter(({ folder }) => folders.includes(folder));
  const replaces = chosen.some(({ replaces: before }) => before !== null);
  const asks = chosen.some(needsConsent);
  const install = useMutation({
    mutationFn: (): Promise<{ items: Skill[] }> =>
      "file" in given
        ? sendZip(
            endpointAddress(skillEndpoints.installZip, {
              query: { folders: folders.join(","), acceptFindings: `${acceptFindings}`, replace: `${replaces}`, name: given.file.name },
            }),
            given.file,
          )
        : call(skillEndpoints.install, { body: { source: given.source, folders, acceptFindings, replace: replaces } }),
    onSuccess: async ({ items: installed }) => {
      notifications.show({ message: spellHidden(`${installed.map(({ name }) => name).join(", ")} installed`) });
      await client.invalidateQueries({ queryKey: skillQueries.all() });
      onDone();
    },
  });
  return (
    <section className={shared.stack} aria-label="Found skills">
      {notes.map((note) => (
        <p key={note} className={shared.errorText}>
          <RevealedText text={note} />
        </p>
      ))}
      {items.map((item) => (
        <Preview
          key={item.folder}
          item={item}
          isChosen={folders.includes(item.folder)}
          onChoose={(isChosen) => setFolders(isChosen ? [...folders, item.folder] : folders.filter((folder) => folder !== item.folder))}
        />
      ))}
      {asks ? (
        <Checkbox
          label="I have looked at what the scan found, and it is meant to be so."
          checked={acceptFindings}
          onChange={(event) => setAcceptFindings(event.currentTarget.checked)}
        />
      ) : null}
      {install.error ? (
        <p role="alert" className={shared.errorText}>
          <RevealedText text={toErrorSentence(install.error)} />
        </p>
      ) : null}
      <div>
        <Button onClick={() => install.mutate()} loading={install.isPending} disabled={chosen.length === 0 || (asks && !acceptFindings)}>
          {replaces ? "Install and replace" : chosen.length === 1 ? "Install" : `Install ${chosen.length} skills`}
        </Button>
      </div>
    </section>
  );
}

function Preview({ item, isChosen, onChoose }: { item: SkillPreview; isChosen: boolean; onChoose: (isChosen: boolean) => void }) {
  const { word, tone } = stateWords[item.state];
  return (
    <article className={`${classes.preview} ${shared.framed}`}>
      <div className={classes.head}>
        <Checkbox label={spellHidden(item.name)} checked={isChosen} onChange={(event) => onChoose(event.currentTarget.checked)} />
        <StatusBadge tone={tone}>{word}</StatusBadge>
        {item.replaces === null ? null : <StatusBadge tone="ask">Replaces the installed one</StatusBadge>}
      </div>
      <p className={shared.paragraph}>
        <RevealedText text={item.description} />
      </p>
      {item.stateReason === "" ? null : (
        <p className={shared.note}>
          <RevealedText text={item.stateReason} />
        </p>
      )}
      <p className={shared.small}>
        <RevealedText text={`${item.fileList.length} files: ${item.fileList.map(({ path }) => path).join(", ")}`} />
      </p>
      <Findings findings={item.findings} />
    </article>
  );
}
