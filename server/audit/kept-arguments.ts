import "server-only";
import { z } from "zod";
import { type Json, JsonObject } from "@/contracts/common";
import { seal, unseal } from "@/server/platform/crypto";
import { maxArgumentDepth, shapeOf } from "@/server/platform/json-shape";
import { isPairedValue, isSecretName, maskInText, maskSecrets, pairedName, secretUnder } from "./mask-secrets";
import { mayHoldPrivateKey, mayHoldSecret } from "./secret-shapes";

/** The arguments of a call as rows hold them. */
export type KeptArguments = {
  /** Secrets masked. */
  arguments: JsonObject;
  /** The same, for arguments that are not parsed yet. */
  rawArguments: string | null;
  /** Both as they were sent, sealed; null where nothing is masked, and when nobody will run them any more. */
  sealedArguments: string | null;
};

const Sealed = z.object({ arguments: JsonObject, rawArguments: z.string().nullable() });

/**
 * What is stored of a call's arguments. Where masking changes nothing, which is nearly always, that is what was sent.
 * @param call with its arguments as they are run; one that could not be opened stays as it is
 * @param isOver nobody will run them any more
 */
export function keepArguments(call: KeptArguments, { isOver }: { isOver: boolean }): KeptArguments {
  const { rawArguments, sealedArguments } = call;
  if (sealedArguments !== null) return { arguments: call.arguments, rawArguments, sealedArguments: isOver ? null : sealedArguments };
  const masked = { arguments: maskedArguments(call.arguments), rawArguments: rawArguments === null ? null : maskedText(rawArguments) };
  if (masked.arguments === call.arguments && masked.rawArguments === rawArguments) return { ...masked, sealedArguments: null };
  return { ...masked, sealedArguments: isOver ? null : seal(JSON.stringify({ arguments: call.arguments, rawArguments })) };
}

/** A row with its arguments as they are to be run. It stays sealed when the key is another one than it was sealed with. */
export function openArguments<Row extends { arguments: JsonObject; sealedArguments: string | null }>(row: Row): Row {
  if (row.sealedArguments === null) return row;
  const opened = open(row.sealedArguments);
  if (!opened) return row;
  const { rawArguments, ...parsed } = opened;
  return { ...row, ...parsed, ...("rawArguments" in row ? { rawArguments } : {}), sealedArguments: null };
}

function open(sealed: string): z.infer<typeof Sealed> | null {
  try {
    return Sealed.parse(JSON.parse(unseal(sealed)));
  } catch {
    return null;
  }
}

/** What is written more than once is looked through once: the object that is decided on is the one that is run and recorded. */
const known = new WeakMap<JsonObject, JsonObject>();

/** The arguments with secrets masked; the same object when there are none. */
export function maskedArguments(args: JsonObject): JsonObject {
  const before = known.get(args);
  if (before) return before;
  const masked = mayHoldSecrets(args) ? (maskSecrets(args) as JsonObject) : args;
  const kept = masked === args || JSON.stringify(masked) === JSON.stringify(args) ? args : masked;
  known.set(args, kept);
  return kept;
}

/** A text that is to be JSON is masked as what it says, so that names and values belong together as they do once it is parsed. */
function maskedText(text: string): string {
  const value = parsed(text);
  if (value === undefined) return maskInText(text);
  const masked = JSON.stringify(maskSecrets(value));
  return masked === JSON.stringify(value) ? text : masked;
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return shapeOf(value).depth <= maxArgumentDepth ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether masking may change something: nearly every call is done with here. */
function mayHoldSecrets(value: Json, name = ""): boolean {
  if (typeof value === "string") return mayHoldSecret(value) || mayHoldPrivateKey(value) || secretUnder(name, value) !== null;
  if (Array.isArray(value)) return value.some((member) => mayHoldSecrets(member) || (typeof member === "string" && isSecretName(member)));
  if (value === null || typeof value !== "object") return false;
  return Object.entries(value).some(
    ([name, member]) => mayHoldSecret(name) || mayHoldSecrets(member, isPairedValue(name) ? (pairedName(value) ?? name) : name),
  );
}
