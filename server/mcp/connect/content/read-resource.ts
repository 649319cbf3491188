import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { passedMeta } from "./passed-meta";

/** One part of a resource: text, or bytes with their media type. */
export type ResourcePart = { uri: string; mimeType: string | null; meta?: JsonObject } & ({ text: string } | { bytes: Buffer });

const about = { uri: z.string().catch(""), mimeType: z.string().optional().catch(undefined), _meta: z.unknown().optional() };
const Part = z.union([z.object({ ...about, text: z.string() }), z.object({ ...about, blob: z.string() })]);
const Answer = z.looseObject({ contents: z.array(z.unknown()) });

/** Reads a resource. Parts that are neither text nor bytes are left out. */
export async function readResource(
  client: Client,
  uri: string,
  options: { signal: AbortSignal; timeout: number },
): Promise<ResourcePart[]> {
  const { contents } = await client.request({ method: "resources/read", params: { uri } }, Answer, options);
  return contents.flatMap((content): ResourcePart[] => {
    const { success, data } = Part.safeParse(content);
    if (!success) return [];
    const meta = passedMeta(data._meta);
    const part = { uri: data.uri, mimeType: data.mimeType ?? null, ...(meta ? { meta } : {}) };
    return "text" in data ? [{ ...part, text: data.text }] : [{ ...part, bytes: Buffer.from(data.blob, "base64") }];
  });
}
