// This folder runs as its own process, from its source files: it imports only packages, and its files by relative path.

export type DocumentErrorCode = "invalid" | "too_large" | "unavailable";

/** A failure that the model can act on. The server turns it into an AppError. */
export class DocumentError extends Error {
  readonly code: DocumentErrorCode;

  constructor(code: DocumentErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
