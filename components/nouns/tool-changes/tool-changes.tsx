"use client";

import { Button } from "@mantine/core";
import { IconShieldQuestion } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { RiskMark } from "@/components/kit/ui/badges/risk-mark";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import type { ToolChange } from "@/contracts/tools/tool-changes";
import { changedName, isOfInstructions } from "./changed-name";
import { toolChangeQueries } from "./queries";
import classes from "./tool-changes.module.css";

// Loaded when a change is opened, because most visits of the inbox meet none.
const ToolChangeCard = dynamic(() => import("./tool-change-card").then((file) => file.ToolChangeCard), { ssr: false });

/** Rows drawn before the person asks for the rest. */
const rowsAtFirst = 5;

/** Tool changes that wait for a person, above the approvals. Shows nothing when there is none. */
export function ToolChanges() {
  const { data, error, refetch, isRefetching } = useQuery(toolChangeQueries.pending());
  const [openId, setOpenId] = useState<string | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  if (error && !data) return <ErrorState error={error} what="the tool changes" retry={() => void refetch()} retrying={isRefetching} />;
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  const total = data?.total ?? items.length;
  const shown = showsAll ? items : items.slice(0, rowsAtFirst);
  return (
    <section className={classes.changes} aria-labelledby="tool-changes-heading">
      <h2 className={classes.title} id="tool-changes-heading">
        <IconShieldQuestion size={18} aria-hidden />
        Changed tools ({total.toLocaleString("en")})
      </h2>
      <ul className={`${classes.list} ${shared.surface}`}>
        {shown.map((change) => (
          <ChangeRow
            key={change.id}
            change={change}
            isOpen={change.id === openId}
            onToggle={() => setOpenId(change.id === openId ? null : change.id)}
          />
        ))}
      </ul>
      {items.length > shown.length ? (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setShowsAll(true)}>
          Show {items.length - shown.length} more
        </Button>
      ) : null}
    </section>
  );
}

function ChangeRow({ change, isOpen, onToggle }: { change: ToolChange; isOpen: boolean; onToggle: () => void }) {
  return (
    <li>
      <button type="button" className={classes.row} aria-expanded={isOpen} onClick={onToggle}>
        <span className={`${classes.rowName} ${shared.mono}`}>{changedName(change)}</span>
        <RiskMark risk={change.risk} />
        <span className={classes.rowWhat}>{whatChanged(change)}</span>
        <span className={classes.rowAct}>{isOpen ? "Hide" : "Review"}</span>
      </button>
      {isOpen ? <ToolChangeCard change={change} /> : null}
    </li>
  );
}

function whatChanged(change: ToolChange): string {
  const { kind, parts, renamedFrom } = change;
  if (kind === "flagged") return "new, with suspicious words";
  if (kind === "renamed") return `new, like ${renamedFrom ?? "another tool"}`;
  if (isOfInstructions(change)) return "changed";
  const words = parts.map((part) => (part === "annotations" ? "hints" : part === "outputSchema" ? "output schema" : part));
  return `changed: ${words.join(", ") || "hidden characters"}`;
}
