import { z } from "zod";
import { Id, listOf, pageQuery, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

export const artifactKinds = ["text", "image", "other"] as const;

export const Artifact = z
  .object({
    id: Id,
    name: z.string(),
    mediaType: z.string(),
    bytes: z.number().int(),
    conversationId: Id.describe("The artifact is kept as long as this conversation."),
    turnId: Id.nullable(),
    tool: z.string().nullable().describe("Name of the tool whose call produced it."),
    createdAt: Timestamp,
  })
  .meta({ id: "Artifact" });
export type Artifact = z.infer<typeof Artifact>;

export const ArtifactFilter = z.object({
  conversationId: Id.optional(),
  kind: z.enum(artifactKinds).optional(),
  query: z.string().trim().max(200).optional().describe("Part of the name."),
});
export type ArtifactFilter = z.infer<typeof ArtifactFilter>;

/** `url` downloads the artifact once, until `expiresAt`, without credentials. */
export const ArtifactLink = z.object({ url: z.url(), expiresAt: Timestamp }).meta({ id: "ArtifactLink" });
export type ArtifactLink = z.infer<typeof ArtifactLink>;

export const artifactEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/artifacts",
    summary: "Artifacts of the workspace, newest first; a bound key sees its agent's",
    permission: "turns:read",
    query: ArtifactFilter.extend(pageQuery),
    response: listOf(Artifact),
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/artifacts/{id}",
    summary: "The bytes of an artifact, as an attachment",
    permission: "turns:read",
    params: z.object({ id: Id }),
    responseType: "application/octet-stream",
  }),
  createLink: endpoint({
    method: "POST",
    path: "/api/v1/artifacts/{id}/link",
    summary: "Create a link that downloads an artifact once, within 15 minutes, without credentials",
    permission: "turns:read",
    params: z.object({ id: Id }),
    response: ArtifactLink,
    status: 201,
  }),
  openLink: endpoint({
    method: "GET",
    path: "/api/v1/artifacts/links/{token}",
    summary: "The bytes of the artifact that a one-time link names, as an attachment",
    permission: null,
    ignoresCredentials: true,
    params: z.object({ token: z.string().max(200) }),
    responseType: "application/octet-stream",
  }),
};

export const artifactContract = defineContract({
  reference: { name: "Artifacts", description: "Bytes that a call produced." },
  glossary: {
    artifact: "Bytes that a call produced and that the conversation keeps.",
    "one-time link": "An address that downloads one artifact once, within 15 minutes, without credentials.",
  },
  endpoints: artifactEndpoints,
  audit: {
    "artifact.link_created": "Link to an artifact created",
    "artifact.link_opened": "Artifact downloaded by a link",
  },
});
