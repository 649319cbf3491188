import { statfs } from "node:fs/promises";
import { blobState } from "@/server/capabilities/blobs/blob-state";
import { env } from "@/server/platform/env";
import type { Check } from "@/server/platform/extension-points/doctor-checks";

const bytesPerGigabyte = 1_073_741_824;

/** Free gigabytes below which the disk is worth a warning, and below which calls may fail. */
const free = { warning: 2, failed: 0.25 };

export const diskCheck: Check = {
  name: "Disk",
  isOffline: true,
  run: async () => {
    const folder = env().dataDir;
    const { bavail, bsize } = await statfs(folder);
    const gigabytes = (bavail * bsize) / bytesPerGigabyte;
    const sentence = `${gigabytes.toFixed(1)} GB are free where ${folder} lies.`;
    if (gigabytes >= free.warning) return [{ name: "Disk", status: "ok", sentence }];
    const status = gigabytes >= free.failed ? "warning" : "failed";
    return [{ name: "Disk", status, sentence, wayOut: "Free space there, or move HANDRAIL_DATA_DIR to a larger disk." }];
  },
};

export const artifactsCheck: Check = {
  name: "Artifacts",
  isOffline: false,
  run: async () => {
    const state = await blobState();
    if (state === "ok") return [{ name: "Artifacts", status: "ok", sentence: "The store of artifacts can be read and written." }];
    const wayOut = "Check HANDRAIL_BLOBS_DIR or the HANDRAIL_BLOBS_S3_* settings.";
    return [{ name: "Artifacts", status: "failed", sentence: `The store of artifacts cannot be used: ${state}`, wayOut }];
  },
};
