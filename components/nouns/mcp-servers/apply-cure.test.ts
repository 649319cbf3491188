import { expect, test } from "vitest";
import { applyCure, cureLabel } from "./apply-cure";

const closed = { network: "none", allowedHosts: [], readablePaths: ["/srv/data"], outsideSandbox: false } as const;

test("what the sandbox kept from a program is allowed by one change each, beside what is allowed already", () => {
  const settings = { ...closed, allowedHosts: [], readablePaths: [...closed.readablePaths] };
  expect(applyCure(settings, { kind: "read", path: "~/.npmrc" })).toEqual({ readablePaths: ["/srv/data", "~/.npmrc"] });
  expect(applyCure(settings, { kind: "outside" })).toEqual({ outsideSandbox: true });
});

test("a host is reached without opening the network any further", () => {
  const cure = { kind: "reach", host: "localhost:5432" } as const;
  expect(applyCure({ ...closed, allowedHosts: [], readablePaths: [] }, cure)).toEqual({
    allowedHosts: ["localhost:5432"],
    network: "hosts",
  });
  const open = { ...closed, network: "open" as const, allowedHosts: ["db:5432"], readablePaths: [] };
  expect(applyCure(open, cure)).toEqual({ allowedHosts: ["db:5432", "localhost:5432"] });
  expect(cureLabel(cure)).toBe("Let it reach localhost:5432");
});
