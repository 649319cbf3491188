"use client";

import { CallsTile } from "./calls-tile";
import { FirstSteps } from "./first-steps";
import { GuardTile } from "./guard-tile";
import classes from "./overview.module.css";
import { ServersTile } from "./servers-tile";
import { WaitingTile } from "./waiting-tile";

/** What needs a person now, and how the day goes. */
export function Overview({ publicUrl }: { publicUrl: string }) {
  return (
    <>
      <div className={classes.tiles}>
        <WaitingTile />
        <CallsTile />
        <ServersTile />
        <GuardTile />
      </div>
      <FirstSteps publicUrl={publicUrl} />
    </>
  );
}
