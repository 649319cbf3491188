import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { SecretKeyStatus } from "@/contracts/operations/secret-key";
import { secretKeyQueries } from "./queries";
import { SecretKeyAlert } from "./secret-key-alert";

function draw(status: SecretKeyStatus): string {
  const client = new QueryClient();
  client.setQueryData(secretKeyQueries.status().queryKey, status);
  const drawn = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <SecretKeyAlert />
      </MantineProvider>
    </QueryClientProvider>,
  );
  return drawn.replace(/<style.*?<\/style>/gs, "");
}

test("the overview says how many secrets the key cannot open, and the way out", () => {
  const sentence = "3 secrets cannot be opened with this key.";
  const drawn = draw({ opensSecrets: false, sentence, wayOut: "Start with the key that sealed them." });
  expect(drawn).toContain('role="alert"');
  expect(drawn).toContain(sentence);
  expect(drawn).toContain("Start with the key that sealed them.");
});

test("the right key needs no words", () => {
  expect(draw({ opensSecrets: true, sentence: "All secrets open.", wayOut: null })).not.toContain("alert");
});
