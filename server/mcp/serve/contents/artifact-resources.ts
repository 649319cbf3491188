import "server-only";
import { ProtocolError, ProtocolErrorCode, type ReadResourceResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { requirePermission } from "@/server/auth/actor";
import { readArtifact } from "@/server/conversations/artifacts";
import { isAppError } from "@/server/platform/errors";
import type { McpClient } from "../client/mcp-client";

const prefix = "handrail://artifacts/";
/** A client reads a resource as a whole, in memory. */
const maxBytes = 8_388_608;

export const artifactUri = (artifactId: string): string => `${prefix}${artifactId}`;

export const isArtifact = (uri: string): boolean => uri.startsWith(prefix);

export const artifactTemplate = {
  uriTemplate: `${prefix}{id}`,
  name: "artifact",
  title: "Artifact",
  description: "A file that a tool call produced. Results link to their artifacts.",
};

/** Reads an artifact of a conversation that the client's key may see. @throws ProtocolError */
export async function readArtifactResource({ actor }: McpClient, uri: string): Promise<ReadResourceResult> {
  const id = z.uuid().safeParse(uri.startsWith(prefix) ? uri.slice(prefix.length) : null);
  if (!id.success) throw notFound(uri);
  try {
    const { artifact, stream } = await readArtifact(requirePermission(actor, "turns:read"), id.data);
    if (artifact.bytes > maxBytes) {
      await stream.cancel();
      const download = `/api/v1/artifacts/${id.data}`;
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `This artifact has ${artifact.bytes} bytes, more than ${maxBytes}. Get it from ${download}.`,
      );
    }
    const bytes = Buffer.from(await new Response(stream).arrayBuffer());
    const isText = /^text\/|[/+]json\b/.test(artifact.mediaType);
    const content = isText ? { text: bytes.toString("utf8") } : { blob: bytes.toString("base64") };
    return { contents: [{ uri, mimeType: artifact.mediaType, ...content }] };
  } catch (error) {
    if (isAppError(error) && error.code === "not_found") throw notFound(uri);
    throw error;
  }
}

function notFound(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.ResourceNotFound, "There is no such resource. Read the links of a tool's result.", { uri });
}
