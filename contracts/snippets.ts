import { z } from "zod";
import { Empty, Id, listOf, pageQuery, Timestamp } from "./common";
import { defineContract } from "./define-contract";
import { endpoint } from "./endpoint";

export const SnippetDraft = z
  .strictObject({ name: z.string().trim().min(1, "needs a name").max(100), text: z.string().max(4_000) })
  .meta({ examples: [{ name: "Greeting", text: "Dear reader," }] });
export type SnippetDraft = z.infer<typeof SnippetDraft>;

export const Snippet = z
  .object({ id: Id, name: z.string(), text: z.string(), version: z.number().int(), createdAt: Timestamp })
  .meta({ id: "Snippet" });
export type Snippet = z.infer<typeof Snippet>;

const params = z.object({ id: Id });

export const snippetEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/snippets",
    summary: "Snippets of the workspace, in the order of their creation",
    permission: "turns:read",
    query: z.object(pageQuery),
    response: listOf(Snippet),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/v1/snippets",
    summary: "Add a snippet",
    permission: "snippets:write",
    body: SnippetDraft,
    response: Snippet,
    status: 201,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/snippets/{id}",
    summary: "Replace a snippet",
    headers: ["If-Match"],
    permission: "snippets:write",
    params,
    body: SnippetDraft,
    response: Snippet,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/snippets/{id}",
    summary: "Remove a snippet",
    headers: ["If-Match"],
    permission: "snippets:write",
    params,
    response: Empty,
  }),
};

export const snippetContract = defineContract({
  reference: { name: "Snippets", description: "Texts with a name that people write and agents read." },
  glossary: { snippet: "A text with a name that agents of a workspace read." },
  endpoints: snippetEndpoints,
  permissions: { "snippets:write": "Add, change and remove snippets" },
  implies: { "snippets:write": ["turns:read"] },
  audit: {
    "snippet.created": "Snippet created",
    "snippet.updated": "Snippet updated",
    "snippet.removed": "Snippet removed",
  },
  navigation: { label: "Snippets", path: "/snippets", icon: "IconNote", key: "i", group: "work", after: "/todos" },
});
