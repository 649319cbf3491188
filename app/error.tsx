"use client";

import { PageFailure } from "@/components/shell/page-failure";
import classes from "./not-found.module.css";

/** When even the frame of the pages cannot be drawn: most often the database does not answer. */
export default function RootError({ error }: { error: Error & { digest?: string } }) {
  return (
    <main className={classes.main}>
      <PageFailure digest={error.digest ?? null} retry={() => window.location.reload()} />
    </main>
  );
}
