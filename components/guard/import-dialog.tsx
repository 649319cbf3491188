"use client";

import { Button, FileInput, Group, Modal, SegmentedControl, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { z } from "zod";
import { call } from "@/components/api/call";
import { sentenceOf } from "@/components/api/sentence-of";
import { Busy } from "@/components/ui/busy";
import { Json } from "@/contracts/common";
import { ruleFormats } from "@/contracts/guard";
import { type ImportMode, type ImportResult, policyEndpoints } from "@/contracts/policy";
import classes from "./import-dialog.module.css";
import { PolicyDiffList } from "./policy-diff-list";
import { guardQueries } from "./queries";
import { FlippedCalls, SimulationSummary } from "./simulation-summary";
import { useImportRules } from "./use-change-guard";

const RuleFile = z.object({ schema: z.enum(ruleFormats), rules: z.array(Json).min(1) });
type RuleFile = z.infer<typeof RuleFile>;

const modes: { value: ImportMode; label: string }[] = [
  { value: "merge", label: "Add and change" },
  { value: "replace", label: "Replace all rules" },
];

/** Takes a file of rules, shows what importing it would change and do, and imports it: all of it or nothing. */
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
  const changes = result ? result.inserted + result.updated + result.removed : 0;
  const isUsable = result !== undefined && result.errors.length === 0 && changes > 0;
  const simulation = useQuery(guardQueries.simulation(body && isUsable ? { kind: "import", rules: body.rules, mode } : null));

  const take = async (chosen: File | null) => {
    importing.reset();
    const read = chosen ? await readRules(chosen) : null;
    setFile(read && "rules" in read ? read : null);
    setMistake(read && "mistake" in read ? read.mistake : null);
  };
  const submit = () => {
    if (!body) return;
    // What was looked at is what is imported: a policy that changed since then is looked at again.
    importing.mutate({ body, policyVersion: result?.policyVersion ?? policyVersion }, { onSuccess: onClose });
  };

  return (
    <Modal opened onClose={onClose} title="Import rules" size="lg">
      <Stack gap="md">
        <FileInput
          label="File"
          description="Rules as they are exported, in JSON"
          placeholder="Choose a file"
          accept="application/json,.json"
          clearable
          clearButtonProps={{ "aria-label": "Take the file away" }}
          error={mistake}
          onChange={(chosen) => void take(chosen)}
        />
        <SegmentedControl
          fullWidth
          aria-label="What happens to the rules that are there"
          data={modes}
          value={mode}
          onChange={(value) => setMode(value === "replace" ? "replace" : "merge")}
        />
        {body && look.isPending ? <Busy what="Looking at the file" size={22} /> : null}
        {look.error && body ? (
          <p className={classes.error} role="alert">
            {sentenceOf(look.error)}
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
          <p className={classes.error} role="alert">
            {sentenceOf(importing.error)}
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
  const { inserted, updated, removed, skipped, errors, diff } = result;
  if (errors.length > 0) {
    return (
      <div role="alert">
        <p className={classes.error}>
          {errors.length === 1 ? "There is a mistake" : `There are ${errors.length} mistakes`} in the file, so nothing of it can be
          imported:
        </p>
        <ul className={classes.errors}>
          {errors.map(({ row, name, path, message }) => (
            <li key={`${row} ${path} ${message}`}>
              Rule {row + 1}
              {name ? ` (${name})` : ""}
              {path ? `, ${path}` : ""}: {message}
            </li>
          ))}
        </ul>
      </div>
    );
  }
  return (
    <>
      <p className={classes.part}>
        {inserted} added, {updated} changed, {removed} removed, {skipped} as they are.
      </p>
      {diff.total > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={classes.diff} aria-label="What the import changes" tabIndex={0}>
          <PolicyDiffList diff={diff} />
        </section>
      ) : null}
    </>
  );
}

const emptyFile = { schema: ruleFormats[0], rules: [] };

async function readRules(file: File): Promise<RuleFile | { mistake: string }> {
  try {
    const parsed = RuleFile.safeParse(JSON.parse(await file.text()));
    return parsed.success
      ? parsed.data
      : { mistake: `This is not a file of rules: it needs "schema": "${ruleFormats[0]}" and a list "rules"` };
  } catch {
    return { mistake: "This file is not JSON" };
  }
}
