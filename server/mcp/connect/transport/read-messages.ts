import { isJsonObject } from "@/contracts/lib/is-json-object";
import { isDeeperThan } from "../schemas/input-schema";
import { faultyAnswer, maxMessageDepth } from "./answer-fault";

const tooDeep = `it is nested more than ${maxMessageDepth} levels deep`;

/**
 * Returns the messages in a parsed text, as the SDK takes them: those of a batch each by itself, without optional members that
 * are null, and with an error in place of an answer that is nested too deep. What is unchanged stays the same object.
 */
export function readMessages(value: unknown): unknown[] {
  const isBatch = Array.isArray(value) && value.length > 0 && value.every(isJsonObject);
  return (isBatch ? value : [value]).map((message: unknown) =>
    isDeeperThan(message, maxMessageDepth)
      ? (faultyAnswer(message, tooDeep) ?? `a message was left out: ${tooDeep}`)
      : withoutNulls(message),
  );
}

/** Leaves out members that are null where the protocol wants them absent: libraries of other languages write every optional member. */
export function withoutNulls(message: unknown): unknown {
  if (!isJsonObject(message)) return message;
  const isAnswer = isJsonObject(message.result) || isJsonObject(message.error);
  const envelope = isAnswer || typeof message.method === "string" ? leaveOut(message, ["method", "params", "result", "error"]) : message;
  const { params, result } = envelope;
  // The data of a log message may be null.
  const isRequest = typeof envelope.method === "string" && envelope.id !== undefined;
  if (isRequest && isJsonObject(params)) return replaced(envelope, { params: withoutUnset(params) });
  return isJsonObject(result) ? replaced(envelope, { result: withoutUnset(result) }) : envelope;
}

/** Leaves out the null members of parameters or a result, and of the introduction in them. */
function withoutUnset(object: Members): Members {
  const { capabilities, serverInfo, clientInfo, _meta } = object;
  const parts = {
    ...(isJsonObject(capabilities) ? { capabilities: leaveOut(ofMembers(capabilities)) } : {}),
    ...(isJsonObject(serverInfo) ? { serverInfo: leaveOut(serverInfo) } : {}),
    ...(isJsonObject(clientInfo) ? { clientInfo: leaveOut(clientInfo) } : {}),
    ...(isJsonObject(_meta) ? { _meta: leaveOut(_meta, ["progressToken"]) } : {}),
  };
  return leaveOut(replaced(object, parts));
}

type Members = Record<string, unknown>;

/** Leaves out the members that are null; of all, or of the given names. */
export function leaveOut(object: Members, names?: readonly string[]): Members {
  const isLeft = ([name, member]: [string, unknown]) => member === null && (names?.includes(name) ?? true);
  const members = Object.entries(object);
  return members.some(isLeft) ? Object.fromEntries(members.filter((entry) => !isLeft(entry))) : object;
}

function ofMembers(object: Members): Members {
  return replaced(
    object,
    Object.fromEntries(Object.entries(object).map(([name, member]) => [name, isJsonObject(member) ? leaveOut(member) : member])),
  );
}

const replaced = (object: Members, members: Members): Members =>
  Object.entries(members).every(([name, member]) => object[name] === member) ? object : { ...object, ...members };
