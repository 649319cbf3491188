import { Anchor } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { addressOf } from "@/components/api/address-of";
import { artifactEndpoints } from "@/contracts/artifacts";
import type { Call, ContentPart } from "@/contracts/turns";
import classes from "./call-files.module.css";
import { ImagePreview } from "./image-preview";
import { inBytes } from "./in-bytes";
import { mayBeDrawn } from "./may-be-drawn";

/** What did not fit into the result, and what was never text; images small enough are drawn. */
export function CallFiles({ call }: { call: Pick<Call, "name" | "truncated" | "contentParts"> }) {
  const parts = (call.contentParts ?? []).filter((part) => part.type === "artifact");
  if (!call.truncated && parts.length === 0) return null;
  return (
    <ul className={classes.files}>
      {call.truncated ? (
        <li>
          <ArtifactLink id={call.truncated.artifactId}>
            The whole result, {call.truncated.originalChars.toLocaleString("en")} characters; the model got its start and its end
          </ArtifactLink>
        </li>
      ) : null}
      {parts.map((part) => (
        <li key={part.artifactId} className={classes.file}>
          {mayBeDrawn(part) ? (
            <ImagePreview id={part.artifactId} mediaType={part.mediaType} size={part.image ?? null} of={call.name} />
          ) : null}
          <span className={classes.words}>
            <ArtifactLink id={part.artifactId}>
              {part.mediaType}, {inBytes(part.bytes)}
            </ArtifactLink>
            <ImageSize part={part} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function ImageSize({ part }: { part: Extract<ContentPart, { type: "artifact" }> }) {
  if (!part.image) return null;
  const { width, height, tokens } = part.image;
  return (
    <span className={classes.size} data-numeric>
      {width} × {height} pixels, about {tokens.toLocaleString("en")} {tokens === 1 ? "token" : "tokens"} for a model
    </span>
  );
}

export function ArtifactLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Anchor href={addressOf(artifactEndpoints.get, { params: { id } })} download size="sm" className={classes.link}>
      <IconDownload size={15} aria-hidden className={classes.icon} />
      <span>{children}</span>
    </Anchor>
  );
}
