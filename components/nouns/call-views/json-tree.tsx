"use client";

import { useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Json } from "@/contracts/common";
import classes from "./json-tree.module.css";
import { ScrollFigure } from "./scroll-figure";

/** Levels that start unfolded. */
const openLevels = 2;
const entriesAtFirst = 50;

/** A JSON value as a tree with foldable branches. */
export default function JsonTree({ label, value }: { label: string; value: Json }) {
  return (
    <ScrollFigure label={label} className={classes.scroll}>
      <Node name={null} value={value} level={0} />
    </ScrollFigure>
  );
}

function Node({ name, value, level }: { name: string | null; value: Json; level: number }) {
  const [isWhole, setIsWhole] = useState(false);
  if (value === null || typeof value !== "object") {
    return (
      <div className={classes.leaf}>
        <Name name={name} />
        <span data-type={value === null ? "null" : typeof value} className={classes.value}>
          <RevealedText text={JSON.stringify(value)} />
        </span>
      </div>
    );
  }
  const entries: [string, Json][] = Array.isArray(value) ? value.map((item, place) => [String(place), item]) : Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (entries.length === 0) {
    return (
      <div className={classes.leaf}>
        <Name name={name} />
        <span className={shared.dim}>{Array.isArray(value) ? "[]" : "{}"}</span>
      </div>
    );
  }
  return (
    <details open={level < openLevels} className={classes.branch}>
      <summary>
        <Name name={name} />
        <span className={shared.dim}>{size}</span>
      </summary>
      <div className={classes.inner}>
        {(isWhole ? entries : entries.slice(0, entriesAtFirst)).map(([key, item]) => (
          <Node key={key} name={key} value={item} level={level + 1} />
        ))}
        {entries.length > entriesAtFirst && !isWhole ? (
          <button type="button" className={classes.more} onClick={() => setIsWhole(true)}>
            Show all {entries.length.toLocaleString("en")}
          </button>
        ) : null}
      </div>
    </details>
  );
}

function Name({ name }: { name: string | null }) {
  if (name === null) return null;
  return (
    <span className={classes.name}>
      <RevealedText text={name} />:{" "}
    </span>
  );
}
