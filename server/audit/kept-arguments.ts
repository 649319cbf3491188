import "server-only";
import { z } from "zod";
import { type Json, JsonObject } from "@/contracts/common";
import { seal, unseal } from "@/server/platform/crypto";
import { inspectJson, maxArgumentDepth } from "@/server/platform/formats/json-shape";
import { isPairedValue, isSecretName, maskInText, maskSecrets, pairedName, secretUnder } from "@/server/secrets/mask-secrets";
import { mayHoldPrivateKey, mayHoldSecret } from "@/server/secrets/secret-shapes";

/** The arguments of a call as stored in a row. */
export type KeptArguments = {
  /** Parsed arguments, secrets masked. */
  arguments: JsonObject;
  /** Arguments as text when they are not parsed yet, secrets masked. */
  rawArguments: string | null;
  /** Both fields without masks, sealed; null when nothing is masked or the call will not run again. */
  sealedArguments: string | null;
};

const Sealed = z.object({ arguments: JsonObject, rawArguments: z.string().nullable() });

/**
 * Returns a call's arguments for storage. When masking changes nothing, which is the usual case, the arguments stay as
 * they were sent.
 * @param call the unmasked arguments; a call that is still sealed (its key is missing) stays unchanged
 * @param isOver the call will not run again
 */
export function keepArguments(call: KeptArguments, { isOver }: { isOver: boolean }): KeptArguments {
  const { rawArguments, sealedArguments } = call;
  if (sealedArguments !== null) return { arguments: call.arguments, rawArguments, sealedArguments: isOver ? null : sealedArguments };
  const masked = { arguments: maskedArguments(call.arguments), rawArguments: rawArguments === null ? null : maskedText(rawArguments) };
  if (masked.arguments === call.arguments && masked.rawArguments === rawArguments) return { ...masked, sealedArguments: null };
  return { ...masked, sealedArguments: isOver ? null : seal(JSON.stringify({ arguments: call.arguments, rawArguments })) };
}

/** Returns a row with unmasked arguments. The row stays sealed when the key has changed since it was sealed. */
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

/** Cache of masked arguments: the same object is decided on, run and recorded, and should be scanned once. */
const known = new WeakMap<JsonObject, JsonObject>();

/** Masks the secrets in arguments; returns the same object when there are none. */
export function maskedArguments(args: JsonObject): JsonObject {
  const before = known.get(args);
  if (before) return before;
  const masked = mayHoldSecrets(args) ? (maskSecrets(args) as JsonObject) : args;
  const kept = masked === args || JSON.stringify(masked) === JSON.stringify(args) ? args : masked;
  known.set(args, kept);
  return kept;
}

/** Masks JSON text after parsing, so that a name and its value are matched as in parsed arguments. */
function maskedText(text: string): string {
  const value = parsed(text);
  if (value === undefined) return maskInText(text);
  const masked = JSON.stringify(maskSecrets(value));
  return masked === JSON.stringify(value) ? text : masked;
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return inspectJson(value).depth <= maxArgumentDepth ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether masking may change a value. This cheap check spares most calls the full masking. */
function mayHoldSecrets(value: Json, name = ""): boolean {
  if (typeof value === "string") return mayHoldSecret(value) || mayHoldPrivateKey(value) || secretUnder(name, value) !== null;
  if (Array.isArray(value)) return value.some((member) => mayHoldSecrets(member) || (typeof member === "string" && isSecretName(member)));
  if (value === null || typeof value !== "object") return false;
  return Object.entries(value).some(
    ([name, member]) => mayHoldSecret(name) || mayHoldSecrets(member, isPairedValue(name) ? (pairedName(value) ?? name) : name),
  );
}
