"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { SandboxLine } from "@/components/nouns/sandbox/sandbox-line";
import { SecretKeyAlert } from "@/components/nouns/secret-key/secret-key-alert";
import { Activity } from "./activity";
import { CallsTile } from "./calls-tile";
import { FirstSteps, isSetUp } from "./first-steps";
import { GuardTile } from "./guard-tile";
import classes from "./overview.module.css";
import { overviewQueries } from "./queries";
import { overviewSearch } from "./search-params";
import { ServersTile } from "./servers-tile";
import { WaitingTile } from "./waiting-tile";

/** Pending approvals, the calls of a time range, and unfinished first steps. */
export function Overview({ publicUrl }: { publicUrl: string }) {
  const [{ range }] = useQueryStates(overviewSearch);
  const { data } = useQuery(overviewQueries.get(range));
  // Steps that were unfinished here stay until the page is opened again, because the last result is among them.
  const [hadSteps, setHadSteps] = useState(false);
  const hasSteps = data ? !isSetUp(data.setup) : false;
  if (hasSteps && !hadSteps) setHadSteps(true);
  const steps = data && (hasSteps || hadSteps) ? <FirstSteps setup={data.setup} publicUrl={publicUrl} /> : null;
  // Steps come first until an agent is connected; after that, people come for the activity.
  const [stepsFirst] = useState(() => !data?.setup.agentConnected);
  return (
    <>
      <SecretKeyAlert />
      <div className={classes.tiles}>
        <WaitingTile range={range} />
        <CallsTile range={range} />
        <ServersTile />
        <GuardTile />
      </div>
      <div className={classes.sandbox}>
        <SandboxLine />
      </div>
      {stepsFirst ? steps : null}
      {data && (data.calls.total > 0 || isSetUp(data.setup)) ? <Activity range={range} /> : null}
      {stepsFirst ? null : steps}
    </>
  );
}
