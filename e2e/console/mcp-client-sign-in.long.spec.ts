import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { expect, test } from "../fixtures";
import { checkPage, open } from "./check-page";

/** A client's side of OAuth, as the official SDK asks for it: all in memory. */
function clientSide(redirectUrl: string) {
  const kept: { client?: object; tokens?: object; verifier?: string; address?: URL } = {};
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: "Journey client", redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (client: object) => {
      kept.client = client;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: object) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (address: URL) => {
      kept.address = address;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
  };
  return { kept, provider: provider as unknown as OAuthClientProvider };
}

test("a client signs in with OAuth alone: a person allows it in the browser, it calls a tool, and revoking its key ends it", async ({
  consolePage: page,
  productUrl,
}) => {
  const callback = createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>Back in the client</h1>"));
  await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
  const redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
  const { kept, provider } = clientSide(redirectUrl);
  const transport = () => new StreamableHTTPClientTransport(new URL("/mcp", productUrl), { authProvider: provider });
  const connect = async () => {
    const client = new Client({ name: "journey", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport());
    return client;
  };
  try {
    await expect(connect()).rejects.toThrow(UnauthorizedError);
    const address = kept.address;
    if (!address) throw new Error("The client was not sent to a sign-in");
    expect(address.origin).toBe(new URL(productUrl).origin);

    await open(page, `${address.pathname}${address.search}`);
    await expect(page.getByRole("heading", { name: "Allow Journey client?" })).toBeVisible();
    await expect(page.getByText(/this computer \(127\.0\.0\.1:/)).toBeVisible();
    await checkPage(page, "the question whether a client is allowed");
    await page.getByRole("button", { name: "Allow Journey client" }).click();
    await expect(page.getByRole("heading", { name: "Back in the client" })).toBeVisible();
    const answer = new URL(page.url()).searchParams;
    await transport().finishAuth(answer);

    const client = await connect();
    const result = await client.callTool({ name: "date_time", arguments: { timezone: "Europe/Paris" } });
    expect(JSON.stringify(result.content)).toMatch(/\d{4}-\d{2}-\d{2}T/);

    await open(page, "/settings");
    const row = page.getByRole("listitem").filter({ hasText: "Journey client" });
    await row.getByRole("button", { name: /Revoke/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Revoke/ })
      .click();
    await expect(row.getByText("Revoked")).toBeVisible();
    await expect(client.listTools()).rejects.toThrow();
    await client.close();

    const forged = new URL(address);
    forged.searchParams.set("redirect_uri", "https://evil.example.com/");
    await open(page, `${forged.pathname}${forged.search}`);
    await expect(page.getByRole("heading", { name: "This client cannot sign in" })).toBeVisible();
  } finally {
    callback.close();
  }
});
