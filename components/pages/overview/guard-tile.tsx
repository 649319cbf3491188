"use client";

import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { policyWords } from "@/components/nouns/guard/policy-words";
import { guardQueries } from "@/components/nouns/guard/queries";
import { useSandboxOn } from "@/components/nouns/sandbox/use-sandbox-on";
import classes from "./overview.module.css";
import { Tile } from "./tile";

/** State of the guard: the switch, the number of rules, and the default policy. */
export function GuardTile() {
  const isSandboxOn = useSandboxOn();
  const config = useQuery(guardQueries.config());
  const rules = useQuery(guardQueries.rules());
  const inUse = rules.data?.filter(({ enabled }) => enabled).length ?? 0;
  const error = config.data && rules.data ? null : (config.error ?? rules.error);
  return (
    <Tile
      title="Guard"
      icon={IconShieldCheck}
      href="/guard"
      urgent={config.data?.enabled === false}
      error={error}
      loading={config.isPending || rules.isPending}
    >
      {config.data ? (
        <>
          <p className={classes.number}>
            {inUse} <span className={classes.unit}>{inUse === 1 ? "rule" : "rules"}</span>
          </p>
          <p className={`${classes.line} ${shared.spread}`}>
            {config.data.enabled ? <StatusBadge tone="allow">On</StatusBadge> : <StatusBadge tone="deny">Off: every call runs</StatusBadge>}
          </p>
          <p className={`${classes.dim} ${shared.note} ${shared.wraps}`}>
            Default: {policyWords(config.data.defaultPolicy, isSandboxOn).label.toLowerCase()}.
          </p>
        </>
      ) : null}
    </Tile>
  );
}
