"use client";

import { notifications } from "@mantine/notifications";
import { isServer, MutationCache, QueryCache, type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toErrorSentence } from "./error-sentence";
import { queryClient } from "./query-client";
import { isSessionEnded, offerSignIn } from "./session-ended";

declare module "@tanstack/react-query" {
  interface Register {
    /** `showsError`: the view shows the error, so no notification repeats it. */
    mutationMeta: { showsError?: boolean };
  }
}

let ofTheBrowser: QueryClient | null = null;

/** Returns one cache per browser tab; on the server a new one, so that two people never share data. */
function currentClient(): QueryClient {
  if (isServer) return queryClient();
  if (!ofTheBrowser) {
    ofTheBrowser = queryClient({
      queryCache: new QueryCache({
        onError: (error) => {
          if (isSessionEnded(error)) offerSignIn();
        },
      }),
      mutationCache: new MutationCache({
        onError: (error, _variables, _result, mutation) => {
          if (isSessionEnded(error)) offerSignIn();
          else if (!mutation.meta?.showsError) {
            notifications.show({ title: "Could not save", message: toErrorSentence(error), color: "red", autoClose: 12_000 });
          }
        },
      }),
    });
  }
  return ofTheBrowser;
}

export function ApiProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={currentClient()}>{children}</QueryClientProvider>;
}
