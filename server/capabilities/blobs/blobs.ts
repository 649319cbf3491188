import "server-only";
import { env } from "@/server/platform/env";
import { processWide } from "@/server/platform/process-wide";
import type { Blobs } from "./blob-store";
import { localBlobs } from "./local-blobs";
import { s3Blobs } from "./s3-blobs";

/** Returns the blob store of this installation. */
export const blobs = (): Blobs =>
  processWide("blobs", () => {
    const settings = env().blobs;
    return settings.kind === "s3" ? s3Blobs(settings) : localBlobs(settings.folder);
  });
