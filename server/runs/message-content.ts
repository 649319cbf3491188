import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { RunMessageContent } from "@/db/schema";
import type { ModelMessage, ModelPart } from "@/server/models/model-request";
import { seal, unseal } from "@/server/platform/crypto";
import { isStorable, storableText } from "@/server/platform/database/storable";
import { maskSecrets } from "@/server/secrets/mask-secrets";
import { namedFiles } from "./attachments";
import type { MessageImages } from "./context/message-images";
import type { MessageRow } from "./run-row";
import { withFileNote } from "./steps/reply-files";

type Kept = Pick<MessageRow, "content" | "sealedContent">;

/** Returns a message for storage: secrets masked, and the original sealed beside it when there were any. */
export function keepContent(content: RunMessageContent): Kept {
  const storable = toStorable(content);
  const { providerData = null, ...readable } = storable;
  const masked = maskSecrets(readable as JsonObject) as RunMessageContent;
  if (JSON.stringify(masked) === JSON.stringify(readable)) return { content: storable, sealedContent: null };
  // The provider's data may repeat a secret, so it is sealed as well.
  return { content: masked, sealedContent: seal(JSON.stringify({ ...readable, providerData })) };
}

/** Returns a row with its unmasked content; masked when the key has changed since it was sealed. */
export function openContent<Row extends Kept>(row: Row): Row {
  if (row.sealedContent === null) return row;
  try {
    return { ...row, content: JSON.parse(unseal(row.sealedContent)) as RunMessageContent, sealedContent: null };
  } catch {
    return row;
  }
}

function toStorable({ providerData, ...content }: RunMessageContent): RunMessageContent {
  return {
    ...content,
    text: storableText(content.text),
    ...(content.reasoning ? { reasoning: storableText(content.reasoning) } : {}),
    ...(content.toolCalls
      ? {
          toolCalls: content.toolCalls.map(({ id, name, arguments: args }) => ({
            id: storableText(id),
            name: storableText(name),
            arguments: storableText(args),
          })),
        }
      : {}),
    ...(providerData && isStorable(providerData) ? { providerData } : {}),
  };
}

const converted = new WeakMap<RunMessageContent, ModelMessage>();

/** Like `toModelMessage`; a message without images is converted once, because every step sends it again. */
export function toKnownModelMessage(message: Pick<MessageRow, "runId" | "role" | "content">, loaded: MessageImages): ModelMessage {
  const { content } = message;
  if (content.images?.length) return toModelMessage(message, loaded);
  const known = converted.get(content) ?? toModelMessage(message, loaded);
  converted.set(content, known);
  return known;
}

/** Converts a message with opened content to the form that models are asked with, with those of its images that were loaded. */
export function toModelMessage(
  { runId, role, content }: Pick<MessageRow, "runId" | "role" | "content">,
  loaded: MessageImages,
): ModelMessage {
  const { text, reasoning = "", toolCalls = [], providerData = null, callId = "", name = "", isError = false, images = [] } = content;
  switch (role) {
    case "user": {
      const named = [text, namedFiles(runId, content.attachments)].filter((part) => part !== "").join("\n\n");
      return { role, parts: [{ type: "text", text: named }, ...images.flatMap((image) => toPart(image, loaded))] };
    }
    case "summary":
    case "note":
      return { role: "user", parts: [{ type: "text", text }] };
    case "assistant":
      return { role, text: withFileNote(text, content.files), reasoning, toolCalls, providerData };
    case "tool":
      return { role, callId, name, parts: [{ type: "text", text }, ...images.flatMap((image) => toPart(image, loaded))], isError };
  }
}

function toPart({ artifactId, mediaType }: { artifactId: string; mediaType: string }, loaded: MessageImages): ModelPart[] {
  const data = loaded.get(artifactId);
  return data ? [{ type: "image", mediaType, data }] : [];
}
