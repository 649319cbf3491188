/** A handler's answer with a status or headers of its own. */
export type Reply<T> = { body: T; status?: number; headers?: Record<string, string> };
const replyMark = Symbol.for("handrail.reply");
export function reply<T>(body: T, options: { status?: number; headers?: Record<string, string> }): Reply<T> {
  return Object.assign({ body, ...options }, { [replyMark]: true as const });
}
export function isReply(value: unknown): value is Reply<unknown> {
  return typeof value === "object" && value !== null && replyMark in value;
}
