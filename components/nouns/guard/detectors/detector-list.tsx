"use client";

import { TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { offerUndo } from "@/components/kit/ui/overlays/offer-undo";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { useSandboxOn } from "@/components/nouns/sandbox/use-sandbox-on";
import type { DetectorSetting, GuardConfig, GuardDetector } from "@/contracts/guard/guard";
import type { Tool } from "@/contracts/tools/tools";
import { GuardLists } from "../guard-lists";
import { guardQueries } from "../queries";
import { toDetectorFamilies } from "./detector-families";
import classes from "./detector-list.module.css";
import { DetectorRow } from "./detector-row";
import { useChangeDetector } from "./use-change-detector";

/** The detectors, their settings in this workspace, and the lists that belong to them. */
export function DetectorList({ config, tools }: { config: GuardConfig; tools: readonly Tool[] }) {
  const refusal = useRefusal("guard:write");
  const { data, error, refetch, isRefetching } = useQuery(guardQueries.detectors());
  const { mutate, mutateAsync } = useChangeDetector();
  const isSandboxOn = useSandboxOn();
  const [search, setSearch] = useState("");

  const change = async (detector: GuardDetector, setting: DetectorSetting) => {
    const { enabled, verdict, ownVerdict } = detector;
    const before = { enabled, ...(verdict === ownVerdict ? {} : { verdict }) };
    const saved = await mutateAsync({ detector, setting });
    offerUndo(`${detector.title} changed`, () => mutate({ detector: saved, setting: before }));
  };

  if (!data && error) return <ErrorState error={error} what="the detectors" retry={refetch} retrying={isRefetching} />;
  if (!data) return <RowSkeletons rows={6} height={4.5} what="the detectors" />;
  const families = toDetectorFamilies(data.items, search);
  return (
    <>
      <GuardLists config={config} tools={tools} refusal={refusal} />
      <p className={`${shared.note} ${shared.above} ${shared.prose}`}>
        Detectors note dangers for the approver. The stricter of detectors and the first matching rule applies. Irreversible actions are
        always denied: no rule, approval or setting can allow them.
        {isSandboxOn ? " The sandbox confines programs, so findings marked “In the sandbox: note only” never ask or deny there." : null}
      </p>
      <TextInput
        className={classes.search}
        aria-label="Find a detector"
        placeholder="Find a detector"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      {families.length === 0 ? <p className={`${shared.note} ${shared.above} ${shared.prose}`}>No matching detectors.</p> : null}
      {families.map(({ heading, detectors }) => (
        <section key={heading} aria-label={heading}>
          <h2 className={classes.heading}>{heading}</h2>
          <ul className={rows.rows} aria-label={`Detectors: ${heading}`}>
            {detectors.map((detector) => (
              <DetectorRow
                key={detector.id}
                detector={detector}
                refusal={refusal}
                onChange={(setting) => {
                  // The mutation itself notifies about errors.
                  change(detector, setting).catch(() => undefined);
                }}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
