import { expect, test } from "vitest";
import { CallbackUrl, WebhookDraft } from "./webhooks";

test.each(["https://example.com/hooks?x=1", "http://192.168.1.4:8080/", " https://example.com ", "HTTPS://example.com"])(
  "%s is an address that events can be sent to",
  (url) => {
    expect(CallbackUrl.safeParse(url).success).toBe(true);
  },
);

test.each([
  "",
  "example.com",
  "ftp://example.com",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "https://user:password@example.com",
  "https://user@example.com",
  "https://",
  `https://example.com/${"a".repeat(2_000)}`,
])("%s is none", (url) => {
  expect(CallbackUrl.safeParse(url).success).toBe(false);
});

test("a webhook wants at least one event, and never asks for tests", () => {
  const draft = { name: "Desk", url: "https://example.com" };
  expect(WebhookDraft.safeParse({ ...draft, events: [] }).success).toBe(false);
  expect(WebhookDraft.safeParse({ ...draft, events: ["webhook.tested"] }).success).toBe(false);
  expect(WebhookDraft.parse({ ...draft, events: ["turn.finished"] })).toMatchObject({ enabled: true });
});
