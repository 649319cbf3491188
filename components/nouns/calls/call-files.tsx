import { Anchor } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import type { ReactNode } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import shared from "@/components/kit/ui/shared.module.css";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { artifactEndpoints } from "@/contracts/browser/turns/artifacts";
import type { Call, ContentPart } from "@/contracts/turns/turns";
import classes from "./call-files.module.css";
import { ImagePreview } from "./image-preview";
import { playerOf } from "./is-playable";
import { isPreviewableImage } from "./is-previewable-image";

// Loaded on demand, because few calls make sound or films.
const MediaPlayer = dynamic(() => import("./media-player").then((file) => file.MediaPlayer), { ssr: false });

type FilesOfCall = Pick<Call, "name" | "truncated"> & { contentParts?: readonly ContentPart[] | undefined };

/** Files of a call: results that were too long, and binary content; small images are drawn. */
export function CallFiles({ call }: { call: FilesOfCall }) {
  const parts = (call.contentParts ?? []).filter((part) => part.type === "artifact");
  if (!call.truncated && parts.length === 0) return null;
  return (
    <ul className={`${shared.stackClose} ${shared.plainList}`}>
      {call.truncated ? (
        <li>
          <ArtifactLink id={call.truncated.artifactId}>
            The whole result, {call.truncated.originalChars.toLocaleString("en")} characters; the model got its start and its end
          </ArtifactLink>
        </li>
      ) : null}
      {parts.map((part) => (
        <li key={part.artifactId} className={shared.bar}>
          {isPreviewableImage(part) ? (
            <ImagePreview id={part.artifactId} mediaType={part.mediaType} size={part.image ?? null} of={call.name} />
          ) : null}
          <PlayedFile part={part} of={call.name} />
          <span className={shared.lines}>
            <ArtifactLink id={part.artifactId}>
              {part.mediaType}, {formatBytes(part.bytes)}
            </ArtifactLink>
            <ImageSize part={part} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function PlayedFile({ part, of }: { part: Extract<ContentPart, { type: "artifact" }>; of: string }) {
  const player = playerOf(part);
  return player ? <MediaPlayer id={part.artifactId} mediaType={part.mediaType} player={player} of={of} /> : null;
}

function ImageSize({ part }: { part: Extract<ContentPart, { type: "artifact" }> }) {
  if (!part.image) return null;
  const { width, height, tokens } = part.image;
  return (
    <span className={shared.small} data-numeric>
      {width} × {height} pixels, about {tokens.toLocaleString("en")} {tokens === 1 ? "token" : "tokens"} for a model
    </span>
  );
}

export function ArtifactLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Anchor href={endpointAddress(artifactEndpoints.get, { params: { id } })} download size="sm" className={classes.link}>
      <IconDownload size={15} aria-hidden className={classes.icon} />
      <span>{children}</span>
    </Anchor>
  );
}
