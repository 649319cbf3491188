"use client";

import { type ComponentType, useEffect, useState } from "react";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./markdown.module.css";

type Drawing = ComponentType<{ text: string }>;

/** The Markdown view once it was loaded; kept, so that later answers are drawn at once. */
let loaded: Drawing | null = null;

export const loadMarkdown = async (): Promise<Drawing> => {
  loaded ??= (await import("./markdown")).Markdown;
  return loaded;
};

/** A model's text as Markdown; plain until the view is loaded, because the parser is loaded after the page. */
export function AnswerText({ text }: { text: string }) {
  const [Markdown, setMarkdown] = useState<Drawing | null>(null);
  useEffect(() => {
    let isGone = false;
    // Without the view the answer stays readable as it was written.
    loadMarkdown().then(
      (view) => !isGone && setMarkdown(() => view),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  return Markdown ? (
    <Markdown text={text} />
  ) : (
    <p className={classes.plain}>
      <RevealedText text={text} />
    </p>
  );
}
