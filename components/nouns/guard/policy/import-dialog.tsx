"use client";

import { Alert, Button, FileInput, Group, Modal, SegmentedControl, Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import shared from "@/components/kit/ui/shared.module.css";
import { Busy } from "@/components/kit/ui/states/busy";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { guardFormats } from "@/contracts/browser/guard/guard";
import { type ImportMode, type ImportResult, policyEndpoints } from "@/contracts/browser/guard/policy";
import { Json } from "@/contracts/common";
import { GuardSettings } from "@/contracts/guard/guard";
import { guardQueries } from "../queries";
import { useImportRules } from "../use-change-guard";
import classes from "./import-dialog.module.css";
import { PolicyDiffList } from "./policy-diff-list";
import { FlippedCalls, SimulationSummary } from "./simulation-summary";

const RuleFile = z.object({ schema: z.enum(guardFormats), rules: z.array(Json), settings: GuardSettings.optional() });
type RuleFile = z.infer<typeof RuleFile>;

const modes: { value: ImportMode; label: string }[] = [
  { value: "merge", label: "Add and change" },
  { value: "replace", label: "Replace all rules" },
];

/** Imports rules and settings from a file, completely or not at all, after showing the changes and their effect. */
export function ImportDialog({ policyVersion, onClose }: { policyVersion: number; onClose: () => void }) {
  const [file, setFile] = useState<RuleFile | null>(null);
  const [mistake, setMistake] = useState<string | null>(null);
  const [mode, setMode] = useState<ImportMode>("merge");
  const importing = useImportRules();
  const body = file && { ...file, mode };
  const look = useQuery({
    queryKey: [...guardQueries.all(), "import", body],
    queryFn: ({ signal }) => call(policyEndpoints.importRules, { body: { ...(body ?? emptyFile), dryRun: true } }, { signal }),
    enabled: body !== null,
    gcTime: 0,
  });
  const result = body ? look.data : undefined;
  const changes = result ? result.inserted + result.updated + result.removed + result.diff.settings.length : 0;
  const isUsable = result !== undefined && result.errors.length === 0 && changes > 0;
  const simulation = useQuery(
    guardQueries.simulation(
      body && isUsable ? { kind: "import", rules: body.rules, mode, ...(body.settings ? { settings: body.settings } : {}) } : null,
    ),
  );

  const take = async (chosen: File | null) => {
    importing.reset();
    const read = chosen ? await readRules(chosen) : null;
    setFile(read && "rules" in read ? read : null);
    setMistake(read && "mistake" in read ? read.mistake : null);
  };
  const submit = () => {
    if (!body) return;
    // Sends the policy version that the person reviewed: a newer policy has to be reviewed again.
    importing.mutate({ body, policyVersion: result?.policyVersion ?? policyVersion }, { onSuccess: onClose });
  };

  return (
    <Modal opened onClose={onClose} title="Import guard" size="lg">
      <Stack gap="md">
        <FileInput
          label="File"
          description="An exported guard: rules and settings, JSON"
          placeholder="Choose a file"
          accept="application/json,.json"
          clearable
          clearButtonProps={{ "aria-label": "Remove the file" }}
          error={mistake}
          onChange={(chosen) => void take(chosen)}
        />
        <SegmentedControl
          fullWidth
          aria-label="Existing rules"
          data={modes}
          value={mode}
          onChange={(value) => setMode(value === "replace" ? "replace" : "merge")}
        />
        {body && look.isPending ? <Busy what="Reading the file" size={22} /> : null}
        {look.error && body ? (
          <p className={shared.errorText} role="alert">
            {toErrorSentence(look.error)}
          </p>
        ) : null}
        {result ? <Look result={result} /> : null}
        {isUsable && simulation.data ? (
          <>
            <SimulationSummary sum={simulation.data} />
            <FlippedCalls sum={simulation.data} />
          </>
        ) : null}
        {importing.error ? (
          <p className={shared.errorText} role="alert">
            {toErrorSentence(importing.error)}
          </p>
        ) : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={submit} loading={importing.isPending} disabled={!isUsable}>
            Import
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Look({ result }: { result: ImportResult }) {
  const { inserted, updated, removed, skipped, errors, warnings, diff } = result;
  if (errors.length > 0) {
    return (
      <div role="alert">
        <p className={shared.errorText}>
          {errors.length === 1 ? "1 error" : `${errors.length} errors`} in the file. Nothing can be imported:
        </p>
        <ul className={classes.errors}>
          {errors.map(({ row, name, path, message }) => (
            <li key={`${row} ${path} ${message}`}>
              Rule {row + 1}
              {name ? <RevealedText text={` (${name})`} /> : ""}
              {path ? <RevealedText text={`, ${path}`} /> : ""}: <RevealedText text={message} />
            </li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <>
      <p className={shared.paragraph}>
        {inserted} added, {updated} changed, {removed} removed, {skipped} unchanged
        {diff.settings.length > 0 ? `, ${diff.settings.length} settings changed` : ""}.
      </p>
      {warnings.length > 0 ? (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={16} aria-hidden />} role="status" title="Before you import">
          <ul className={classes.warnings}>
            {warnings.map(({ row, name, warning }) => (
              <li key={`${row} ${warning.kind}`}>
                Rule {row + 1}
                {name ? (
                  <>
                    {" "}
                    (<RevealedText text={name} />)
                  </>
                ) : null}
                : <RevealedText text={warning.message} />
              </li>
            ))}
          </ul>
        </Alert>
      ) : null}
      {diff.total > 0 || diff.settings.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={classes.diff} aria-label="Changes of the import" tabIndex={0}>
          <PolicyDiffList diff={diff} />
        </section>
      ) : null}
    </>
  );
}

const emptyFile = { schema: guardFormats[0], rules: [] };

async function readRules(file: File): Promise<RuleFile | { mistake: string }> {
  try {
    const parsed = RuleFile.safeParse(JSON.parse(await file.text()));
    return parsed.success
      ? parsed.data
      : { mistake: `This is not an exported guard: it needs "schema": "${guardFormats[0]}" and a list "rules"` };
  } catch {
    return { mistake: "This file is not JSON" };
  }
}
