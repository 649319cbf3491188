export type HttpRequest = {
  method: string;
  headers?: Record<string, string>;
  /**
   * Headers set by Handrail, such as a credential from an admin. They are sent unchecked, and only to the origin of the
   * first address, so they must never contain text of a model.
   */
  ownHeaders?: Record<string, string>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  /**
   * A loopback address means a server in the conversation's sandbox where one listens on the port. Never together with a
   * credential, because the server is a program of the agent.
   */
  reachesOwnServers?: boolean;
  /** Follow at most three redirects, and only to the same scheme, host and port. Otherwise the 3xx itself is the answer. */
  followRedirects?: boolean;
};

export type HttpAnswer = {
  /** The final address, after redirects. */
  url: string;
  status: number;
  /** Lower-case names; the values of a repeated header are joined with ", ". */
  headers: Record<string, string>;
};

/** HTTP and https requests to the network; private addresses and headers that identify us are refused. */
export type HttpCapability = {
  /** Fetches at most `maxBytes` of the unpacked body; `truncated` is true when the body was longer. */
  fetch(url: string, options: HttpRequest & { maxBytes: number }): Promise<HttpAnswer & { bytes: Uint8Array; truncated: boolean }>;
  /** Returns the unpacked body as a stream. Read it to its end, or leave the loop, to free the connection. */
  open(url: string, options: HttpRequest): Promise<HttpAnswer & { body: AsyncIterable<Uint8Array> }>;
};
