export type HttpRequest = {
  method: string;
  headers?: Record<string, string>;
  /**
   * Headers of Handrail's own, such as a credential that an admin set. They are sent unchecked, and only to the first
   * address's own origin: nothing that a model wrote may be in them.
   */
  ownHeaders?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** Follow at most three redirects, and only to the same scheme, host and port. Otherwise the 3xx itself is the answer. */
  followRedirects?: boolean;
};

export type HttpAnswer = {
  /** Where the answer came from, after redirects. */
  url: string;
  status: number;
  /** Lower-case names; repeated ones joined with ", ". */
  headers: Record<string, string>;
};

/** Fetches from the network over http and https; private addresses and headers that identify us are refused. */
export type HttpCapability = {
  /** Fetches at most `maxBytes` of the (unpacked) body; `truncated` says that there was more. */
  fetch(url: string, options: HttpRequest & { maxBytes: number }): Promise<HttpAnswer & { bytes: Uint8Array; truncated: boolean }>;
  /** The same with the body, unpacked, as it arrives. Read it to its end, or leave the loop, to free the connection. */
  open(url: string, options: HttpRequest): Promise<HttpAnswer & { body: AsyncIterable<Uint8Array> }>;
};
