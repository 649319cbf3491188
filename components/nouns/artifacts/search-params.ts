import { parseAsString, parseAsStringLiteral } from "nuqs/server";
import { isId, presentOnly } from "@/components/kit/api/address-parts";
import { artifactKinds } from "@/contracts/browser/turns/artifacts";
import type { ArtifactFilter } from "@/contracts/turns/artifacts";

/** Search parameters of the list, read on the server and in the browser. */
export const artifactSearch = {
  kind: parseAsStringLiteral(artifactKinds),
  conversation: parseAsString,
  query: parseAsString,
};

type ArtifactSearch = { kind: (typeof artifactKinds)[number] | null; conversation: string | null; query: string | null };

/** Returns the filter of an address; invalid parts are left out. */
export function toArtifactFilter({ kind, conversation, query }: ArtifactSearch): ArtifactFilter {
  return presentOnly<ArtifactFilter>({
    kind,
    conversationId: conversation && isId(conversation) ? conversation : null,
    query: query?.trim().slice(0, 200) || null,
  });
}
