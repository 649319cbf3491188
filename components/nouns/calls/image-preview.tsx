"use client";

import { useEffect, useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { artifactEndpoints } from "@/contracts/browser/turns/artifacts";
import classes from "./call-files.module.css";

type ImagePreviewProps = {
  id: string;
  /** A media type that `isPreviewableImage` accepts. */
  mediaType: string;
  size: { width: number; height: number } | null;
  /** Name of the tool that made the image. */
  of: string;
};

/**
 * A small picture of an artifact. The bytes are downloaded with the session and drawn from memory under the checked
 * media type, so the browser treats them as an image whatever they contain.
 */
export function ImagePreview({ id, mediaType, size, of }: ImagePreviewProps) {
  const [source, setSource] = useState<string | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    const gone = new AbortController();
    let made: string | null = null;
    const draw = async () => {
      const response = await fetch(endpointAddress(artifactEndpoints.get, { params: { id } }), {
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
