/**
 * Why a provider did not do its work, as words that follow its name.
 * `refused`: it answered, and did nothing. `unsent`: it never received the request. `unknown`: it may have done the work, so
 * nobody may ask again.
 */
export class MediaFault extends Error {
  constructor(
    readonly outcome: "refused" | "unsent" | "unknown",
    words: string,
    /** The same request may succeed later. */
    readonly mayRecover = false,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(words);
    this.name = "MediaFault";
  }
}

/** The answer does not follow the provider's protocol. The request was received, so it may have been paid for. */
export const unreadable = (what: string) => new MediaFault("unknown", `sent an answer without ${what}`);

/** The provider finds the request or its result unacceptable. */
export const declined = (reason: string) => new MediaFault("refused", `declined the request: ${oneLine(reason) || "it gave no reason"}`);

/** The work that the provider accepted came to nothing. */
export const workFailed = (reason: string) => new MediaFault("refused", `failed: ${oneLine(reason) || "it gave no reason"}`);

const maxDetailChars = 300;

export function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  return line.length > maxDetailChars ? `${line.slice(0, maxDetailChars).toWellFormed()}…` : line;
}
