import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";

/** One part of a resource: text, or bytes with their media type. */
export type ResourcePart = { uri: string; mimeType: string | null } & ({ text: string } | { bytes: Buffer });

const Part = z.union([
  z.object({ uri: z.string().catch(""), mimeType: z.string().optional().catch(undefined), text: z.string() }),
  z.object({ uri: z.string().catch(""), mimeType: z.string().optional().catch(undefined), blob: z.string() }),
]);
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
    const mimeType = data.mimeType ?? null;
    return "text" in data
      ? [{ uri: data.uri, mimeType, text: data.text }]
      : [{ uri: data.uri, mimeType, bytes: Buffer.from(data.blob, "base64") }];
  });
}
