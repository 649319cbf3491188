"use client";

import { useEffect, useState } from "react";
import { addressOf } from "@/components/api/address-of";
import { artifactEndpoints } from "@/contracts/artifacts";
import classes from "./call-files.module.css";

type ImagePreviewProps = {
  id: string;
  /** One of those that `mayBeDrawn` lets through. */
  mediaType: string;
  size: { width: number; height: number } | null;
  /** The tool that made it. */
  of: string;
};

/**
 * A small picture of an artifact. Its bytes come as a download, with the session, and are drawn from memory under the type
 * that we checked: whatever they are, they stay an image.
 */
export function ImagePreview({ id, mediaType, size, of }: ImagePreviewProps) {
  const [source, setSource] = useState<string | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    let made: string | null = null;
    const draw = async () => {
      const response = await fetch(addressOf(artifactEndpoints.get, { params: { id } }), {
        credentials: "same-origin",
        signal: gone.signal,
      });
      if (!response.ok) throw new Error(`the artifact answered ${response.status}`);
      const bytes = await response.arrayBuffer();
      if (gone.signal.aborted) return;
      made = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
      setSource(made);
    };
    draw().catch(() => {
      if (!gone.signal.aborted) setIsBroken(true);
    });
    return () => {
      gone.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [id, mediaType]);
  return (
    <span className={classes.frame}>
      {isBroken ? (
        "Cannot be drawn"
      ) : source ? (
        // biome-ignore lint/performance/noImgElement: the bytes are in memory, and no server of ours may touch them
        <img
          src={source}
          alt={`Returned by ${of}${size ? `, ${size.width} by ${size.height} pixels` : ""}`}
          onError={() => setIsBroken(true)}
        />
      ) : null}
    </span>
  );
}
