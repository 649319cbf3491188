import type { ReactNode } from "react";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { Brand } from "@/components/pages/frame/brand";
import classes from "./entrance.module.css";

/** The page around the forms for people who are not signed in. */
export function Entrance({ title, about, children }: { title: string; about?: string; children?: ReactNode }) {
  return (
    <main className={classes.main}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <Brand />
        </div>
        <h1 className={classes.title}>
          <RevealedText text={title} />
        </h1>
        {about ? <p className={classes.about}>{about}</p> : null}
        {children}
      </div>
    </main>
  );
}
