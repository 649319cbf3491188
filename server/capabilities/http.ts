/** Fetches from the network; private addresses are refused. */
export type HttpCapability = {
  fetch(
    url: string,
    options: {
      method: string;
      headers?: Record<string, string>;
      body?: string;
      signal: AbortSignal;
      maxBytes: number;
      followRedirects?: boolean;
    },
  ): Promise<{ url: string; status: number; headers: Record<string, string>; bytes: Uint8Array; truncated: boolean }>;
};
