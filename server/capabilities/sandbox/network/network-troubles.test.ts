import { expect, test } from "vitest";
import type { ProxyEvent } from "./host-proxy";
import { networkTroubles } from "./network-troubles";

const failed = (host: string, reason: string, port = 443): ProxyEvent => ({
  host,
  port,
  outcome: "failed",
  reason: `${host}:${port} could not be reached: ${reason}.`,
});

test.each([
  ["getaddrinfo ENOTFOUND a.test", "The name a.test is unknown to this machine's name server. Check its spelling."],
  ["getaddrinfo EAI_AGAIN a.test", "No name server answered for a.test, so this machine seems to have no network. Ask an admin."],
  ["connect ECONNREFUSED 1.2.3.4:443", "a.test:443 refused the connection: nothing listens there."],
  ["no answer in time", "a.test:443 did not answer in time. A firewall may stand between. Try again, or ask an admin."],
  ["connect ENETUNREACH 1.2.3.4", "No way leads from this machine to a.test:443. Ask an admin."],
  ["socket hang up", "a.test:443 could not be reached: socket hang up."],
])("a connection that failed with %j is told with the way out", (reason, sentence) => {
  const { note, sentences } = networkTroubles({});
  note(failed("a.test", reason));
  expect(sentences()).toEqual([sentence]);
});

test("on a machine behind a company's proxy the sentence names the variable, and never its value", () => {
  const { note, sentences } = networkTroubles({ https_proxy: "http://user:secret@proxy.test:3128" });
  note(failed("a.test", "getaddrinfo ENOTFOUND a.test"));
  expect(sentences()).toEqual([
    "The name a.test is unknown to this machine's name server. Check its spelling. This machine itself uses a proxy (https_proxy), which the sandbox does not use: ask an admin to let this machine reach a.test:443 directly.",
  ]);
});

test("a refused host keeps the sentence of the proxy, one that was reached later is not told, and more than three are counted", () => {
  const { note, sentences } = networkTroubles({});
  const reason = "b.test:443 is not among the hosts of this call. Name it in `hosts` to ask for it.";
  note({ host: "b.test", port: 443, outcome: "refused", reason });
  note(failed("c.test", "no answer in time"));
  note({ host: "c.test", port: 443, outcome: "reached", reason: null });
  expect(sentences()).toEqual([reason]);
  for (const name of ["d", "e", "f", "g"]) note(failed(`${name}.test`, "connect ECONNREFUSED"));
  expect(sentences()).toHaveLength(4);
  expect(sentences().at(-1)).toBe("2 more hosts could not be reached either.");
});
